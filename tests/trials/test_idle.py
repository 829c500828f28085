# SPDX-License-Identifier: GPL-2.0-only
"""Claims about changes tried several at a time: those that are told to have no effect have none
alone, and a change whose effect begins late is not among them."""

from itertools import pairwise

import pytest
from study import System, systems
from study.trials.idle import idle_ones, shared_runs
from study.trials.jobs import run_all
from study.trials.reliefs import Change, fits
from study.trials.search import proposals

FAR = {"receive_window": 65535, "rtt": "600ms", "path_rate": "10Mbps"}
SHORT_QUEUE = {"path_rate": "20Mbps", "rtt": "40ms", "path_queue": "20p"}
BEGINNING_B = 1_000_000


def tried(system: System) -> tuple[list[Change], set[str]]:
    """All changes of a system, and the flags of those without effect on its beginning."""
    (own,) = run_all([system], BEGINNING_B)
    changes = [each for each in proposals(system, own.limits_s) if fits(each)]
    return changes, idle_ones(system, own, changes, BEGINNING_B)


@pytest.mark.parametrize("path", [FAR, SHORT_QUEUE])
def test_what_is_idle_with_others_is_idle_alone(path: dict[str, object], program):
    system = systems["bulk"].with_(**path, job_size=10_000_000)
    changes, idle = tried(system)
    (own,) = run_all([system], BEGINNING_B)
    alone = [each for each in changes if each.flag in idle]
    assert len(alone) > len(changes) / 4
    for change, after in zip(
        alone, run_all([each.system for each in alone], BEGINNING_B), strict=True
    ):
        assert (after.result.bytes, after.limits_s) == (own.result.bytes, own.limits_s), change.flag


def test_a_change_whose_effect_begins_late_is_not_idle(program):
    """The queue overflows after 100 segments, and only then a longer one helps."""
    system = systems["bulk"].with_(**SHORT_QUEUE, job_size=10_000_000)
    changes, idle = tried(system)
    (longer,) = (each.flag for each in changes if each.key == "path_queue")
    assert longer not in idle


def test_a_change_of_what_the_job_carries_is_not_idle(program):
    """The rate of a command that is 5 B longer may be the same to the nanosecond; the job is
    another one."""
    changes, idle = tried(systems["lettre-smtp"])
    assert idle
    assert idle.isdisjoint(each.flag for each in changes if each.key == "command_end")


@pytest.mark.parametrize("name", ["bulk", "rebbr", "http2-go", "telnet-xp"])
def test_neighbours_and_changes_of_one_parameter_share_no_run(name: str, program):
    system = systems[name]
    (own,) = run_all([system])
    changes = proposals(system, own.limits_s)
    runs = [[changes.index(each) for each in some] for some in shared_runs(changes)]
    assert sum(map(len, runs)) > len(changes) / 2
    for some in runs:
        keys = [key for place in some for key in changes[place].values]
        assert len(set(keys)) == len(keys)
        assert min(b - a for a, b in pairwise(some)) > 1
