# SPDX-License-Identifier: GPL-2.0-only
"""Damages that captures have in practice, done to one whose cause is known: a part of it is
missing, or its clock is wrong. The cause stays what it was."""

import random
import struct
from collections.abc import Callable
from typing import NamedTuple

from study.captures.connection import FIN, SYN
from study.kernel.capture import ACK, network_B

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


Records = list[Record]


def damaged(pcap: bytes, damage: str) -> bytes:
    """Return a capture, as `study.kernel.ends` writes it, with one of the damages."""
    records, place = [], HEAD_B
    while place < len(pcap):
        seconds, rest, kept, size = struct.unpack_from(RECORD, pcap, place)
        place += RECORD_B
        records.append(Record(seconds * SECOND_NS + rest, size, pcap[place : place + kept]))
        place += kept
    parts = [pcap[:HEAD_B]]
    for each in DAMAGES[damage](records):
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
    return lambda records: [
        each._replace(time_ns=each.time_ns // tick_ns * tick_ns) for each in records
    ]


def _jump(by_ns: int) -> Callable[[Records], Records]:
    """From the middle on."""

    def later(records: Records) -> Records:
        middle = len(records) // 2
        begun = max(-by_ns, 0)
        return [
            each._replace(time_ns=each.time_ns + begun + by_ns * (place >= middle))
            for place, each in enumerate(records)
        ]

    return later


def _late_fin(records: Records) -> Records:
    """Both ends have nothing to say for some time before they close."""
    first = next(place for place, each in enumerate(records) if each.flags & FIN)
    return [
        each._replace(time_ns=each.time_ns + 5 * SECOND_NS * (place >= first))
        for place, each in enumerate(records)
    ]


# What was done to a capture, in words, and how.
DAMAGES: dict[str, Callable[[Records], Records]] = {
    "none": list,
    "no SYN": _without(SYN),
    "no SYN-ACK": _without(SYN | ACK),
    "begins in the middle": _from(0.3),
    "2 % lost by the capture": _lost(0.02),
    "10 % lost by the capture": _lost(0.1),
    "50 % lost by the capture": _lost(0.5),
    "one direction: the client's": _one_direction(True),
    "one direction: the server's": _one_direction(False),
    "the clock jumps by an hour": _jump(3600 * SECOND_NS),
    "the clock goes back by 5 s": _jump(-5 * SECOND_NS),
    "the clock ticks in seconds": _ticks(SECOND_NS),
    "closed 5 s later": _late_fin,
}
