# SPDX-License-Identifier: GPL-2.0-only
"""Facts of a capture in words, each with the packets that show it, in Wireshark's terms."""

from collections.abc import Iterator

import numpy as np

from study.captures.connection import FIN, RST, SYN
from study.diagnosis.facts import Fact, Facts
from study.diagnosis.track import Track

FEW = 5  # numbers or rows of a kind on one screen
QUEUES = {
    "return_queue": "ACKs wait {:,.4g} ms in a queue of the return path, by their timestamps",
    "own_queue": "data leave {:,.4g} ms after their timestamps: the sending host has a queue",
    "late_echo": "data echo ACKs {:,.4g} ms late: a queue on the return path, or the program",
}


def facts_told(facts: Facts) -> Iterator[Fact]:
    """Yield the facts, the ones that decide most often first."""
    transfer = facts.transfer
    number = transfer.packets["number"]
    if not len(transfer.data.row):
        return
    if len(transfer.answers.row) or facts.handshake_s:
        ms = facts.rtt_s * 1e3
        text = f"least round trip {ms:.4g} ms"
        if facts.handshake_s:
            text += f" ({facts.handshake_s * 1e3:.4g} ms in the handshake)"
        yield Fact("round_trip", facts.rtt_s, "s", text)
    yield from _queues(facts)
    windows = facts.windows
    if len(windows):
        low, high = int(windows.min()), int(windows.max())
        text = f"window {high:,} B" if low == high else f"window {low:,} to {high:,} B"
        yield Fact("window", {"least": low, "largest": high}, "B", text)
    yield Fact("flight", facts.flight_B, "B", f"at most {facts.flight_B:,} B in flight")
    yield Fact("segment", facts.mss_B, "B", f"segments of {facts.mss_B:,} B")
    again = transfer.sent_rows[transfer.is_again]
    if facts.vantage.at == "receiver":
        again = np.setdiff1d(again, facts.fills.overtaken)
    lost = facts.lost
    total = len(transfer.sent_rows)
    if len(again) or lost:
        spurious = max(len(again) - len(lost), 0)
        text = f"{len(again):,} of {total:,} data segments sent again, {len(lost):,} lost"
        if spurious:
            text += f", {spurious:,} spurious"
        value = {"again": len(again), "lost": len(lost), "spurious": spurious, "sent": total}
        yield Fact("retransmissions", value, "1", text, _some(number[again]))
    shut = facts.zero_windows
    if len(shut):
        probes = np.flatnonzero(Track(transfer.connection, transfer.sender_is_client).probe)
        yield from _counted("zero_windows", "zero windows (tcp.analysis.zero_window)", number[shut])
        what = "window probes (tcp.analysis.zero_window_probe)"
        yield from _counted("window_probes", what, number[probes])
    yield from _longest_gap(facts)
    yield from _options(facts)
    yield from _counted("resets", "with RST", number[transfer.flagged(RST)])
    yield from _counted("fins", "with FIN", number[transfer.flagged(FIN)])


def _counted(name: str, what: str, numbers: np.ndarray) -> Iterator[Fact]:
    """Yield how many packets are of a kind, if any is."""
    if len(numbers):
        yield Fact(name, len(numbers), "1", f"{len(numbers):,} {what}", _some(numbers))


def _queues(facts: Facts) -> Iterator[Fact]:
    """Yield the queues that timestamps show, or that nothing shows."""
    waits_s = {
        "return_queue": facts.return_queue_s * facts.has_return_queue,
        "own_queue": facts.own_queue_s,
        "late_echo": facts.echo_late_s * facts.echo_is_late,
    }
    for name, wait_s in waits_s.items():
        if wait_s:
            yield Fact(name, wait_s, "s", QUEUES[name].format(wait_s * 1e3))
    if facts.may_have_return_queue and not facts.echo_is_late:
        text = "no timestamps: a queue ahead and one of the return path look alike"
        yield Fact("no_timestamps", None, "", text)


def _longest_gap(facts: Facts) -> Iterator[Fact]:
    """Yield the longest time without a packet."""
    transfer = facts.transfer
    if len(transfer.packets) < 3:
        return
    gaps = np.diff(transfer.time_s)
    place = int(np.argmax(gaps))
    took = float(gaps[place])
    numbers = _some(transfer.packets["number"][place : place + 2])
    text = f"longest silence {took:.3g} s, at {transfer.time_s[place]:.3f} s"
    value = {"s": took, "from_s": float(transfer.time_s[place])}
    yield Fact("longest_silence", value, "s", text, numbers)


def _options(facts: Facts) -> Iterator[Fact]:
    """Yield what the SYNs offer."""
    transfer = facts.transfer
    syns = transfer.packets["number"][transfer.flagged(SYN)]
    for end, offer in zip(("sender", "receiver"), transfer.offers, strict=True):
        if not offer.seen:
            continue
        told = [f"MSS {offer.mss}"] if offer.mss else []
        if offer.window_scale is not None:
            told.append(f"window scale {offer.window_scale}")
        told += [name for name in ("sack", "timestamps") if getattr(offer, name)]
        text = f"the {end}'s SYN: {', '.join(told) or 'no options'}"
        times = len(transfer.client_syns)
        if times > 1 and transfer.sender_is_client == (end == "sender"):
            text += f"; sent {times} times"
        yield Fact(f"{end}_syn", told, "", text, _some(syns))


def _some(numbers: np.ndarray) -> tuple[int, ...]:
    return tuple(int(each) for each in numbers[:FEW])


def display_filter(packets: tuple[int, ...]) -> str:
    """Return Wireshark's filter for some packets."""
    return f"frame.number in {{{', '.join(map(str, packets))}}}" if packets else ""
