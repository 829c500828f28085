# SPDX-License-Identifier: GPL-2.0-only
"""The judge of a capture and the clock of a simulated run share their definitions: from the packets
of a run the judge finds the run's own `limits_s`."""

import pytest
from study import systems
from study.diagnosis.hidden import comparable
from study.diagnosis.judge import budget
from study.diagnosis.of_run import connection_of_run

OVER_TCP = [name for name in systems if systems[name].leaves_segments and name != "netware"]
ENOUGH_B = 1_000_000  # of a long job; its cycles repeat
LONG = {"rclone-sftp": 100_000_000, "rebbr": 11_000_000, "http2-go": 10_000_000}


def a_run(name, **changes):
    system = systems[name]
    if "job_size" in system.parameters():
        changes = {"job_size": LONG.get(name, ENOUGH_B)} | changes
    return system.with_(**changes).run(segments=True)


def check(result, within=0.01):
    """Every limit within a share of the duration, where a capture can tell it."""
    found = budget(connection_of_run(result)).until(result.duration_s)
    assert found.duration_s == pytest.approx(result.duration_s, abs=2e-9)
    known, judged = comparable(result.limits_s, found)
    off = {
        limit: (judged.get(limit, 0.0), known.get(limit, 0.0))
        for limit in judged | known
        if abs(judged.get(limit, 0.0) - known.get(limit, 0.0)) > within * result.duration_s
    }
    assert not off, f"judged and known [s], of {result.duration_s} s: {off}"


@pytest.mark.parametrize("name", OVER_TCP)
def test_the_packets_of_a_measured_system_give_its_own_limits(name):
    check(a_run(name))


def test_waits_follow_each_other_and_add_up_to_the_whole_life():
    connection = connection_of_run(a_run("linksys-ppsx1"))
    waits = budget(connection).waits
    ends = waits["start_ns"] + waits["length_ns"]
    assert waits["start_ns"][0] == 0
    assert (waits["start_ns"][1:] == ends[:-1]).all()
    assert ends[-1] == connection.packets["time_ns"][-1]
