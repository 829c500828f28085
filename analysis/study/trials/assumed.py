# SPDX-License-Identifier: GPL-2.0-only
"""Trials of what a cure rests on: each assumed number at both ends of its range, before and after
the change, and the nearest steps, a byte more or less."""

from collections.abc import Iterable, Iterator
from math import inf

from study.programs import values
from study.programs.declaration import declaration
from study.programs.labels import spelt
from study.system.system import System
from study.trials.job_sizes import draws_losses, looked_at_B, sketched_B
from study.trials.jobs import run_all
from study.trials.reliefs import OF_THE_JOB, Change, fits
from study.trials.search import reliefs
from study.trials.trial import CHANGE_PCT, Trial, gain, try_all

ASSUMED, DEFAULT = "assumed", "the default"
RANGE_FACTOR = 4.0  # a number without a known range may be this factor larger or smaller
MUCH_PCT = 10.0  # a cure with a smaller gain is not tested
LONGER = (1, 2, 4)  # multiples of the sketch's size: the first job that shows the cure is used
STEP_PCT = 5.0


def turned_by(cure: Trial, tried: Iterable[Trial] = ()) -> str:
    """Return the first assumed number at whose other end the cure gains almost nothing or does
    harm, empty if there is none. `tried` shows which numbers have no effect without the cure."""
    system, changed = cure.change.before, cure.change.system
    if cure.gain_pct is None or cure.gain_pct < MUCH_PCT:
        return ""
    ends = [each for each in assumed_ends(system) if each.key not in cure.change.values]
    if not ends:
        return ""
    helping = {each.change.key for each in tried if each.effect >= CHANGE_PCT}
    idle = {each.change.key for each in tried} - helping
    for times in LONGER:
        bytes_ = min(times * sketched_B(system), looked_at_B(system))
        before, after = run_all([system, changed], bytes_, is_sketch=True)
        if before and after and (after.rate or 0.0) > (1 + MUCH_PCT / 100) * (before.rate or 0.0):
            break
    else:
        return ""  # the sketch is too short to show the cure
    least = (1 + MUCH_PCT / 100) * (before.rate or 0.0)
    found = run_all([changed.with_(**each.values) for each in ends], bytes_, is_sketch=True)
    ends = [
        each
        for each, its in zip(ends, found, strict=True)
        if its and (each.key not in idle or (its.rate or 0.0) < least)
    ]
    sizes = bytes_, looked_at_B(system)
    turning = (each for each in ends if all(_at(changed, each, B) < CHANGE_PCT for B in sizes))
    first = next(turning, None)
    if first is None:
        return ""
    there_pct = _at(changed, first, sizes[1])
    basis = ASSUMED if first.key in system.settings else DEFAULT
    return f"rests on {spelt(first.key)} ({basis}): only {gain(there_pct)} if {first.words}"


def _at(changed: System, end: Change, bytes_: int) -> float:
    """Return the cure's gain in percent there, over `bytes_` of the job, infinite without a
    rate."""
    own, new = run_all([end.system, changed.with_(**end.values)], bytes_, is_sketch=True)
    return (new.rate / own.rate - 1) * 100 if own and new and own.rate and new.rate else inf


def assumed_ends(system: System) -> list[Change]:
    """Return each assumed number at both ends of its range, and defaults that reliefs change. One
    without a range has a quarter and four times its value."""
    declared, own = declaration(system.scenario), system.parameters()
    before = run_all([system], sketched_B(system))[0]
    about = {each.key for each in reliefs(system, before.limits_s)} if before else set()
    found = []
    for key, parameter in declared.parameters.items():
        setting = system.settings.get(key)
        is_assumed = setting is not None and setting.basis == ASSUMED
        if key in system.changes or key in OF_THE_JOB or not values.is_number(parameter):
            continue
        if not is_assumed and (setting is not None or key not in about):
            continue
        low, high = (setting and setting.range) or (None, None)
        for end, factor in ((low, 1 / RANGE_FACTOR), (high, RANGE_FACTOR)):
            text = values.scaled(parameter, own[key], factor, own)
            if end is not None:
                unit = "" if setting.unit in ("B", "1", "") else setting.unit
                text = values.read(parameter, f"{end:g}{unit}").text
            if text != own[key]:
                found.append(Change(system, {key: values.readable(parameter, text)}))
    return [each for each in found if fits(each)]


def near_steps(system: System) -> list[str]:
    """Return a sentence for each size of which one byte more or less changes the rate by much."""
    if draws_losses(system):
        return []  # a run with another size has another random seed
    changes = list(_one_more(system))
    (before,) = run_all([system], sketched_B(system))
    if not changes or before is None:
        return []
    tried = try_all(changes, before, sketched_B(system))
    return [
        f"{spelt(each.change.key)} {each.change.values[each.change.key]} B ({gain(each.gain_pct)})"
        for each in tried
        if each.gain_pct is not None and abs(each.gain_pct) >= STEP_PCT
    ]


def _one_more(system: System) -> Iterator[Change]:
    declared = declaration(system.scenario)
    for key, text in system.parameters().items():
        parameter = declared.parameter(key)
        if key in OF_THE_JOB or key not in system.given or parameter.unit != "B":
            continue
        if int(text) * CHANGE_PCT < 100:
            continue  # a byte is more than 1 % of it, as for a bus 2 B wide
        for size in (int(text) + 1, int(text) - 1):
            low, high = values.limits(parameter)
            if low <= size <= high:
                change = Change(system, {key: str(size)})
                if fits(change):
                    yield change
