# SPDX-License-Identifier: GPL-2.0-only
"""Candidate systems of a device whose program reads slowly, or with pauses: its window closes and
opens."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from study.diagnosis.candidate import PRINT_JOB, WIDE, Candidate, Free
from study.diagnosis.facts import Facts
from study.diagnosis.phases import RATE_FACTOR
from study.diagnosis.vantage import LEAST_SEEN


@dataclass(frozen=True)
class Reads:
    """What a program reads at once and at which rate, and its pauses."""

    each_B: float
    rate_Bps: float
    pause_s: float
    every_B: float  # between two pauses; up to the first if there is one

    @classmethod
    def of(cls, facts: Facts) -> "Reads | None":
        """Return what the right edge of the window shows, which each read moves; None without
        pauses. The waits between reads part where two of them, by size, are farthest apart, if
        those are as far apart as two rates."""
        transfer = facts.transfer
        packets = transfer.packets[transfer.acks]
        edge = np.maximum.accumulate(packets["ack"] + packets["window"])
        moved = np.flatnonzero(np.diff(edge, prepend=edge[:1]) > 0)
        if len(moved) < LEAST_SEEN:
            return None
        read_B, time_s = np.diff(edge)[moved - 1], transfer.time_s[transfer.acks][moved]
        waits_s = np.diff(time_s)
        order = np.sort(waits_s)[len(waits_s) // 2 :]
        times = order[1:] / np.maximum(order[:-1], facts.least_stall_s)
        if not len(times) or times.max() < RATE_FACTOR:
            return None
        is_pause = waits_s >= order[int(times.argmax()) + 1]
        busy_s = max(float(waits_s[~is_pause].sum()), 1e-6)
        before_B = np.cumsum(read_B)[:-1][is_pause]
        return cls(
            float(np.median(read_B)),
            float(read_B[1:][~is_pause].sum()) / busy_s,
            float(np.median(waits_s[is_pause])),
            float(np.median(np.diff(before_B))) if len(before_B) > 1 else float(before_B[0]),
        )


def readers(facts: Facts, base: dict, line: Free) -> Iterator[Candidate]:
    """Yield a device whose program reads at a rate, and those that pause."""
    closes = facts.least_window_B < facts.window_B - facts.mss_B and facts.meets_window
    if not closes and not len(facts.zero_windows):
        return
    goodput = facts.transfer.total_B * 8 / max(facts.transfer.until_acknowledged_s, 1e-6)
    dry = base | {"path_rate": line.text(facts.pair_Bps * 8)}
    dry["window_updates"] = "rfc1122"
    port = Free("port_rate", goodput)
    chunk = Free("port_chunk", 4096.0, (0.125, 0.25, 0.5, 1, 2, 4, 16))
    yield Candidate("drain", PRINT_JOB, dry, (port, chunk))
    # What is read at a pace is acknowledged at it: the line may carry more.
    wide = {"path_rate": line.text(WIDE * facts.pair_Bps * 8)}
    yield Candidate("drain, wide line", PRINT_JOB, dry | wide, (port, chunk))
    stalls = facts.stalls
    if not len(stalls):
        return
    data = facts.transfer.data
    waits = data.time_s[stalls] - data.time_s[stalls - 1]
    begun = data.begin[stalls] - data.begin[0]
    every = float(np.median(np.diff(begun, prepend=0)))
    pause = Free("drain_pause", float(np.median(waits)))
    bytes_ = Free("drain_pause_every", max(every, 1.0))
    yield Candidate("drain that pauses", PRINT_JOB, dry, (pause, bytes_))
    reads = Reads.of(facts)
    if reads:
        rate, size = Free("port_rate", reads.rate_Bps * 8), Free("port_chunk", reads.each_B)
        pause = Free("drain_pause", reads.pause_s)
        bytes_ = Free("drain_pause_every", reads.every_B)
        paced = wide | {each.key: each.text(each.start) for each in (rate, size)}
        yield Candidate("drain that pauses, paced", PRINT_JOB, dry | paced, (pause, bytes_))
