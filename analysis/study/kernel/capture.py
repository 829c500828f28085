# SPDX-License-Identifier: GPL-2.0-only
"""Packets of a transfer as the wire saw them, decoded, and the quantities read off them."""

import csv
import io
import struct
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16
TCP, IPV6_B = 6, 40  # the protocol's number, and a header's size
# Number of packets of each transfer that are stored, in the order at the client's end.
KEPT = 50


class Segment(NamedTuple):
    """A TCP packet. Times are in seconds from the client's SYN."""

    from_client: bool
    fate: str
    entered_s: float
    late_s: float
    arrived_s: float
    size_B: int
    payload_B: int
    sequence: int
    acknowledged: int
    window_B: int
    flags: int


@dataclass(frozen=True)
class Capture:
    """A transfer's packets in both directions, each in the order in which it entered the wire."""

    segments: tuple[Segment, ...]

    @property
    def to_server(self) -> list[Segment]:
        return [each for each in self.segments if each.from_client]

    @property
    def to_client(self) -> list[Segment]:
        return [each for each in self.segments if not each.from_client]

    @property
    def duration_s(self) -> float:
        """Time from the client's SYN to the last byte of the last reply."""
        data = [each for each in self.to_client if each.payload_B and each.fate == "arrived"]
        last = max(each.sequence + each.payload_B for each in data)
        return min(each.arrived_s for each in data if each.sequence + each.payload_B == last)

    @property
    def lateness_s(self) -> float:
        """The 99th percentile of the wire's lateness when it delivers a packet, in seconds."""
        late = sorted(each.late_s for each in self.segments if each.fate == "arrived")
        return late[min(len(late) - 1, int(0.99 * len(late)))]

    @property
    def seen_by_client(self) -> list[Segment]:
        """The packets in the order at the client's end: sent ones when they enter the wire,
        received ones when they are delivered."""
        seen = [each for each in self.segments if each.from_client or each.fate == "arrived"]
        return sorted(seen, key=lambda each: each.entered_s if each.from_client else each.arrived_s)

    def largest_outstanding_B(self, from_client: bool) -> int:
        """Return the most bytes that one end had in flight, by the ACKs that it had received."""
        acknowledged, sent, largest = 0, 0, 0
        for _, is_ack, value in sorted(self._of_sender(from_client)):
            if is_ack:
                acknowledged = max(acknowledged, value)
            else:
                sent = max(sent, value)
            largest = max(largest, sent - acknowledged) if acknowledged else 0
        return largest

    def _of_sender(self, from_client: bool) -> Iterator[tuple[float, bool, int]]:
        for each in self.segments:
            if each.from_client == from_client:
                yield each.entered_s, False, each.sequence + each.payload_B
            elif each.fate == "arrived" and each.flags & ACK:
                yield each.arrived_s, True, each.acknowledged

    def resent(self, from_client: bool) -> int:
        """Return the number of data segments that begin below the highest byte sent before."""
        count, sent = 0, 0
        for each in self.segments:
            if each.from_client == from_client and each.payload_B:
                count += each.sequence < sent
                sent = max(sent, each.sequence + each.payload_B)
        return count

    def largest_window_B(self, from_client: bool) -> int:
        """Return the largest window that this end advertised, in its SYN or later."""
        own = (each.window_B for each in self.segments if each.from_client == from_client)
        return max(own, default=0)

    def usual_window_B(self, from_client: bool) -> int:
        """Return the window that most of this end's segments announce, without its SYN."""
        own = [
            each.window_B
            for each in self.segments
            if each.from_client == from_client and not each.flags & SYN
        ]
        return Counter(own).most_common(1)[0][0]

    def fated(self, fate: str) -> int:
        """Return the number of packets in both directions with this fate."""
        return sum(each.fate == fate for each in self.segments)

    @property
    def pattern(self) -> str:
        """The first packets as text, up to the last data of the replies."""
        seen = [
            word(each.from_client, bool(each.flags & SYN), each.payload_B)
            for each in self.seen_by_client
        ]
        return folded(first_words(seen))


def first_words(seen: list[str]) -> list[str]:
    """Return the packets to store: none after the last data of the replies, when the transfer is
    over."""
    replies = [place for place, each in enumerate(seen) if each[0] == "<" and each[1:].strip("S0")]
    return seen[: min(KEPT, max(replies, default=-1) + 1)]


def word(from_client: bool, is_syn: bool, payload_B: int) -> str:
    """Return a packet as text: `>` from the client or `<` to it, S for a SYN, and its payload."""
    return f"{'>' if from_client else '<'}{'S' * is_syn}{payload_B}"


def folded(words: Iterable[str]) -> str:
    """Return the packets with repetitions written once: `>1448*10 <0`."""
    runs: list[list] = []
    for each in words:
        if runs and runs[-1][0] == each:
            runs[-1][1] += 1
        else:
            runs.append([each, 1])
    return " ".join(each if count == 1 else f"{each}*{count}" for each, count in runs)


def read(text: str) -> Capture:
    """Return the transfer of a wire's table, with sequence numbers relative to each end's first."""
    rows = [row for row in csv.DictReader(io.StringIO(text)) if _is_tcp(row["headers"])]
    start = min(int(row["entered_ns"]) for row in rows)
    first = {row["way"]: struct.unpack_from("!I", _tcp(row), 4)[0] for row in reversed(rows)}
    scales: dict[str, int] = {}
    for row in rows:
        scale = window_scale(_tcp(row))
        if scale is not None:
            scales[row["way"]] = scale
    segments = [_segment(row, start, first, scales if len(scales) == 2 else {}) for row in rows]
    return Capture(tuple(sorted(segments, key=lambda each: each.entered_s)))


def network_B(octets: bytes) -> int:
    """Return the length of an IP header; IPv6's has no options of its own (RFC 8200, 3)."""
    return IPV6_B if octets[0] >> 4 == 6 else (octets[0] & 15) * 4


def _is_tcp(headers: str) -> bool:
    octets = bytes.fromhex(headers)
    return octets[6 if octets[0] >> 4 == 6 else 9] == TCP


def _tcp(row: dict[str, str]) -> bytes:
    octets = bytes.fromhex(row["headers"])
    return octets[network_B(octets) :]


def _segment(
    row: dict[str, str], start: int, first: dict[str, int], scales: dict[str, int]
) -> Segment:
    octets, tcp = bytes.fromhex(row["headers"]), _tcp(row)
    sequence, acknowledged, offset, flags, window = struct.unpack_from("!IIBBH", tcp, 4)
    other = "b" if row["way"] == "a" else "a"
    size = int(row["size_B"])
    scale = 0 if flags & SYN else scales.get(row["way"], 0)
    return Segment(
        from_client=row["way"] == "a",
        fate=row["fate"],
        entered_s=(int(row["entered_ns"]) - start) / 1e9,
        late_s=(int(row["handed_over_ns"]) - int(row["due_ns"])) / 1e9,
        arrived_s=(int(row["handed_over_ns"]) - start) / 1e9,
        size_B=size,
        payload_B=size - network_B(octets) - (offset >> 4) * 4,
        sequence=(sequence - first[row["way"]]) % 2**32,
        acknowledged=(acknowledged - first.get(other, 0)) % 2**32,
        window_B=window << scale,
        flags=flags,
    )


def window_scale(tcp: bytes) -> int | None:
    """Return the window scale in a SYN (RFC 7323, 2.2); None in another segment, or without it."""
    if not tcp[13] & SYN:
        return None
    at = 20
    while at < min((tcp[12] >> 4) * 4, len(tcp)) and tcp[at] != 0:
        if tcp[at] == 3:
            return tcp[at + 2]
        at += 1 if tcp[at] == 1 else tcp[at + 1]
    return None
