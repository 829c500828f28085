# SPDX-License-Identifier: GPL-2.0-only
"""Smallest cure: the smallest window that is enough, and only those of several changes that have
an effect."""

from dataclasses import replace

from study.programs.declaration import declaration
from study.trials.job_sizes import needed_B
from study.trials.jobs import Outcome, run_all
from study.trials.reliefs import fits
from study.trials.trial import CHANGE_PCT, Trial, gain, trial, try_all

GROWS = (2, 3)  # a larger window or buffer is tried with the factor squared and cubed
WORTH = 1.5  # a fourfold window must multiply the rate by this
SIZE_UNIT = "B"


def enough(found: Trial, before: Outcome) -> Trial:
    """Return the cure with the size that it needs and without changes that have no effect."""
    return pruned(_grown(found, before), before)


def _grown(found: Trial, before: Outcome) -> Trial:
    """Return the trial of the largest window or buffer that is still worth its size."""
    change = found.change
    parameter = declaration(change.before.scenario).parameter(change.key)
    if "*" not in change.relief or parameter.unit != SIZE_UNIT or not found.after.rate:
        return found
    for times in GROWS:
        larger = change.grown(times)
        tried = try_all([larger], before) if fits(larger) else []
        if not tried or (tried[0].after.rate or 0.0) < WORTH * found.after.rate:
            break
        (found,) = tried
    return found


def pruned(found: Trial, before: Outcome) -> Trial:
    """Return the trial without idle changes, and with the gain without each of the others."""
    change = found.change
    keys = list(change.values)
    if len(keys) == 1 or not found.after.rate:
        return found
    least = (1 - CHANGE_PCT / 100) * found.after.rate
    alone = change.only_first()
    for simple in try_all([alone], before):
        if (simple.after.rate or 0.0) >= least:
            return simple
    least_B = needed_B(change.before)
    lesser = run_all([change.without(key).system for key in keys], least_B=least_B)
    after = {
        key: each
        for key, each in zip(keys, lesser, strict=True)
        if each is None or each.is_same_job(before)
    }
    idle = [key for key, each in after.items() if each and (each.rate or 0.0) >= least]
    small = change
    for key in idle:
        small = small.without(key)
    if idle:
        (whole,) = run_all([small.system], least_B=least_B)
        if whole is None or (whole.rate or 0.0) < least:
            idle = []
        else:
            found = trial(small, before, whole)
    told = []
    for key, each in after.items():
        if key not in (*idle, change.key) and each is not None:
            without = trial(change.without(key), before, each)
            became = gain(without.gain_pct) or without.outcome
            told.append(f"without {change.said_of(key)}: {became}")
    return replace(found, alone=tuple(told))
