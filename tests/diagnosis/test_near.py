# SPDX-License-Identifier: GPL-2.0-only
"""Near systems: what a change brings is an interval over all that give the packets alike."""

import json
import re

from study import diagnose
from study.diagnosis.near import NEAR, NOISE, TELLS, agree
from study.kernel import KEPT
from study.kernel.captured import name_of
from study.kernel.cases import cases

CASES = {each.name: each for each in cases()}


def of(name):
    return diagnose(KEPT / name_of(CASES[name], "before", "client"))


def test_rates_agree_up_to_a_factor():
    assert agree(1.0, TELLS * 0.99) and not agree(1.0, TELLS * 1.01)


def test_near_systems_are_within_reach_of_the_nearest_and_differ(program):
    found = of("small receive window")
    near = found.answer.near
    reach = max(NEAR * near[0].distance, near[0].distance + NOISE)
    assert near[0] is found.answer.best and 1 < len(near) == len(found.near_systems())
    assert all(each.distance <= reach for each in near)
    assert len({tuple(sorted(each.settings.items())) for each in near}) == len(near)


def test_a_change_is_told_as_an_interval_that_holds_the_nearest_system_s(program):
    found = of("losses")
    said = {each["limit"]: each for each in found.record()["simulated"]["changes"]}
    for each in said.values():
        assert each["range"][0] <= each["gain"] <= each["range"][1]
    low, high = said["congestion_window"]["range"]
    assert f"{low:+.0%} to {high:+.0%}" in str(found)


def test_a_line_that_was_never_full_is_left_open_and_its_change_is_blocked(program):
    """A pause between two writes that Nagle's algorithm held does not show: without it a command
    takes one round trip, or the pause."""
    found = of("commands in two writes")
    change = next(each for each in found.answer.reliefs if each.limit == "delayed_ack")
    low, high = found.answer.ranges["delayed_ack"]
    told = found.answer.tells("delayed_ack")
    assert told == ((1 + high) / (1 + low) <= TELLS)
    blocked = re.search(r"^delayed_ack = .*blocks = (\[.*\])", found.toml(), re.MULTILINE)
    assert bool(blocked) != told
    if blocked:
        assert json.loads(blocked[1]) == list(change.change)
        assert "the packets leave open" in str(found)
