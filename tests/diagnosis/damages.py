# SPDX-License-Identifier: GPL-2.0-only
"""Damages that captures have in practice, done to one whose cause is known: a part of it is
missing, or its clock is wrong. The cause stays what it was."""

import random
import struct
from collections.abc import Callable
from typing import NamedTuple

from study.captures.connection import ACK, FIN, SYN
from study.kernel.capture import network_B

HEAD_B = 24  # of a pcap file
RECORD = "<IIII"
RECORD_B = struct.calcsize(RECORD)
SECOND_NS = 10**9
SEED = 31  # of the packets that a capture lost
FLAGS = 13  # place in a TCP header


class Record(NamedTuple):
    """A packet of a capture."""

    time_ns: int
    size_B: int
    octets: bytes

    @property
    def flags(self) -> int:
        return self.octets[network_B(self.octets) + FLAGS]

    @property
    def source(self) -> bytes:
        """The port."""
        begin = network_B(self.octets)
        return self.octets[begin : begin + 2]

    def later(self, by_ns: int) -> "Record":
        return self._replace(time_ns=self.time_ns + by_ns)


Records = list[Record]


def records_of(pcap: bytes) -> Records:
    """Return the packets of a capture as `study.kernel.ends` writes it."""
    records, place = [], HEAD_B
    while place < len(pcap):
        seconds, rest, kept, size = struct.unpack_from(RECORD, pcap, place)
        place += RECORD_B
        records.append(Record(seconds * SECOND_NS + rest, size, pcap[place : place + kept]))
        place += kept
    return records


def pcap_of(head: bytes, records: Records) -> bytes:
    """Return packets as a capture again."""
    parts = [head[:HEAD_B]]
    for each in records:
        stamp = divmod(each.time_ns, SECOND_NS)
        parts += [struct.pack(RECORD, *stamp, len(each.octets), each.size_B), each.octets]
    return b"".join(parts)


def _without(flags: int) -> Callable[[Records], Records]:
    return lambda records: [each for each in records if each.flags & (SYN | ACK) != flags]


def _from(fraction: float) -> Callable[[Records], Records]:
    return lambda records: records[round(fraction * len(records)) :]


def _one_direction(of_client: bool) -> Callable[[Records], Records]:
    return lambda records: [
        each for each in records if (each.source == records[0].source) == of_client
    ]


def _lost(fraction: float) -> Callable[[Records], Records]:
    """Of the packets behind the handshake, by chance."""

    def some(records: Records) -> Records:
        chance = random.Random(SEED)
        return records[:3] + [each for each in records[3:] if chance.random() >= fraction]

    return some


def _ticks(tick_ns: int) -> Callable[[Records], Records]:
    return lambda records: [each.later(-(each.time_ns % tick_ns)) for each in records]


def _jump(by_ns: int) -> Callable[[Records], Records]:
    """From the middle on."""
    begun = max(-by_ns, 0)
    return lambda records: [
        each.later(begun + by_ns * (place >= len(records) // 2))
        for place, each in enumerate(records)
    ]


def _late_fin(records: Records) -> Records:
    """Both ends have nothing to say for some time before they close."""
    first = next(place for place, each in enumerate(records) if each.flags & FIN)
    return [each.later(5 * SECOND_NS * (place >= first)) for place, each in enumerate(records)]


def _twice(records: Records) -> Records:
    return [each.later(by_ns) for each in records for by_ns in (0, 3000)]


MISSED = "the capture missed packets"
ONE = "only one direction was captured"
# What was done to a capture, in words, and how; and what the diagnosis says of it.
DAMAGES: dict[str, tuple[Callable[[Records], Records], str]] = {
    "none": (list, "captured at: sender"),
    "no SYN": (_without(SYN), "the client's SYN was not captured"),
    "no SYN-ACK": (_without(SYN | ACK), "the server's SYN was not captured"),
    "begins in the middle": (_from(0.3), "no SYN was captured"),
    "2 % lost by the capture": (_lost(0.02), MISSED),
    "10 % lost by the capture": (_lost(0.1), MISSED),
    "50 % lost by the capture": (_lost(0.5), MISSED),
    "one direction: the client's": (_one_direction(True), ONE),
    "one direction: the server's": (_one_direction(False), ONE),
    "the clock jumps by an hour": (
        _jump(3600 * SECOND_NS), "the clock went ahead by 3,600 s before packet",
    ),
    "the clock goes back by 5 s": (_jump(-5 * SECOND_NS), "the clock went back"),
    "the clock ticks in seconds": (_ticks(SECOND_NS), "Nothing fits"),
    "the clock ticks in 10 ms": (_ticks(SECOND_NS // 100), "the clock ticked every 10 ms"),
    "closed 5 s later": (_late_fin, "captured at: sender"),
    "every packet twice": (_twice, "captured a second time"),
}  # fmt: skip
