# SPDX-License-Identifier: GPL-2.0-only
"""Claims about changes tried several at a time: those that are told to have no effect have none
alone, and a change whose effect begins late is not among them."""

import pytest
from study import System, systems
from study.trials.idle import idle_ones, shared_runs
from study.trials.jobs import run_all, sketched_B
from study.trials.lengths import beside
from study.trials.reliefs import Change, fits
from study.trials.search import find, proposals

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
    """The queue overflows after the first segments, and only then a longer one helps."""
    system = systems["bulk"].with_(**SHORT_QUEUE, job_size=10_000_000)
    changes, idle = tried(system)
    (longer,) = (each for each in changes if each.key == "path_queue")
    jobs = [system, longer.system]
    before, same = run_all(jobs, sketched_B(system), is_sketch=True)
    own, other = run_all(jobs, BEGINNING_B)
    assert same.limits_s == before.limits_s
    assert other.limits_s != own.limits_s
    assert idle
    assert longer.flag not in idle


def test_a_longer_queue_does_not_hide_that_another_kind_drops(program):
    """RED drops 23 packets of this job, and none where the queue is four times as long."""
    path = {"path_rate": "20Mbps", "rtt": "40ms", "path_queue": "50p", "receive_window": 146000}
    hosts = systems["bulk"].with_host("freebsd-14").with_device("windows-11")
    system = hosts.with_(**path, job_size=10_000_000)
    both = {"path_queue_kind": "red", "path_queue": "200p"}
    own, red, hidden = run_all([system, *(system.with_(**each) for each in (
        {"path_queue_kind": "red"}, both))])  # fmt: skip
    assert red.rate < 0.95 * own.rate
    assert hidden.limits_s == own.limits_s
    found = find(system)
    assert "--path-queue-kind red" in {each.flag for each in found.makes_worse}


def test_a_change_of_what_the_job_carries_is_not_idle(program):
    """The rate of a command that is 5 B longer may be the same to the nanosecond; the job is
    another one."""
    changes, idle = tried(systems["lettre-smtp"])
    longer = {each.flag for each in changes if each.key == "command_end"}
    assert idle
    assert longer
    assert idle.isdisjoint(longer)


@pytest.mark.parametrize("name", ["bulk", "rebbr", "http2-go", "telnet-xp"])
def test_changes_of_one_mechanism_share_no_run(name: str, program):
    system = systems[name]
    (own,) = run_all([system])
    changes = proposals(system, own.limits_s)
    runs = shared_runs(changes)
    assert sum(map(len, runs)) > len(changes) / 3
    for some in runs:
        words = [key.split("_")[0] for each in some for key in each.values]
        of_one = [len({key.split("_")[0] for key in each.values}) for each in some]
        assert len(set(words)) == sum(of_one)


def test_trials_stand_in_the_order_of_their_changes_and_the_idle_have_the_rate_of_the_job(program):
    system = systems["bulk"].with_(**FAR, job_size=10_000_000)
    (before,) = run_all([system])
    changes, idle = tried(system)
    found = beside(system, before, changes, BEGINNING_B)
    places = [changes.index(each.change) for each in found]
    assert places == sorted(places)
    still = [each for each in found if each.flag in idle]
    assert {each.gain_pct for each in still} == {0.0}
    assert {each.after.rate for each in still} == {before.rate}
