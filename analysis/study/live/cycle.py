# SPDX-License-Identifier: GPL-2.0-only
"""The cycle that a slow transfer repeats: from ACK to ACK, where each carries the same."""

import numpy as np

from study.diagnosis.transfer import Transfer

LEAST = 3
MOST_OF_THEM = 0.5
LONGEST, MATCHED_SHARE = 8, 0.9  # ACKs in a cycle; fraction of steps that must repeat
SPREAD = 0.2  # largest spread of the middle half of the cycles, relative to the median


def steady_cycle_s(transfer: Transfer) -> float | None:
    """Return the steady cycle's time in seconds, or None unless most of the transfer has cycles of
    one size and time."""
    answers = transfer.answers
    pure = ~answers.carries_data
    if pure.sum() < LEAST:
        return None
    rows, times, acks = answers.row[pure], answers.time_s[pure], answers.ack[pure]
    steps_B, steps_s = np.diff(acks), np.diff(times)
    together = transfer.region[rows[1:]] == transfer.region[rows[:-1]]
    turn = _turn(steps_B) if together.all() else 1
    if turn > 1:
        rows, acks, times = rows[::turn], acks[::turn], times[::turn]
        steps_B, steps_s = np.diff(acks), np.diff(times)
        together = np.ones(len(steps_B), bool)
    sizes, counts = np.unique(steps_B[together], return_counts=True)
    if not len(sizes):
        return None
    usual_B = int(sizes[np.argmax(counts)])
    chosen = together & (steps_B == usual_B)
    if chosen.sum() < min(LEAST, together.sum()) or chosen.sum() < MOST_OF_THEM * together.sum():
        return None
    low, middle, high = (float(each) for each in np.percentile(steps_s[chosen], [25, 50, 75]))
    if middle <= 0 or high - low > SPREAD * middle:
        return None
    return middle


def _turn(steps_B: np.ndarray) -> int:
    """Return the number of ACKs in a cycle: the smallest period of the acknowledged sizes, such as
    2 if a window is acknowledged in two parts."""
    for turn in range(1, min(LONGEST, len(steps_B) // LEAST) + 1):
        if np.mean(steps_B[turn:] == steps_B[:-turn]) >= MATCHED_SHARE:
            return turn
    return 1
