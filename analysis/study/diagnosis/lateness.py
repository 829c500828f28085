# SPDX-License-Identifier: GPL-2.0-only
"""Waits in queues that a capture does not show itself, by the timestamps of packets (RFC 7323). All
return 0 where there are none."""

import numpy as np

from study.diagnosis.transfer import Transfer
from study.diagnosis.vantage import LEAST_SEEN, SOON_S

TICKS_S = (1e-6, 1e-3, 4e-3, 1e-2, 0.1)  # of a timestamp, of today's systems and of earlier ones
DRIFT = 1e-4  # of a clock against another


def return_queue_s(transfer: Transfer) -> float:
    """Return how much later than the least late one ACKs usually came to the sender."""
    answers = transfer.answers
    ticks = transfer.packets["ts_value"][answers.row]
    if len(ticks) < LEAST_SEEN or ticks.min() < 0:
        return 0.0
    return float(np.median(_late_s(answers.time_s, ticks)))


def own_queue_s(transfer: Transfer) -> float:
    """Return how long data usually waited between their timestamp and the capture at the sender: in
    a queue of that host, such as a shaper's. 0 where both clocks may have parted as far."""
    rows = transfer.data.row
    ticks = transfer.packets["ts_value"][rows]
    if len(ticks) < LEAST_SEEN or ticks.min() < 0:
        return 0.0
    time_s = transfer.time_s[rows]
    each_s = _late_s(time_s, ticks)
    # Stamped behind the last one that left, a packet met no queue: then the clocks parted.
    idle = np.diff(time_s, prepend=-np.inf) > each_s
    each_s = each_s - each_s[np.maximum.accumulate(np.where(idle, np.arange(len(rows)), 0))]
    late_s = float(np.median(each_s))
    return late_s if late_s > max(2 * SOON_S, DRIFT * (time_s[-1] - time_s[0])) else 0.0


def echo_late_s(transfer: Transfer) -> float:
    """Return how much later than the least late data usually echo an ACK's timestamp, less what
    they themselves waited in a queue. The ACKs waited in one, or the sender's program did."""
    p, time_s = transfer.packets, transfer.time_s
    rows, acks = transfer.data.row, transfer.acks
    acks = acks[p["ts_value"][acks] >= 0]
    rows = rows[(p["ts_value"][rows] >= 0) & (p["ts_echo"][rows] >= 0)]
    if len(rows) < LEAST_SEEN or not len(acks):
        return 0.0
    ticks, first = np.unique(p["ts_value"][acks], return_index=True)
    place = np.minimum(np.searchsorted(ticks, p["ts_echo"][rows]), len(ticks) - 1)
    known = ticks[place] == p["ts_echo"][rows]  # not of an ACK that the capture lacks
    rows, heard = rows[known], acks[first[place[known]]]
    if len(rows) < LEAST_SEEN:
        return 0.0
    echo_s = time_s[rows] - time_s[heard]
    late_s = _late_s(time_s[rows], p["ts_value"][rows])
    return max(float(np.median(echo_s - echo_s.min() - late_s)), 0.0)


def _late_s(came_s: np.ndarray, ticks: np.ndarray) -> np.ndarray:
    """Return how much later than the least late one packets with these timestamps came, less a
    tick. None is late if the timestamps are of no usual clock, or begin anew."""
    since_s = came_s - came_s[0]
    seen_s = max(since_s[-1] / max(ticks[-1] - ticks[0], 1), 1e-9)
    tick_s = min(TICKS_S, key=lambda each: abs(np.log(each / seen_s)))
    if abs(np.log(tick_s / seen_s)) > np.log(2) or (np.diff(ticks) < 0).any():
        return np.zeros(len(came_s))
    late_s = since_s - (ticks - ticks[0]) * tick_s
    return np.maximum(late_s - late_s.min() - tick_s, 0.0)
