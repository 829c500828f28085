# SPDX-License-Identifier: GPL-2.0-only
"""Numbers of lost packets as a run counts them: on the line from the sender, its SYN being 1. In a
run the sender is the client, and repeats each SYN that was lost."""

import numpy as np

from study.captures.connection import SYN
from study.diagnosis.transfer import Transfer

HANDSHAKE = 2  # packets of the client before its data: SYN and ACK


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


def numbers_behind(transfer: Transfer, mss_B: int, lost_syns: int) -> list[int]:
    """Return those that were lost ahead of the capture: the places, among all that was sent, of
    what came later than its successors."""
    p = transfer.packets
    rows = transfer.sent_rows
    ends = p["seq"][rows] + p["length"][rows]
    before = np.concatenate(([0], np.maximum.accumulate(ends)[:-1]))
    late = np.flatnonzero((p["seq"][rows] < before) & ~transfer.is_again)
    if not len(late):
        return []
    begin = int(p["seq"][rows].min())
    first = (p["seq"][rows[late]] - begin) // mss_B
    return sorted(set((first + 1 + HANDSHAKE + lost_syns + np.arange(len(late))).tolist()))
