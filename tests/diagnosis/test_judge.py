# SPDX-License-Identifier: GPL-2.0-only
"""The judge of a capture and the clock of a simulated run share their definitions: from the packets
of a run the judge finds the run's own `limits_s`."""

from dataclasses import replace

import numpy as np
import pytest
from study import systems
from study.diagnosis.budget import CODE, LIMITS
from study.diagnosis.hidden import AS_BULK, CONFUSED, HIDDEN, comparable
from study.diagnosis.judge import budget
from study.diagnosis.of_run import connection_of_run

OVER_TCP = [name for name in systems if systems[name].leaves_segments and name != "netware"]
ENOUGH_B = 1_000_000  # of a long job; its cycles repeat
LONG = {"rclone-sftp": 100_000_000, "rebbr": 11_000_000, "http2-go": 10_000_000}


def a_run(name, change=None):
    system = systems[name]
    change = change or {}
    if "job_size" in system.parameters():
        size = LONG.get(name, ENOUGH_B) if not change else ENOUGH_B
        change = {"job_size": size} | change
    return system.with_(**change).run(segments=True)


def compared(name, change=None, line_Bps=None):
    """What the run knows and what its packets give, and how long it took."""
    result = a_run(name, change)
    found = budget(connection_of_run(result), line_Bps=line_Bps).until(result.duration_s)
    assert found.duration_s == pytest.approx(result.duration_s, abs=2e-9)
    return *comparable(result.limits_s, found), result.duration_s


def check(name, change=None, line_Bps=None, within=0.01):
    """Every limit within a share of the duration, where a capture can tell it."""
    known, judged, duration = compared(name, change, line_Bps)
    apart = off(known, judged, duration, within)
    assert not apart, f"judged and known [s], of {duration} s: {apart}"


def off(known, judged, duration, within=0.01):
    """The limits that are further apart than a share of the duration."""
    return {
        limit: (judged.get(limit, 0.0), known.get(limit, 0.0))
        for limit in judged | known
        if abs(judged.get(limit, 0.0) - known.get(limit, 0.0)) > within * duration
    }


@pytest.mark.parametrize("name", OVER_TCP)
def test_the_packets_of_a_measured_system_give_its_own_limits(name):
    check(name)


@pytest.mark.parametrize("name", ["linksys-ppsx1", "telnet-xp", "rebbr", "rfc2525-every-second"])
def test_waits_follow_each_other_and_add_up_to_the_whole_life(name):
    connection = connection_of_run(a_run(name))
    waits = budget(connection).waits
    ends = waits["start_ns"] + waits["length_ns"]
    assert waits["start_ns"][0] == 0
    assert (waits["length_ns"] > 0).all()
    assert (waits["start_ns"][1:] == ends[:-1]).all()


def test_a_sender_sees_its_connection_from_the_first_packet_to_the_last():
    connection = connection_of_run(a_run("linksys-ppsx1"))
    found = budget(connection)
    assert found.duration_s == pytest.approx(connection.duration_s, abs=1e-9)
    assert sum(found.limits_s.values()) == pytest.approx(connection.duration_s, abs=1e-9)


def test_what_the_sender_lacked_is_told_also_where_a_line_was_busy():
    waits = budget(connection_of_run(a_run("tcp-frame-relay"))).waits
    on_the_line = waits[waits["limit"] == CODE["link"]]
    lacked = on_the_line["length_ns"][on_the_line["room"] == CODE["receive_window"]].sum()
    assert lacked > 0.9 * on_the_line["length_ns"].sum()


def test_nothing_waits_in_the_hole_of_a_printed_trace():
    connection = connection_of_run(a_run("hawking-hps1u", {"job_size": 100_000}))
    gone = slice(40, 60)
    kept = np.delete(connection.packets, gone)
    kept["time_ns"][40:] += 3_600_000_000_000  # the source left out an hour, too
    holed = budget(replace(connection, packets=kept, holes=(40,)))
    waits = holed.waits
    assert holed.duration_s < connection.duration_s
    ends = waits["start_ns"] + waits["length_ns"]
    before, after = kept["time_ns"][39], kept["time_ns"][40]
    assert not ((waits["start_ns"] < after) & (ends > before)).any()
    assert max(holed.limits_s, key=holed.limits_s.get) == "receive_window"


def test_every_mapping_is_between_words_of_limits_and_has_a_reason():
    for hidden in (*HIDDEN, *AS_BULK, *CONFUSED):
        assert {hidden.limit, hidden.counted_as} <= set(LIMITS)
        assert hidden.why
