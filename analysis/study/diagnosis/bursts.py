# SPDX-License-Identifier: GPL-2.0-only
"""Writes of a program, as far as waits between packets show them."""

from dataclasses import dataclass

import numpy as np

from study.diagnosis.transfer import Transfer


@dataclass(frozen=True)
class Bursts:
    """Writes of a program, as far as they show: data that follow each other, behind waits that no
    packet of the peer ended."""

    size_B: float  # the median
    every_s: float  # from one to the next, the median
    waits_s: float  # all the time before those
    share: float  # of all the time between data segments, spent in waits that no ACK ended
    rows: np.ndarray  # packets that begin one

    @classmethod
    def of(cls, transfer: Transfer, mss_B: int, soon_s: float) -> "Bursts":
        """Find them in the sender's own time, whose host reacts as soon as that."""
        p, time_s = transfer.packets, transfer.time_s
        pieces = transfer.pieces
        rows = pieces.row
        if len(rows) < 3:
            return cls(float(mss_B), 0.0, 0.0, 0.0, rows[:0])
        heard = np.where(~transfer.is_sent, np.arange(len(p)), -1)
        last = np.maximum.accumulate(heard)[rows]
        since = np.where(last >= 0, time_s[rows] - time_s[np.maximum(last, 0)], np.inf)
        gap = np.diff(time_s[rows], prepend=time_s[rows[0]])
        own = (gap > soon_s) & (since > soon_s)
        own[0] = False
        begin = np.flatnonzero(own)
        whole = float(gap.sum())
        if len(begin) < 2 or whole <= 0:
            return cls(float(mss_B), 0.0, 0.0, 0.0, rows[begin])
        starts = np.concatenate(([0], begin))
        sizes = np.add.reduceat(pieces.length, starts)
        every = np.diff(time_s[rows[begin]])
        waits = float(gap[own].sum())
        return cls(
            float(np.median(sizes)), float(np.median(every)), waits, waits / whole, rows[begin]
        )
