# SPDX-License-Identifier: GPL-2.0-only
"""How far the kernel's timers may end from the simulated ones: both are in a timer wheel
(kernel/time/timer.c), but the ticks of the two clocks differ."""

import numpy as np

from study.base.units import seconds
from study.captures.connection import Connection
from study.system.system import System

PHASES = 16  # phases of a tick at which a job is simulated
LATE_BEATS = 1  # a processor may check its timers before another has counted the tick
FIRST_LEVEL, COARSER = 63, 8  # ticks with a bucket each; factor of each further level


def waits_s(connection: Connection, least_s: float) -> list[float]:
    """Return the client's waits for a timer in seconds: at least `least_s` without a packet before
    the client sends data."""
    packets = connection.packets
    gaps_s = np.diff(packets["time_ns"]) / 1e9
    told = packets["from_client"][1:] & (packets["length"][1:] > 0)
    return gaps_s[told & (gaps_s >= least_s)].tolist()


def beat_s(wait_s: float, tick_s: float) -> float:
    """Return the time between two possible expiries of such a timer, in seconds."""
    ticks, beat = wait_s / tick_s, 1
    while ticks >= FIRST_LEVEL * beat:
        beat *= COARSER
    return beat * tick_s


def apart_s(waits: list[float], tick_s: float) -> tuple[float, float]:
    """Return how many seconds earlier and later all timers may expire than the simulated."""
    beats = sum(beat_s(each, tick_s) for each in waits)
    return beats, beats + LATE_BEATS * tick_s * len(waits)


def over_phases_s(system: System, beat_s: float) -> tuple[float, float] | None:
    """Return the shortest and longest duration of the simulated job in seconds, over the phases of
    the host's clock at its start, or None unless it finishes at all of them. The simulated clock
    starts with the connection, so the job is delayed instead, by its first write alone. That shifts
    nothing else in the raw protocol, the only one supported."""
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
