# SPDX-License-Identifier: GPL-2.0-only
"""Seconds lost by each connection of a capture, without unwrapping its numbers: the time in which
something in flight was not acknowledged or a window was shut. Where nothing is missing at the place
of the capture, data may still be on the path for a round trip; the rest is a program's pause."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from study.captures.connection import ACK, FIN, RST, SYN, Connection
from study.captures.growing import CHUNK_ROWS, let_go
from study.captures.sequence_numbers import forward

# Rows of one connection in the order of time: a slice if they are consecutive.
Rows = slice | np.ndarray
NAMES = ("time_ns", "source", "flags", "seq", "ack", "length", "window")


def lost_ns(columns: Mapping[str, np.ndarray], groups: Sequence[Rows]) -> np.ndarray:
    """Return the time in ns that each connection lost. Long captures are processed in parts; data
    in flight at a part's beginning counts from the next packet on."""
    found, round_trip = np.zeros(len(groups), np.int64), np.zeros(len(groups), np.int64)
    for group, rows in _parts(groups):
        part = {name: columns[name][rows] for name in NAMES}
        _handshakes(part, group, round_trip)
        gap = np.where(group[1:] == group[:-1], np.diff(part["time_ns"]), 0)
        lost = np.where(_waits(part, group)[:-1], gap, np.minimum(gap, round_trip[group[:-1]]))
        found += np.bincount(group[:-1], lost, minlength=len(groups)).astype(np.int64)
    return found


def lost_s(connection: Connection) -> float:
    """Return the time in seconds that one connection lost."""
    packets = connection.packets
    columns = {name: packets[name] for name in NAMES if name != "source"}
    columns["source"] = packets["from_client"]
    (lost,) = lost_ns(columns, [slice(0, len(packets))])
    let_go(packets)
    return lost / 1e9


def slowest_first(lost: np.ndarray, payload_B: np.ndarray) -> np.ndarray:
    """Return the order of connections: most time lost first, then most bytes; those without data
    last."""
    return np.lexsort((-payload_B, -lost, payload_B == 0))


def _parts(groups: Sequence[Rows]) -> Iterator[tuple[np.ndarray, Rows]]:
    """Yield some rows with each row's group number."""
    numbers: list[int] = []
    rows: list[np.ndarray] = []
    held = 0
    for number, group in enumerate(groups):
        if isinstance(group, slice):
            group = np.arange(group.start, group.stop)
        for begin in range(0, len(group), CHUNK_ROWS):
            rows.append(group[begin : begin + CHUNK_ROWS])
            numbers.append(number)
            held += len(rows[-1])
            if held >= CHUNK_ROWS:
                yield _joined(numbers, rows)
                numbers, rows, held = [], [], 0
    if rows:
        yield _joined(numbers, rows)


def _joined(numbers: list[int], rows: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    return np.repeat(numbers, [len(each) for each in rows]), np.concatenate(rows)


def _handshakes(part: dict[str, np.ndarray], group: np.ndarray, found: np.ndarray) -> None:
    """Store the time from the SYN to the ACK after the SYN-ACK, if the three are successive."""
    opens = part["flags"] & (SYN | ACK)
    middle = 1 + np.flatnonzero(opens[1:-1] == SYN | ACK)
    middle = middle[(opens[middle - 1] == SYN) & (group[middle - 1] == group[middle + 1])]
    found[group[middle]] = part["time_ns"][middle + 1] - part["time_ns"][middle - 1]


def _waits(part: dict[str, np.ndarray], group: np.ndarray) -> np.ndarray:
    """Return for each packet whether an end waits for something after it."""
    place = np.arange(len(group))
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    begun = np.repeat(starts, np.diff(np.append(starts, len(group))))
    flags = part["flags"]
    first_end = part["source"] == part["source"][begun]
    control = ((flags & SYN) > 0).astype(np.uint32) + ((flags & FIN) > 0)
    end = part["seq"].astype(np.uint32) + part["length"].astype(np.uint32) + control
    waits = np.zeros(len(group), bool)
    for own in (first_end, ~first_end):
        sent = np.maximum.accumulate(np.where(own, place, -1))
        heard = np.maximum.accumulate(np.where(~own & (flags & ACK > 0), place, -1))
        is_sent, is_heard = sent >= begun, heard >= begun
        missing = forward(end[sent], part["ack"][heard]) > 0
        # Before anything is received, only a SYN is known to be waited for.
        asks = is_sent & ~is_heard & (flags[sent] & SYN > 0)
        shut = is_heard & (part["window"][heard] == 0) & (flags[heard] & (SYN | FIN | RST) == 0)
        waits |= (is_sent & is_heard & missing) | asks | shut
    return waits & (flags & RST == 0)
