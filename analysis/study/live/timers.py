# SPDX-License-Identifier: GPL-2.0-only
"""How far the kernel's timers may end from the simulated ones: both are in a timer wheel
(kernel/time/timer.c), but the ticks of the two clocks differ."""

import numpy as np

from study.base.units import seconds
from study.captures.connection import Connection
from study.system.system import System

PHASES = 16  # at which a job is simulated, of a tick
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


def over_phases_s(system: System, beat_s: float) -> tuple[float, float] | None:
    """The least and the longest that the simulated job takes, by where in its beat the host's clock
    stands as the job begins; None where it does not finish at each. In the simulation the clock
    begins with the connection, so it is the job that is put off: by its first write alone, which
    shifts nothing else where nobody answers before it (raw)."""
    given = system.parameters()
    if given.get("protocol") != "raw":
        return None
    begins_s = seconds(given["think_time"])
    took_s = []
    for number in range(PHASES):
        put_off_s = beat_s * number / PHASES
        later = f"{(begins_s + put_off_s) * 1e9:.0f}ns"
        result = system.with_(think_time=later).run()
        if result.outcome != "finished":
            return None
        took_s.append(result.duration_s - put_off_s)
    return min(took_s), max(took_s)
