# SPDX-License-Identifier: GPL-2.0-only
"""Numbers of lost packets as a run counts them: on the line from the sender, its SYN being 1. In a
run the sender is the client, and repeats each SYN that was lost."""

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
    that it was sent again."""
    rows, p = transfer.sent_rows, transfer.packets
    late = repairs_behind(transfer, rtt_s)
    if not len(late):
        return []
    seq, time_s = p["seq"][rows], transfer.time_s
    begin = int(seq.min())
    # It was sent when its successor was, ahead of which some others had been sent again.
    ends = np.maximum.accumulate(seq + p["length"][rows])
    sent_s = time_s[rows[np.searchsorted(ends, p["seq"][late], side="right")]]
    ahead = np.searchsorted(np.sort(time_s[late]), sent_s)
    first = (p["seq"][late] - begin) // mss_B
    number = np.sort(first + ahead + 1 + HANDSHAKE + lost_syns)
    place = np.arange(len(number))
    return (np.maximum.accumulate(number - place) + place).tolist()  # no two are the same


def repairs_behind(transfer: Transfer, rtt_s: float) -> np.ndarray:
    """Return the places of the packets that filled a hole in what was captured before, later than
    packets overtake each other."""
    rows, p = transfer.sent_rows, transfer.packets
    begins, ends = p["seq"][rows].tolist(), (p["seq"][rows] + p["length"][rows]).tolist()
    holes: list[tuple[int, int, int]] = []  # begin, end and the row behind it, in order
    found, high = [], begins[0] if begins else 0
    for row, begin, end in zip(rows.tolist(), begins, ends, strict=True):
        if begin > high:
            holes.append((high, begin, row))
        elif begin < high and holes and begin < holes[-1][1]:
            filled = [each for each in holes if each[0] < end and begin < each[1]]
            if filled and transfer.time_s[row] - transfer.time_s[filled[0][2]] > REORDERING * rtt_s:
                found.append(row)
            holes = [each for hole in holes for each in _without(hole, begin, end)]
        high = max(high, end)
    return np.array(found, dtype=np.int64)


def _without(hole: tuple[int, int, int], begin: int, end: int) -> list[tuple[int, int, int]]:
    """Return what is left of a hole."""
    low, high, row = hole
    parts = [(low, min(high, begin), row), (max(low, end), high, row)]
    return [each for each in parts if each[0] < each[1]]
