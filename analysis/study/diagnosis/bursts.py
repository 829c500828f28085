# SPDX-License-Identifier: GPL-2.0-only
"""Writes of a program, as far as waits between packets show them."""

from dataclasses import dataclass

import numpy as np

from study.diagnosis.transfer import Transfer


@dataclass(frozen=True)
class Bursts:
    """Writes of a program, as far as they show: data that follow each other, behind waits that no
    packet of the peer ended."""

    size_B: float = 0.0  # the median
    every_s: float = 0.0  # from one to the next, the median
    share: float = 0.0  # of all the time between data segments, spent in waits that no ACK ended

    @classmethod
    def of(cls, transfer: Transfer, soon_s: float) -> "Bursts":
        """Find them in the sender's own time, whose host reacts as soon as that."""
        pieces, time_s = transfer.pieces, transfer.time_s
        rows = pieces.row
        if len(rows) < 3:
            return cls()
        heard = np.where(~transfer.is_sent, np.arange(len(time_s)), -1)
        last = np.maximum.accumulate(heard)[rows]
        since = np.where(last >= 0, time_s[rows] - time_s[np.maximum(last, 0)], np.inf)
        gap = np.diff(time_s[rows], prepend=time_s[rows[0]])
        own = (gap > soon_s) & (since > soon_s)
        own[0] = False
        begin = np.flatnonzero(own)
        whole = float(gap.sum())
        if len(begin) < 2 or whole <= 0:
            return cls()
        sizes = np.add.reduceat(pieces.length, np.concatenate(([0], begin)))
        every = np.diff(time_s[rows[begin]])
        return cls(float(np.median(sizes)), float(np.median(every)), float(gap[own].sum()) / whole)
