# SPDX-License-Identifier: GPL-2.0-only
"""How much of the job each change is tried on: all of them on a beginning that tells of the job,
the more promising on a longer one, and those that an answer shows on as much as a rate needs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from study.system.system import System
from study.trials.jobs import (
    Outcome,
    looked_at_B,
    needed_B,
    run_all,
    shares,
    sketched_B,
)
from study.trials.reliefs import Change
from study.trials.trial import CHANGE_PCT, Trial, try_all

BEST, WORST = 3, 2  # trials that an answer shows
REPEATED = "cycles_skipped"  # of a record
ALIKE = 0.8  # of the rate, and of the time in the same limits: a beginning tells of the job


def lengths(system: System, before: Outcome) -> tuple[list[int], int]:
    """Return the sizes of the jobs on which all changes are tried, and the more promising ones; and
    the least size that tells of the job as long as its rate needs. All are tried on that, unless it
    is a long one. A job that repeats its cycles takes no longer to run as a whole."""
    repeats = before.result.record.get(REPEATED)
    sizes = [sketched_B(system), needed_B(system) if repeats else looked_at_B(system)]
    for place, bytes_ in enumerate(sizes):
        (short,) = run_all([system], bytes_)
        if short and _is_alike(short, before):
            return sizes[place:], bytes_
    return sizes, needed_B(system)


def _is_alike(one: Outcome, other: Outcome) -> bool:
    """Return whether both jobs have most of their rate, and of their time's limits, in common."""
    if not (one.rate and other.rate):
        return False
    first, second = shares(one.limits_s), shares(other.limits_s)
    common = sum(min(share, second.get(name, 0.0)) for name, share in first.items())
    return min(common, one.rate / other.rate, other.rate / one.rate) >= ALIKE


def beside(system: System, before: Outcome, changes: Sequence[Change], bytes_: int) -> list[Trial]:
    """Return the trials of the changes on `bytes_` of the job, with the whole job's rates."""
    if bytes_ >= needed_B(system):
        return try_all(changes, before)
    (own,) = run_all([system], bytes_)
    if own is None:
        return []
    return [of_the_whole(each, before.rate) for each in try_all(changes, own, bytes_)]


def of_the_whole(each: Trial, rate: float | None) -> Trial:
    """Return the trial with the rate that its gain gives for the whole job."""
    if each.gain_pct is None or rate is None:
        return each
    told = rate * (each.gain_pct / 100 + 1)
    after = replace(each.after, rate=told, throughput_Bps=told)
    return replace(each, after=after)


def with_ends_at_length(trials: Mapping[str, Trial], before: Outcome) -> dict[str, Trial]:
    """Return the best trials and the worst on a job as long as its rate needs. Where one falls
    behind another, that is tried so, too: of many short jobs the best is one that tells too
    much."""
    told, asked = dict(trials), set()
    while True:
        ranked = sorted(told.values(), key=lambda each: -each.effect)
        ends = [*ranked[:BEST], *ranked[BEST:][-WORST:]]
        left = [each for each in ends if each.flag not in asked]
        if not left:
            return told
        asked |= {each.flag for each in left}
        told |= {each.flag: each for each in at_length(left, before)}


def at_length(trials: Sequence[Trial], before: Outcome) -> list[Trial]:
    """Return trials of the changes with an effect on a job as long as their rate needs."""
    return try_all([each.change for each in trials if abs(each.effect) >= CHANGE_PCT], before)
