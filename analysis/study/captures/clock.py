# SPDX-License-Identifier: GPL-2.0-only
"""A capture's clock: packets that were written out of order, stamps that jump back, and how fine
the stamps are."""

from dataclasses import dataclass

import numpy as np

from study.captures.growing import pieces

MS = 1_000_000
# A packet that was written late is followed at once by packets in order; after a clock jump the
# stamps continue from where they jumped to.
NEXT_ROWS = 4
MOST_JUMPS = 10  # for one clock; a file with more is made of several captures
FEW_PACKETS = 5  # with fewer, a common divisor of the stamps is chance


# A gap of this length that is AHEAD times the gap in the senders' timestamps.
LEAST_AHEAD_NS, AHEAD = 1000 * MS, 10


@dataclass(frozen=True)
class Jump:
    """A jump of the clock, back by `back_ns`, or ahead if that is negative."""

    row: int  # index of the first packet after it
    back_ns: int


def jumps_back(time_ns: np.ndarray) -> list[Jump]:
    """Return the jumps back of the clock, without packets written out of order."""
    found: list[Jump] = []
    start = 0
    highest = np.maximum.accumulate(time_ns) if len(time_ns) else time_ns
    for row in np.flatnonzero(np.diff(time_ns) < 0) + 1:
        before = int(highest[row - 1])
        back_ns = before - int(time_ns[row])
        late = (time_ns[row : row + NEXT_ROWS + 1] >= before).any()
        if back_ns < MS or (late and back_ns < 1000 * MS):
            continue
        found.append(Jump(int(row), back_ns))
        if len(found) > MOST_JUMPS:
            return []
        start = int(row)
        highest[start:] = np.maximum.accumulate(time_ns[start:])
    return found


def jumps_ahead(time_ns: np.ndarray, from_client: np.ndarray, stamps: np.ndarray) -> list[Jump]:
    """Return the jumps ahead of the capture's clock, by the packets' timestamps (RFC 7323; -1 for
    none): the sender's own clock, in its own ticks, did not jump."""
    found: list[Jump] = []
    for row in (np.flatnonzero(np.diff(time_ns) > LEAST_AHEAD_NS) + 1).tolist():
        own = np.flatnonzero((from_client == from_client[row]) & (stamps >= 0))
        place = int(np.searchsorted(own, row))
        counted, took = np.diff(stamps[own]) % 2**32, np.diff(time_ns[own])
        known = (counted > 0) & (took > 0)
        if not 0 < place < len(own) or own[place] != row or known.sum() < FEW_PACKETS:
            continue
        tick_ns = float(np.median(took[known] / counted[known]))
        own_ns = round(float(counted[place - 1]) * tick_ns)
        if took[place - 1] > AHEAD * own_ns + LEAST_AHEAD_NS:
            found.append(Jump(row, own_ns - int(took[place - 1])))
    return found


def straightened(time_ns: np.ndarray, jumps: list[Jump]) -> np.ndarray:
    """Return the stamps with each jump counted as no time."""
    if not jumps:
        return time_ns
    added = np.zeros(len(time_ns), np.int64)
    for jump in jumps:
        added[jump.row] += jump.back_ns
    return time_ns + np.cumsum(added)


def tick_ns(time_ns: np.ndarray, told_ns: int) -> int:
    """Return the time between two ticks of the clock in ns, if it is a millisecond or more; else
    `told_ns`, the file format's resolution."""
    common = count = 0
    for piece in pieces(len(time_ns)):
        steps = np.diff(time_ns[max(piece.start - 1, 0) : piece.stop])
        steps = steps[steps > 0]
        count += len(steps)
        common = int(np.gcd(common, np.gcd.reduce(steps))) if len(steps) else common
        if 0 < common < MS:
            return told_ns
    return common if len(time_ns) >= FEW_PACKETS and count >= 2 else told_ns
