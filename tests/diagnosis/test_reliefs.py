# SPDX-License-Identifier: GPL-2.0-only
"""Reliefs: the cause is the limit whose relief brings something."""

import pytest
from study.diagnosis.tried_reliefs import Relief, changes, main_limit
from study.trials.reliefs import scaled_turns

# As they are meant: one that is moved is red here.
HELPS, SHOWN = 0.2, 0.01


def test_the_largest_part_of_the_time_is_no_cause_where_its_relief_brings_nothing():
    """As of a program that writes at its pace, whose small segments Nagle's algorithm holds."""
    limits_s = {"nagle": 0.47, "application": 0.29, "link": 0.14}
    tried = [Relief("application", {}, 0.81), Relief("nagle", {}, 0.02), Relief("link", {}, 0.0)]
    assert main_limit(tried, limits_s) == "application"
    assert main_limit([], limits_s) == "nagle"


def test_a_relief_counts_from_a_part_of_the_time_on_that_the_best_one_saves():
    """Twice as fast saves half of the time, and 20 times as fast only twice as much."""
    limits_s = {"delayed_ack": 0.8, "nagle": 0.1}
    for saved, main in ((HELPS * 0.51, "delayed_ack"), (HELPS * 0.49, "nagle")):
        tried = [Relief("nagle", {}, 1.0), Relief("delayed_ack", {}, saved / (1 - saved))]
        assert main_limit(tried, limits_s) == main
    for gain, main in ((SHOWN * 1.01, "nagle"), (SHOWN * 0.99, "delayed_ack")):
        assert main_limit([Relief("nagle", {}, gain)], limits_s) == main


def test_what_waits_to_be_told_of_room_waits_for_the_reader():
    assert main_limit([], {"window_update": 0.3, "drain": 0.2, "link": 0.4}) == "drain"


def test_a_relief_is_that_of_the_table_in_a_small_step(program):
    settings = {"receive_window": "4000", "device_first_window": "2000", "path_rate": "1000bps"}
    (found,) = changes(settings | {"link": "path"}, "print-job", "receive_window")
    assert found["receive_window"] == "8000" and found["device_first_window"] == "0"
    turns = changes({"turns": "c10:1,s20:2"}, "request-reply", "server_application")
    assert {"turns": "c10:1,s10:2"} in turns
    (of_ethernet,) = changes(settings, "print-job", "link")
    assert of_ethernet.keys() == {"link_rate"}  # a path's rate changes nothing there


@pytest.mark.parametrize(("end", "there"), [("c", "c5:1,s20:2"), ("s", "c10:1,s10:2")])
def test_waits_of_one_end_are_scaled(end, there):
    assert scaled_turns("c10:1,s20:2", end, 0.5) == there
