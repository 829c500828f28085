# SPDX-License-Identifier: GPL-2.0-only
"""How far the kernel's timers may end from the simulated ones: both are in a timer wheel
(kernel/time/timer.c), but the two clocks do not beat together."""

import numpy as np

from study.captures.connection import Connection

LATE_BEATS = 1  # a processor may look at its timers before another has counted the tick
FIRST_LEVEL, COARSER = 63, 8  # ticks that have a bucket each; how much coarser each level behind is


def waits_s(connection: Connection, least_s: float) -> list[float]:
    """The client's waits for a timer: so long nothing passed, and it was the client who spoke."""
    packets = connection.packets
    gaps_s = np.diff(packets["time_ns"]) / 1e9
    told = packets["from_client"][1:] & (packets["length"][1:] > 0)
    return gaps_s[told & (gaps_s >= least_s)].tolist()


def beat_s(wait_s: float, tick_s: float) -> float:
    """Between two ends of timers that run so long."""
    ticks, beat = wait_s / tick_s, 1
    while ticks >= FIRST_LEVEL * beat:
        beat *= COARSER
    return beat * tick_s


def apart_s(waits: list[float], tick_s: float) -> tuple[float, float]:
    """How much earlier, and later, all of them may have ended than the simulated ones."""
    beats = sum(beat_s(each, tick_s) for each in waits)
    return beats, beats + LATE_BEATS * tick_s * len(waits)
