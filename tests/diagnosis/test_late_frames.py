# SPDX-License-Identifier: GPL-2.0-only
"""What is found where frames are captured later than they were due: by a live device, or on a busy
machine."""

from dataclasses import replace

import numpy as np
import pytest
from study import systems
from study.base.units import seconds
from study.captures.connection import Connection
from study.diagnosis.judge import budget
from study.diagnosis.of_run import connection_of_segments
from study.diagnosis.parameters import parameters

PAUSE_S = 5e-3  # longer than the drain, shorter than the ACK latency
JOB = systems["netgear-ps101"].with_host("linux-6").with_(job_size=60_000)
OFTEN_S, SELDOM_S = 0.04e-3, 0.5e-3  # as a live end at a load of 5: the median, and one in twenty


def captured_late(connection: Connection) -> tuple[Connection, float]:
    """With the device's frames behind a pause later than they were due; how late on average [s]."""
    packets = connection.packets.copy()
    behind_s = np.diff(packets["time_ns"], prepend=0) / 1e9
    paused = np.flatnonzero(~packets["from_client"] & (behind_s > PAUSE_S))
    chance = np.random.default_rng(1)
    late_s = OFTEN_S * chance.exponential(size=len(paused)) / np.log(2)
    late_s[chance.random(len(paused)) < 0.05] += SELDOM_S
    packets["time_ns"][paused] += np.round(1e9 * late_s).astype(np.int64)
    return replace(connection, packets=packets), float(late_s.mean())


def drain(found) -> tuple[float, float]:
    """The latency, and how far it is spread."""
    spread = found.get("drain_latency_spread")
    return _s(found["drain_latency"]), _s(spread) if spread else 0.0


def _s(finding) -> float:
    return seconds(f"{finding.value}{finding.unit}")


def found_in(connection: Connection):
    return parameters(connection, budget(connection).limits_s)


def test_a_drain_is_found_where_frames_are_late_now_and_then(program):
    connection = connection_of_segments(JOB.run(segments=True).packets)
    own_s = seconds(JOB.parameters()["drain_latency"])
    late, late_s = captured_late(connection)
    least_s, spread_s = drain(found_in(late))
    assert own_s - late_s <= least_s + spread_s / 2 <= own_s


def test_a_drain_that_is_spread_evenly_is_found_so(program):
    system = JOB.with_(drain_latency_spread="600us")
    connection = connection_of_segments(system.run(segments=True).packets)
    own = system.parameters()
    least_s, spread_s = drain(found_in(connection))
    assert least_s == pytest.approx(seconds(own["drain_latency"]), rel=0.05)
    assert spread_s == pytest.approx(seconds(own["drain_latency_spread"]), rel=0.2)
