# SPDX-License-Identifier: GPL-2.0-only
"""What lies between the two ends, as far as a capture shows it: an Ethernet or a path, its rate,
its round trip, its queue, and what was lost."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from study.captures.connection import RST, SYN
from study.diagnosis.finding import Finding, in_rate, named, share, some, time_text, timed
from study.diagnosis.line import queued_ns
from study.diagnosis.parameters_port import small_steps
from study.diagnosis.track import Track
from study.diagnosis.transfer import HEADERS_B, Transfer
from study.diagnosis.writes import ALONE_S

# Below it the way there and back is that of one Ethernet, and what an answer takes is the device's.
NEAR_S = 1e-3
ETHERNETS_BPS = (10e6, 100e6, 1e9, 10e9)
CLOSE = 0.03  # how near to one of them a rate is that one
PART = 0.3  # of the services, that one line shows in
ALIKE = 0.25  # how far the middle half of the services of one line may lie apart, of their median
LEAST_PAIRS = 8
FLIGHT = 0.1  # how near a rate and a flight in each round trip are one
ETHERNET_MSS_B = 1460
OFTEN = 0.2  # of the ACKs: several on their way at once
BUSY, SHORT = 0.9, 0.25  # of the time between two ACKs, and of the least round trip
QUICKER = 0.75  # of its way: an ACK follows the one in front of it within that
ETHERNET_DELAY_S = 0.5e-6
MOST_LISTED = 40  # lost packets that a file names one by one
FULL_QUEUE = 0.8  # of the longest wait
QUEUE_MATTERS = 0.2  # of the time, before the network's line


@dataclass(frozen=True)
class Link:
    """What the other parameters need to know of it."""

    is_path: bool
    rate_bps: float
    rtt_s: float  # of a path, without the packets' own time on the line; of an Ethernet 0
    findings: tuple[Finding, ...]

    def frame_s(self, transfer: Transfer, length_B: float) -> float:
        """What a packet with that payload takes on the line."""
        if self.is_path:
            return (length_B + transfer.header_B) * 8 / self.rate_bps
        return transfer.frame_s(length_B, self.rate_bps)

    def there_and_back_s(self, transfer: Transfer, length_B: float) -> float:
        """A packet's way there and its ACK's way back, without what the other end takes."""
        way_s = self.rtt_s if self.is_path else 2 * ETHERNET_DELAY_S
        return way_s + self.frame_s(transfer, length_B) + self.frame_s(transfer, 0)


def link(transfer: Transfer, limits_s: Mapping[str, float]) -> Link:
    """The link, and what says so."""
    rate = service(transfer)
    part = share(limits_s, "link", "path_queue")
    floor_s, floor_row = _floor(transfer)
    is_path = floor_s >= NEAR_S and is_pipelined(transfer)
    is_path |= announced(transfer) > ETHERNET_MSS_B  # the model's Ethernet has no jumbo frames
    rate_bps, rate_finding = _rate(transfer, is_path, rate, part)
    own_s = _on_the_line_s(transfer, rate_bps, floor_row) if is_path else 0.0
    rtt_s = max(floor_s - own_s, 0.0) if is_path else 0.0
    at = Link(is_path, rate_bps, rtt_s, ())
    findings = [rate_finding, *_way(transfer, at, floor_s, own_s, floor_row)]
    findings += _queue(transfer, at, part) if is_path else ()
    findings += _losses(transfer, at, part)
    return Link(is_path, rate_bps, rtt_s, tuple(findings))


def announced(transfer: Transfer) -> int:
    """The MSS in the sender's SYN, or its largest segment."""
    offer = transfer.offers[0]
    return offer.mss if offer.seen and offer.mss else transfer.mss_B


def _floor(transfer: Transfer) -> tuple[float, int]:
    """The shortest that any packet of the sender waited for its answer, and the answer's row."""
    found: list[tuple[float, int]] = []
    if transfer.handshake and transfer.sender_is_client:
        syn, answer, _ = transfer.handshake
        found.append((float(transfer.time_s[answer] - transfer.time_s[syn]), answer))
    elif transfer.handshake:  # the receiver opened the connection: its third packet answers ours
        _, answer, third = transfer.handshake
        found.append((float(transfer.time_s[third] - transfer.time_s[answer]), third))
    answers = transfer.answers
    if answers.clean.any():
        waited = np.where(answers.clean, answers.since_last_s, np.inf)
        least = int(np.argmin(waited))
        found.append((float(waited[least]), int(answers.row[least])))
    return min(found, default=(0.0, 0))


def _pipelined(transfer: Transfer) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Of each ACK whose data had all left before the ACK in front of it came: the time between the
    two, the bytes that it covers, how long they were on their way, and whether their sender had
    spaced them so. The first is what a line, or the other end, took for them."""
    answers, data = transfer.answers, transfer.data
    if len(answers.row) < 2:
        return np.zeros(0), np.zeros(0), np.zeros(0), np.zeros(0, bool)
    waiting = data.time_s[answers.last[1:]] <= answers.time_s[:-1]
    together = transfer.region[answers.row[1:]] == transfer.region[answers.row[:-1]]
    usable = waiting & together & answers.clean[1:] & answers.clean[:-1]
    spacings = np.diff(answers.time_s)
    own = np.concatenate(([0], np.cumsum(_at_its_own_pace(transfer))))
    spaced = own[answers.last[1:] + 1] > own[answers.last[:-1] + 1]
    spaced &= np.diff(data.time_s[answers.last]) >= BUSY * spacings
    covered_B, waited_s = answers.covered_B[1:], answers.since_last_s[1:]
    return spacings[usable], covered_B[usable], waited_s[usable], spaced[usable]


def is_pipelined(transfer: Transfer) -> bool:
    """Whether answers follow each other faster than any one of them comes: several are on their way
    at once. A device that takes its time answers one by one; where there is only one answer a
    flight, the two cannot be told apart, and a device is what is taken."""
    spacings, _, waited_s, _ = _pipelined(transfer)
    if len(spacings) < max(2, OFTEN * len(transfer.answers.row)):
        return False
    return float(np.median(spacings / np.maximum(waited_s, 1e-9))) < QUICKER


def _at_its_own_pace(transfer: Transfer) -> np.ndarray:
    """Of each segment, whether it left neither behind another nor behind an ACK: its sender chose
    the time, by its program or by its pacing, and its ACK is as late behind the one before."""
    rows = transfer.data.row
    waited_s = transfer.time_s[rows] - transfer.time_s[np.maximum(rows - 1, 0)]
    return waited_s > ALONE_S


def service(transfer: Transfer) -> tuple[float, bool, int] | None:
    """Bits of payload and headers a second of ACKs in a row, whether they are a line's, and how
    many there are. Between two ACKs the line was never idle if the later one's data had waited for
    as long: its round trip is above the least by that. Otherwise a gap that is a good part of the
    round trip may be nothing else, as between two flights of a small window; a shorter one is what
    the line once made of ACKs that release what keeps it, unless the sender had made it. Where the
    rate is a flight in each round trip, and nothing waited at that rate, the flight makes it."""
    spacings, covered_B, waited_s, spaced = _pipelined(transfer)
    least_s, _ = _floor(transfer)
    whole = (covered_B >= transfer.mss_B) & (spacings > 0)
    queued = waited_s - least_s >= BUSY * spacings
    whole &= queued | ((spacings < SHORT * least_s) & ~spaced)
    spacings, covered_B, queued = spacings[whole], covered_B[whole], queued[whole]
    if len(spacings) < LEAST_PAIRS:
        return None
    every = _on_wire_B(transfer, covered_B) * 8 / spacings
    found = _alike(np.sort(every))
    rate_bps, alike, _ = found
    shown = np.abs(every[queued] / rate_bps - 1) <= ALIKE / 2
    if alike and shown.sum() < LEAST_PAIRS and _is_a_flight(transfer, rate_bps, least_s):
        return rate_bps, False, found[2]
    return found


def _on_wire_B(transfer: Transfer, carried_B: np.ndarray) -> np.ndarray:
    return carried_B + np.ceil(carried_B / max(transfer.mss_B, 1)) * transfer.header_B


def _is_a_flight(transfer: Transfer, rate_bps: float, rtt_s: float) -> bool:
    """Whether the rate is the largest usual flight in each round trip."""
    flight_B = np.percentile(transfer.outstanding_B, [90])
    return bool(abs(_on_wire_B(transfer, flight_B)[0] * 8 / (rate_bps * rtt_s) - 1) <= FLIGHT)


def _alike(rates: np.ndarray) -> tuple[float, bool, int]:
    """The one rate of many, which rise; whether they are alike; and how many are."""
    low, middle, high = np.percentile(rates, [25, 50, 75])
    if high - low <= ALIKE * middle:
        return float(middle), True, len(rates)
    # Between losses and timers the line shows in a part of them.
    ends = np.searchsorted(rates, rates * (1 + CLOSE), side="right")
    counts = ends - np.arange(len(rates))
    begin = int(np.argmax(counts))
    same = rates[begin : ends[begin]]
    if len(same) >= max(LEAST_PAIRS, PART * len(rates)):
        return float(np.median(same)), True, len(same)
    return float(middle), False, len(rates)


def _rate(
    transfer: Transfer, is_path: bool, service: tuple[float, bool, int] | None, queued: float
) -> tuple[float, Finding]:
    """The line's rate, or what it is at least."""
    key = "path_rate" if is_path else "link_rate"
    seen_bps = _fastest(transfer)
    if service and service[1]:
        rate_bps, _, count = service
        if is_path:
            value, unit = in_rate(rate_bps)
            source = (
                f"{count:,} ACKs of data that had left before the ACK in front of them came follow "
                f"each other by what a line of that rate takes for the packets they cover, headers "
                f"of {transfer.header_B} B included: the median of those that are alike"
            )
            return rate_bps, Finding(key, value, unit, "derived", source)
        size = transfer.mss_B
        on_wire = (size + transfer.header_B + 18) / (size + transfer.header_B) if size else 1
        near = [each for each in ETHERNETS_BPS if abs(rate_bps * on_wire / each - 1) <= CLOSE]
        if near:
            value, unit = in_rate(near[0])
            shown = " ".join(map(str, in_rate(rate_bps * on_wire)))
            source = f"{count:,} ACKs follow each other at {shown}, frames included"
            return near[0], Finding(key, value, unit, "derived", source)
    seen_bps = max(seen_bps, 0.0 if is_path else _of_updates(transfer))
    least_bps = max(seen_bps, service[0] if service and queued >= QUEUE_MATTERS else 0.0)
    rate_bps = next((each for each in ETHERNETS_BPS if each >= least_bps), ETHERNETS_BPS[-1])
    value, unit = in_rate(rate_bps)
    size = {"Gbps": 1e9, "Mbps": 1e6, "kbps": 1e3, "bps": 1.0}[unit]
    source = (
        "nothing in the capture waits for the line; the most that was carried in a row is "
        f"{' '.join(map(str, in_rate(least_bps)))}, and this is the next Ethernet"
    )
    low = float(f"{least_bps / size:.4g}")
    return rate_bps, Finding(key, value, unit, "bound", source, low=min(low, value))


def _fastest(transfer: Transfer) -> float:
    """The most that was acknowledged in a row of some ACKs, or by one ACK from when the first of
    what it covers was sent, bit/s."""
    return max(_in_a_row(transfer), _of_one(transfer))


def _of_one(transfer: Transfer) -> float:
    answers = transfer.answers
    tick_s = transfer.connection.resolution_ns / 1e9
    took_s = answers.since_first_s[answers.clean] + tick_s
    bits = 8.0 * answers.covered_B[answers.clean]
    return float((bits / took_s)[took_s > tick_s].max(initial=0.0))


def _in_a_row(transfer: Transfer) -> float:
    answers = transfer.answers
    count = min(LEAST_PAIRS, len(answers.row) - 1)
    if count < 1:
        return 0.0
    spans = answers.time_s[count:] - answers.time_s[:-count]
    sums = np.concatenate(([0], np.cumsum(answers.covered_B)))
    carried = sums[count + 1 :] - sums[1 : len(spans) + 1]
    same = transfer.region[answers.row[count:]] == transfer.region[answers.row[:-count]]
    usable = same & (spans > 0)
    return float((carried[usable] * 8 / spans[usable]).max()) if usable.any() else 0.0


def _of_updates(transfer: Transfer) -> float:
    """What the frames of updates in a row of an Ethernet were carried at: its two directions are of
    one rate."""
    rows = transfer.acks
    rows = rows[~transfer.flagged(SYN)[rows] & ~transfer.flagged(RST)[rows]]
    steps = small_steps(transfer, rows, transfer.packets["window"][rows])
    return transfer.frame_s(0, 1.0) / steps.gap_s if steps else 0.0


def _on_the_line_s(transfer: Transfer, rate_bps: float, row: int) -> float:
    """What the packets of the shortest round trip took on the path's line, both ways."""
    place = np.flatnonzero(transfer.answers.row == row)
    length = 0 if not len(place) else int(transfer.data.length[transfer.answers.last[place[0]]])
    return (length + 2 * transfer.header_B) * 8 / rate_bps


def _way(transfer: Transfer, at: Link, floor_s: float, own_s: float, row: int) -> Iterator[Finding]:
    """Ethernet or path, and how long."""
    number = int(transfer.number[row])
    if not at.is_path:
        why = (
            f"the shortest round trip is {time_text(floor_s)}, packet {number}"
            if floor_s < NEAR_S
            else "the answers come one by one, and none before the one in front of it is out: the "
            "time is taken as the device's; a path's delay would look alike"
        )
        yield Finding("link", "ethernet", "", "derived", why, (number,))
        yield timed(
            "link_delay", ETHERNET_DELAY_S, "assumed", "not told by a capture; 100 m of cable"
        )
        return
    if announced(transfer) > ETHERNET_MSS_B:
        mtu_B = announced(transfer) + HEADERS_B
        told = f"an MSS of {announced(transfer)} B and {HEADERS_B} B of headers"
        yield Finding("path_mtu", mtu_B, "B", "derived", told)
    why = (
        f"several answers are on their way at once, none younger than {time_text(floor_s)}: the "
        "time is the network's"
    )
    if not is_pipelined(transfer):
        why = "its packets are larger than an Ethernet's"
    yield Finding("link", "path", "", "derived", why, (number,))
    source = (
        f"the shortest round trip, {time_text(floor_s)}, packet {number}, less {time_text(own_s)} "
        "that its packets take on the path's line"
    )
    yield timed("rtt", at.rtt_s, "derived", source, (number,), high_s=floor_s)


def _queue(transfer: Transfer, at: Link, queued: float) -> Iterator[Finding]:
    """What waited before the line, at most; with losses at that length it is the queue's."""
    answers = transfer.answers
    if not answers.clean.any() or queued < QUEUE_MATTERS:
        return
    waited_s = np.where(answers.clean, answers.since_last_s, 0.0)
    longest = int(np.argmax(waited_s))
    more_s = float(waited_s[longest]) - at.rtt_s - at.frame_s(transfer, transfer.mss_B)
    packet_B = transfer.mss_B + transfer.header_B
    packets = max(round(more_s * at.rate_bps / 8 / packet_B), 1)
    number = int(transfer.number[answers.row[longest]])
    again = transfer.is_again.any() and _queue_drops(transfer, at)
    source = (
        f"the longest round trip, packet {number}, is {time_text(more_s)} above the shortest: "
        f"{packets} packets of {packet_B} B at the path's rate"
    )
    if again:
        yield Finding("path_queue", f"{packets}p", "", "derived", source, (number,))
        return
    more = "; nothing was lost, so the queue held at least that"
    value = f"{max(2 * packets, 100)}p"
    yield Finding("path_queue", value, "", "bound", source + more, (number,), low=packets)


def _queue_drops(transfer: Transfer, at: Link) -> bool:
    """Whether most of what was lost was lost by a queue that was full: one that drops the last to
    come has by then nearly the longest wait that any packet had before that line."""
    track = Track(transfer.connection, transfer.sender_is_client)
    lost = transfer.lost_rows
    out = np.flatnonzero(track.out)
    if not len(lost):
        return False
    waits = queued_ns(track, at.rate_bps / 8, out)
    longest = waits[~np.isin(out, lost)].max(initial=0)
    own = waits[np.searchsorted(out, lost)]
    return float(np.mean(own >= FULL_QUEUE * longest)) > 0.5


def _losses(transfer: Transfer, at: Link, queued: float) -> Iterator[Finding]:
    """Where packets were sent again: each one lost, or the share of all."""
    lost = transfer.lost_rows
    if not len(lost):
        return
    numbers = transfer.number[lost]
    told = f"sent again: what {named(numbers)} carried"
    if at.is_path and queued >= QUEUE_MATTERS and _queue_drops(transfer, at):
        return  # by itself
    if at.is_path and len(lost) <= MOST_LISTED:
        own = np.flatnonzero(transfer.is_sent)
        counts = np.searchsorted(own, lost) + 1
        source = f"{told}; counted from the sender's first packet on"
        value = ",".join(str(int(count)) for count in counts)
        yield Finding("path_lost_packets", value, "", "derived", source, some(numbers))
        return
    part = len(lost) / len(transfer.sent_rows)
    source = f"{told}, {len(lost):,} of {len(transfer.sent_rows):,} segments"
    key = "path_loss" if at.is_path else "loss_to_device"
    value = float(f"{part:.4g}")
    yield Finding(key, value, "1", "derived", source, some(numbers))
