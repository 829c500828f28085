# SPDX-License-Identifier: GPL-2.0-only
"""Numbers of lost packets as a run counts them: on the line from the sender, its SYN being 1. In a
run the sender is the client, and repeats each SYN that was lost."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

import numpy as np

from study.captures.connection import SYN
from study.diagnosis.transfer import Transfer

HANDSHAKE = 2  # packets of the client before its data: SYN and ACK
REORDERING = 0.25  # of the round trip: what comes later behind a successor was lost (RFC 8985, 6.2)


@dataclass(frozen=True)
class Fills:
    """Packets that filled a hole in what was captured before, as places."""

    repairs: np.ndarray  # later than packets overtake each other: they were sent again
    overtaken: np.ndarray  # the others


def numbers_seen(transfer: Transfer, mss_B: int, lost_syns: int) -> list[int]:
    """Return those that are in the capture, and were retransmitted."""
    lost = transfer.lost_rows
    if not len(lost):
        return []
    sent = np.flatnonzero(transfer.is_sent)
    own = int((transfer.flagged(SYN) & transfer.is_sent).sum())
    ahead = lost_syns + 1 - own if own else HANDSHAKE
    # A segment that is handed down in one piece is several packets on the line.
    length = transfer.packets["length"][sent]
    pieces = np.maximum(-(-length // mss_B), 1)
    number = np.cumsum(pieces) - pieces + 1 + ahead
    place = np.searchsorted(sent, lost)
    return sorted(set(number[place].tolist()))


def numbers_behind(transfer: Transfer, mss_B: int, lost_syns: int, fills: Fills) -> list[int]:
    """Return those that were lost ahead of the capture, and sent again. A retransmission that was
    lost as well is not seen there."""
    rows, p = transfer.sent_rows, transfer.packets
    late = fills.repairs
    if not len(late):
        return []
    seq, time_s = p["seq"][rows], transfer.time_s
    begin = int(seq.min())
    # It was sent when its successor was, ahead of which some others had been sent again.
    ends = np.maximum.accumulate(seq + p["length"][rows])
    sent_s = time_s[rows[np.searchsorted(ends, p["seq"][late], side="right")]]
    again = np.setdiff1d(rows[transfer.is_again], fills.overtaken)
    ahead = np.searchsorted(np.sort(time_s[again]), sent_s)
    first = (p["seq"][late] - begin) // mss_B
    number = np.sort(first + ahead + 1 + HANDSHAKE + lost_syns)
    place = np.arange(len(number))
    return (np.maximum.accumulate(number - place) + place).tolist()  # no two are the same


def fills_of(transfer: Transfer, rtt_s: float) -> Fills:
    """Return the packets that filled a hole in what was captured before them."""
    rows, p, time_s = transfer.sent_rows, transfer.packets, transfer.time_s
    begin, end = p["seq"][rows], p["seq"][rows] + p["length"][rows]
    high = np.concatenate((begin[:1], np.maximum.accumulate(end)[:-1]))
    lows: list[int] = []  # of each hole, in order
    highs: list[int] = []
    opened: list[int] = []  # by which row
    found: dict[bool, list[int]] = {True: [], False: []}  # whether it came too late
    for place in np.flatnonzero(begin != high).tolist():
        row, low, top = int(rows[place]), int(begin[place]), int(end[place])
        if low > high[place]:
            lows.append(int(high[place]))
            highs.append(low)
            opened.append(row)
            continue
        first, last = bisect_right(highs, low), bisect_left(lows, top)
        if first < last:
            found[bool(time_s[row] - time_s[opened[first]] > REORDERING * rtt_s)].append(row)
            before = lows[first], low, opened[first]
            behind = top, highs[last - 1], opened[last - 1]
            rest = [each for each in (before, behind) if each[0] < each[1]]
            for held, part in ((lows, 0), (highs, 1), (opened, 2)):
                held[first:last] = [each[part] for each in rest]
    return Fills(*(np.array(found[late], dtype=np.int64) for late in (True, False)))
