# SPDX-License-Identifier: GPL-2.0-only
"""Near systems: what a change brings is an interval over all that give the packets alike."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from study import diagnose
from study.diagnosis.candidate import Candidate
from study.diagnosis.fit import Fitted
from study.diagnosis.near import STEPS, agree, interval, near_systems
from study.kernel import KEPT
from study.kernel.capture_cases import name_of
from study.kernel.cases import cases

# As they are meant: one that is moved is red here.
MOST, NEAR, NOISE, TELLS = 12, 2.0, 0.005, 1.5

CASES = {each.name: each for each in cases()}


def of(name):
    return diagnose(KEPT / name_of(CASES[name], "before", "client"))


def test_rates_agree_up_to_a_factor():
    assert agree(1.0, TELLS * 0.99) and not agree(1.0, TELLS * 1.01)


def fitted(name, distance):
    return Fitted(Candidate(name, "print-job", {"nagle": name}), {}, distance, None)


@pytest.mark.parametrize("least", [0.02, 0.001])
def test_reach_is_a_multiple_of_the_least_distance_or_a_kernel_s_own_noise(least):
    reach = max(NEAR * least, least + NOISE)
    found = [fitted("a", least), fitted("b", 0.99 * reach), fitted("c", 1.01 * reach)]
    near = near_systems(None, None, found, [])
    assert [each.candidate.name for each in near] == ["a", "b"]


def test_of_many_near_systems_so_many_are_asked():
    found = [fitted(f"{number}", 0.02 + number * 1e-4) for number in range(MOST + 3)]
    assert near_systems(None, None, found, []) == found[:MOST]


def test_no_prediction_is_surer_than_the_nearest_system_is_near():
    assert interval(fitted("a", 0.1), [2.0, 1.0, 3.0]) == pytest.approx((0.9, 3.3))


def test_a_number_is_moved_as_far_as_the_packets_leave_it_open(program):
    """A line's rate shows in each flight; a pause that Nagle's algorithm hides may be any."""

    def settings(name, key):
        return {each.settings[key] for each in of(name).answer.nearby.systems}

    shown = settings("small receive window", "path_rate")
    rates = [float(each.removesuffix("bps")) for each in shown]
    assert 1 < max(rates) / min(rates) < STEPS[0]
    hidden = settings("commands in two writes", "command_write_time")
    assert len(hidden) > 2


@pytest.mark.parametrize("name", ["small receive window", "SYN lost twice"])
def test_near_systems_are_within_reach_of_the_nearest_and_differ(program, name):
    """The nearest is the first, also where it is met again among the numbers that were tried."""
    found = of(name)
    near = found.answer.nearby.systems
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
    assert f"{low:+.0%} to {high:+.0%}" in " ".join(str(found).split())


@pytest.mark.parametrize("name", ["commands in two writes", "losses", "small receive window"])
def test_no_change_is_offered_that_the_packets_leave_open(name: str, program):
    found = of(name)
    offered = re.search(r"what-if x.toml --(\S+)", str(replace(found, file=Path("x.toml"))))
    told = [each for each in found.answer.reliefs if found.answer.tells(each.limit)]
    flags = {key.replace("_", "-") for each in told for key in each.change}
    assert bool(offered) == any(each.gain > 0 for each in told)
    assert not offered or offered[1] in flags


def test_what_the_packets_leave_open_is_blocked(program):
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
    # The second nearest system does not wait for Nagle's algorithm: without it may be as slow.
    low, high = found.answer.ranges["nagle"]
    assert low < 0.01 < high


def test_near_systems_are_simulated_only_for_who_asks(program):
    """A phase's sentence, and a figure of what limits it, ask for none."""
    answer = of("small receive window").answer
    nearby = answer.nearby
    assert not {"systems", "ranges"} & vars(nearby).keys()
    before = nearby.runs
    assert answer.ranges and nearby.runs > before
