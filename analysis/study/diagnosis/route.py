# SPDX-License-Identifier: GPL-2.0-only
"""Which scenario a transfer is put to, and what it has that the model has not: a change that would
rest on that is refused."""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from study.captures.connection import RST, Connection, Note
from study.diagnosis.finding import NotModelled, named, share, some, time_text
from study.diagnosis.parameters_ack import TIMERS_S, every_nth, timer_like_s
from study.diagnosis.parameters_exchange import is_exchange, turns
from study.diagnosis.parameters_host import ALL_ALONG, full_buffer_B, usual_flight_B
from study.diagnosis.parameters_link import Link
from study.diagnosis.parameters_window import grew
from study.diagnosis.transfer import Transfer
from study.diagnosis.writes import is_paced, writes_with_pauses

MUCH, HALF = 0.05, 0.5  # of the time
LEAST_CROSSED, CROSSED = 3, 0.1  # turns: one or two are chance
ENDINGS = ("path_lost_packets", "path_loss", "job_size")
FLIGHTS = ("receive_window", "send_buffer", "mss", "device_mss", "initial_window", "write_size")


# What a reader notes of packets that the model sends otherwise, and what would rest on that.
OF_NOTES = {
    "fragments": ("the model's packets are whole", ("mss", "device_mss", "path_mtu", *ENDINGS[:2])),
    "tunnel": ("they share the line, which the model's has alone", ("path_rate", "link_rate")),
}


def of_notes(notes: Iterable[Note]) -> Iterator[NotModelled]:
    """Of fragments, and of packets in others."""
    for note in notes:
        if note.kind in OF_NOTES:
            why, blocks = OF_NOTES[note.kind]
            yield NotModelled(note.kind, f"{note.sentence}; {why}", blocks)


def scenario_of(transfer: Transfer) -> str:
    """Bulk is a print job, turns are request and reply."""
    return "request-reply" if is_exchange(transfer.connection) else "print-job"


def not_modelled(
    transfer: Transfer, link: Link, limits_s: Mapping[str, float]
) -> Iterator[NotModelled]:
    """Of a bulk transfer."""
    yield from _kept_back(transfer, link)
    yield from _growing(transfer, limits_s)
    yield from _rising_and_falling(transfer, link, limits_s)
    yield from _joined(transfer, limits_s)
    yield from _pauses(transfer)
    yield from _paced(transfer)
    yield from _both_ways(transfer)
    yield from _answered_at_the_end(transfer, link)
    yield from _unexplained(transfer, link)
    reset = np.flatnonzero(transfer.flagged(RST))
    if len(reset) and transfer.fin_row is None:
        numbers = transfer.number[reset]
        what = f"the connection ends with a reset, {named(numbers)}; the model's job ends whole"
        yield NotModelled("reset", what, ("close_time",), some(numbers))
    if not transfer.sender_is_client and transfer.handshake:
        what = (
            "the receiver opened the connection; in the model the sender does, which moves the "
            "start by half a round trip"
        )
        yield NotModelled("opened_by_receiver", what, ("syn_ack_latency",))


def not_modelled_of_turns(connection: Connection) -> Iterator[NotModelled]:
    """Of an exchange: turns that do not answer the one in front of them, whose packets they do not
    acknowledge, crossed those on their way, as where a client asks ahead."""
    found, packets = turns(connection), connection.packets
    ends = packets["seq"] + packets["length"]
    crossed = found.first[1:][packets["ack"][found.first[1:]] < ends[found.last[:-1]]]
    if len(crossed) < max(LEAST_CROSSED, CROSSED * len(found.first)):
        return
    numbers = connection.packets["number"][crossed]
    what = (
        f"requests are on their way before the reply to the one before is there: {len(crossed):,} "
        f"turns cross another, {named(numbers)}; the model's client asks when it has the reply"
    )
    yield NotModelled("pipelined_requests", what, (), some(numbers))


def _kept_back(transfer: Transfer, link: Link) -> Iterator[NotModelled]:
    timer_s = timer_like_s(transfer, link)
    if timer_s is None:
        return
    what = (
        f"the ACKs come {time_text(timer_s)} late although the window has room: a timer that more "
        "data would end, or a slow device; the capture cannot tell, and the model has the second"
    )
    yield NotModelled("ack_kept_back", what, FLIGHTS)


def _growing(transfer: Transfer, limits_s: Mapping[str, float]) -> Iterator[NotModelled]:
    grown = grew(transfer)
    if not grown or share(limits_s, "receive_window") < MUCH:
        return
    what = (
        f"the receiver's window grows from {grown[0]:,} to {grown[1]:,} B as it reads; the model's "
        "keeps one size"
    )
    yield NotModelled("growing_window", what, ("receive_window", "rtt", "path_delay"))


def _rising_and_falling(
    transfer: Transfer, link: Link, limits_s: Mapping[str, float]
) -> Iterator[NotModelled]:
    cap = full_buffer_B(transfer, limits_s)
    usual = usual_flight_B(transfer) if cap else 0
    if not cap or usual >= ALL_ALONG * cap:
        return
    what = (
        f"what the send buffer lets out rises and falls below {cap:,} B, {usual:,} on the average, "
        "as its writer is woken late; the model has the average"
    )
    blocks = ["send_buffer", "send_buffer_rule"]
    # A flight that takes the line long against the round trip has another average over another.
    if link.is_path and link.frame_s(transfer, cap) > HALF * link.rtt_s:
        blocks.append("rtt")
    yield NotModelled("writer_woken_late", what, tuple(blocks))


def _joined(transfer: Transfer, limits_s: Mapping[str, float]) -> Iterator[NotModelled]:
    """Segments handed down in one piece, where a window could hold such a piece back."""
    lengths = transfer.pieces.length
    large = lengths > transfer.mss_B
    if large.mean() < MUCH or share(limits_s, "receive_window", "drain") < MUCH:
        return
    numbers = transfer.number[transfer.pieces.row[large]]
    what = (
        f"up to {int(lengths.max()):,} B leave in one piece, {named(numbers)}, and wait for a "
        "window that takes the whole piece; the model sends segment by segment. Over another round "
        "trip or rate a host makes them of another size"
    )
    blocks = (*FLIGHTS, "rtt", "path_delay", "path_rate")
    yield NotModelled("joined_segments", what, blocks, some(numbers))


def _pauses(transfer: Transfer) -> Iterator[NotModelled]:
    """The program had nothing to send: all was acknowledged, and nothing followed."""
    data, idle = transfer.data, transfer.is_idle_before
    rows = data.row[idle]
    total_s = float((transfer.time_s[rows] - transfer.time_s[rows - 1]).sum())
    if (
        not len(rows)
        or total_s < MUCH * transfer.connection.duration_s
        or writes_with_pauses(transfer)
    ):
        return
    numbers = transfer.number[rows]
    what = (
        f"the sender's program has nothing to send {len(rows)} times, {time_text(total_s)} in all, "
        f"before {named(numbers)}; the model's always has"
    )
    yield NotModelled("pauses_of_the_sender", what, (), some(numbers))


def _paced(transfer: Transfer) -> Iterator[NotModelled]:
    """Whole segments at a pace of their own. How fast that would go after a change depends on
    whether the rate was set or is what a congestion control makes of the round trip."""
    regular = writes_with_pauses(transfer)
    if regular is None or not is_paced(transfer, regular[0]):
        return
    size, every_s, rows = regular
    numbers = transfer.number[rows]
    what = (
        f"the sender spaces what it sends, {size:,} B of whole segments every "
        f"{time_text(every_s)}, {named(numbers)}: a pace that was set, or one that follows the "
        "round trip; the model has a program that writes so"
    )
    yield NotModelled("pacing", what, (), some(numbers))


def _both_ways(transfer: Transfer) -> Iterator[NotModelled]:
    if transfer.back_B <= MUCH * transfer.total_B or transfer.back_B < 1000:
        return
    what = (
        f"the receiver sends, too, {transfer.back_B:,} B beside {transfer.total_B:,}; the model's "
        "device sends nothing but answers"
    )
    yield NotModelled("data_both_ways", what, ("host_window", "path_rate_back"))


def _answered_at_the_end(transfer: Transfer, link: Link) -> Iterator[NotModelled]:
    """The last of the data may be an odd segment, whose ACK a timer keeps back; here a program
    takes it along. That matters to a short transfer, where a change makes it odd or even."""
    last = transfer.answers.row[-1:]
    counts = (every_nth(transfer, link) or 1) > 1
    if not counts or not len(last) or not transfer.back_B:
        return
    if TIMERS_S[0] < MUCH * transfer.connection.duration_s:
        return
    spoke = ~transfer.is_sent & (transfer.packets["length"] > 0)
    spoke &= np.abs(transfer.time_s - transfer.time_s[last[0]]) < TIMERS_S[0] / 2
    if not spoke.any():
        return
    numbers = transfer.number[spoke]
    what = (
        f"the receiver's program answers the last of the data, {named(numbers)}, and its ACK with "
        "it; the model's keeps back the ACK of an odd last segment"
    )
    yield NotModelled("answered_at_the_end", what, ENDINGS, some(numbers))


def _unexplained(transfer: Transfer, link: Link) -> Iterator[NotModelled]:
    """What was sent again on an Ethernet: which packet is lost is chance there."""
    lost = transfer.lost_rows
    if not len(lost) or link.is_path:
        return
    numbers = transfer.number[lost]
    what = (
        f"which packets are lost is chance in the model, {len(lost):,} are in the capture, "
        f"{named(numbers)}"
    )
    yield NotModelled("losses", what, ("loss_to_host",), some(numbers))
