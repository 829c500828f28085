# SPDX-License-Identifier: GPL-2.0-only
"""Lengths of the jobs on which changes are tried.

All changes are tried on a beginning that is like the job, the more promising ones on a longer
beginning. Those with an effect are tried on as much of the job as their rate needs. Parameters are
ranked on the least beginning that has the whole job's rate.
"""

from collections.abc import Sequence
from dataclasses import replace

from study.system.system import System
from study.trials.job_sizes import (
    LEAST_B,
    MOST_B,
    RARE_MOST_B,
    looked_at_B,
    needed_B,
    size_B,
    sketched_B,
)
from study.trials.jobs import Outcome, run_all, shares
from study.trials.reliefs import Change
from study.trials.trial import Trial, try_all

REPEATED, SIMULATED = "cycles_skipped", "simulated_share"  # of a record
SAME = 0.001  # a smaller relative difference of two rates is none
BEGINNINGS_B = (1_000_000, 2_000_000, 4_000_000)  # two pauses of a job that pauses each megabyte
ALIKE = 0.8  # fraction of the rate, and of the time in the same limits, that like jobs share


def choose_lengths(system: System, before: Outcome) -> tuple[list[int], int]:
    """Return the lengths in bytes on which changes are tried, and the least length that is like the
    job. All changes are tried on the first, the more promising ones on the last. A job that repeats
    its cycles is fast-forwarded, so its last length is all that its rate needs."""
    record, needed = before.result.record, needed_B(system)
    sizes = [sketched_B(system), looked_at_B(system), needed]
    if not record.get(REPEATED):  # a program may not fast-forward
        sizes.pop()
    elif needed * record[SIMULATED] <= LEAST_B:
        sizes.pop(1)
    for bytes_ in sizes:
        (short,) = run_all([system], bytes_)
        if short and _is_alike(short, before):
            return [bytes_, sizes[-1]], bytes_
    return [sizes[0], sizes[-1]], needed


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
    return [of_the_whole(each, own, before) for each in try_all(changes, own, bytes_)]


def of_the_whole(each: Trial, before: Outcome, whole: Outcome) -> Trial:
    """Return the trial with the rates of the whole job, by the run's own multiple of the rate
    `before`. `whole` is the unchanged whole job."""
    if not (each.after.rate and before.rate and whole.rate):
        return each
    factor = each.after.rate / before.rate
    rates = {"rate": factor * whole.rate, "throughput_Bps": factor * whole.throughput_Bps}
    return replace(each, after=replace(each.after, **rates))


def at_length(trials: Sequence[Trial], before: Outcome) -> list[Trial]:
    """Return the trials on a job as long as their rate needs."""
    return try_all([each.change for each in trials], before)


def simulated_B(system: System) -> int:
    """Return the size in bytes of the job that gives the whole job's rate, 0 where it is unknown:
    all of it if its cycles are skipped, else twice the least beginning that gives it."""
    most_B = min(needed_B(system), MOST_B)
    (long,) = run_all([system], most_B)
    if long is None or not long.rate or not most_B:
        return most_B
    if long.result.record.get(REPEATED) and size_B(system) <= RARE_MOST_B:
        return size_B(system)
    for bytes_ in (each for each in BEGINNINGS_B if 2 * each < most_B):
        (short,) = run_all([system], bytes_)
        if short and short.rate and abs(short.rate / long.rate - 1) < SAME:
            return 2 * bytes_
    return most_B
