# SPDX-License-Identifier: GPL-2.0-only
"""Numbers of lost packets as a run counts them: on the line from the sender, its SYN being 1. In a
run the sender is the client, and repeats each SYN that was lost."""

from bisect import bisect_left, bisect_right

import numpy as np

from study.captures.connection import SYN
from study.diagnosis.transfer import Transfer

HANDSHAKE = 2  # packets of the client before its data: SYN and ACK
REORDERING = 0.25  # of the round trip: what comes later behind a successor was lost (RFC 8985, 6.2)


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


def numbers_behind(transfer: Transfer, mss_B: int, lost_syns: int, rtt_s: float) -> list[int]:
    """Return those that were lost ahead of the capture: what came so much later than its successors
    that it was sent again. A retransmission that was lost, too, is not seen there."""
    rows, p = transfer.sent_rows, transfer.packets
    late = repairs_behind(transfer, rtt_s)
    if not len(late):
        return []
    seq, time_s = p["seq"][rows], transfer.time_s
    begin = int(seq.min())
    # It was sent when its successor was, ahead of which some others had been sent again.
    ends = np.maximum.accumulate(seq + p["length"][rows])
    sent_s = time_s[rows[np.searchsorted(ends, p["seq"][late], side="right")]]
    again = np.setdiff1d(rows[transfer.is_again], overtaken(transfer, rtt_s))
    ahead = np.searchsorted(np.sort(time_s[again]), sent_s)
    first = (p["seq"][late] - begin) // mss_B
    number = np.sort(first + ahead + 1 + HANDSHAKE + lost_syns)
    place = np.arange(len(number))
    return (np.maximum.accumulate(number - place) + place).tolist()  # no two are the same


def repairs_behind(transfer: Transfer, rtt_s: float) -> np.ndarray:
    """Return the places of the packets that filled a hole in what was captured before, later than
    packets overtake each other."""
    rows, late_s = _fills(transfer)
    return rows[late_s > REORDERING * rtt_s]


def overtaken(transfer: Transfer, rtt_s: float) -> np.ndarray:
    """Return the places of the others: they came late, and were not sent again."""
    rows, late_s = _fills(transfer)
    return rows[late_s <= REORDERING * rtt_s]


def _fills(transfer: Transfer) -> tuple[np.ndarray, np.ndarray]:
    """Return the places of the packets that filled a hole, and how long it had been there."""
    rows, p = transfer.sent_rows, transfer.packets
    begins, ends = p["seq"][rows].tolist(), (p["seq"][rows] + p["length"][rows]).tolist()
    lows: list[int] = []  # of each hole, in order
    highs: list[int] = []
    opened: list[int] = []  # by which row
    found, late_s, high = [], [], begins[0] if begins else 0
    for row, begin, end in zip(rows.tolist(), begins, ends, strict=True):
        if begin > high:
            lows.append(high)
            highs.append(begin)
            opened.append(row)
        elif begin < high and highs and begin < highs[-1]:
            first, last = bisect_right(highs, begin), bisect_left(lows, end)
            if first < last:
                found.append(row)
                late_s.append(transfer.time_s[row] - transfer.time_s[opened[first]])
                parts = [
                    (lows[first], begin, opened[first]),
                    (end, highs[last - 1], opened[last - 1]),
                ]
                parts = [each for each in parts if each[0] < each[1]]
                for held, place in ((lows, 0), (highs, 1), (opened, 2)):
                    held[first:last] = [each[place] for each in parts]
        high = max(high, end)
    return np.array(found, dtype=np.int64), np.array(late_s)
