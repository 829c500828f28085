# SPDX-License-Identifier: GPL-2.0-only
"""What did it, of a change that helps or harms: of a host profile the parameters; of a gain beyond
all proportion the other number that the new rate rests on."""

from collections.abc import Mapping, Sequence
from math import inf, log

from study.kit.candidates import Change, typed
from study.kit.link import other_link
from study.programs import values
from study.programs.declaration import declaration
from study.programs.labels import spelt
from study.runs import numbers
from study.system.system import System

SHARE_OF_IT = 0.8  # of a profile's gain: whatever brings so much of it is what did it
MOST = 3  # parameters that are named together
JUMP = 1.5  # a gain this many times what the change itself is in proportion
RESTS = 0.25  # of proportion: a number with at least this effect on the new rate, and not before


def of_profiles(
    system: System, own: float, profiles: Mapping[str, tuple[System, float]]
) -> dict[str, Change | None]:
    """For each profile, by its name the system behind it and its rate, the parameters of it that
    bring its gain: as a change, or None where no few of them do."""
    declared = declaration(system.scenario)
    before = system.parameters()
    wanted = {
        name: {
            key: text
            for key, text in behind.parameters().items()
            if text != before[key] and not other_link(declared.parameter(key), before)
        }
        for name, (behind, _) in profiles.items()
    }
    single = list(dict.fromkeys(pair for each in wanted.values() for pair in each.items()))
    there = numbers.rates([_with(system, [pair]) for pair in single], "which of it")
    alone = dict(zip(single, there, strict=True))
    found: dict[str, Change | None] = {}
    for name, (_, its) in profiles.items():
        pairs = sorted(wanted[name].items(), key=lambda pair: -_gain(alone[pair], own, its))
        found[name] = None
        for count in range(1, min(MOST, len(pairs)) + 1):
            chosen = pairs[:count]
            rate = alone[chosen[0]]
            if count > 1:
                (rate,) = numbers.rates([_with(system, chosen)], "which of it")
            if _gain(rate, own, its) >= SHARE_OF_IT:
                found[name] = _change(system, chosen, name)
                break
    return found


def _with(system: System, pairs: Sequence[tuple[str, str]]) -> System:
    return system.with_(**dict(pairs))


def _gain(rate: float | None, own: float, whole: float) -> float:
    """Of a profile's change of the rate the share that this is."""
    if not own or not whole or not rate:
        return float(bool(rate) == bool(whole))
    return log(rate / own) / log(whole / own) if whole != own else 0.0


def _change(system: System, pairs: Sequence[tuple[str, str]], name: str) -> Change:
    declared = declaration(system.scenario)
    shown = {key: values.readable(declared.parameter(key), text) for key, text in pairs}
    words = ", ".join(f"{spelt(key)} {text}" for key, text in shown.items())
    return Change(f"{words}, as {name} has it", typed(declared, shown), _with(system, pairs))


def rests_on(system: System, changed: System, own: float, its: float) -> str:
    """Of a gain out of proportion: the number that the new rate follows and the old one did not,
    with what it rests on itself; nothing for a gain in proportion."""
    if not own or not its or its / own < JUMP * _proportion(system, changed):
        return ""
    system, changed = numbers.shortened(system), numbers.shortened(changed)
    declared, parameters = declaration(changed.scenario), changed.parameters()
    keys = [
        key
        for key in numbers.movable(changed, declared.parameters)
        if parameters[key] == system.parameters()[key]
        and not other_link(declared.parameter(key), parameters)
    ]
    before = numbers.effects(system, keys, "what it rests on")
    after = numbers.effects(changed, keys, "what it rests on")
    most = RESTS * numbers.SHARE
    new = {key: abs(after[key]) for key in keys if abs(after[key]) >= most > abs(before[key])}
    if not new:
        return ""
    key = max(new, key=new.__getitem__)
    setting = changed.settings.get(key)
    basis = (setting.bound or setting.basis) if setting else "the default"
    basis = "given" if key in changed.changes else basis
    return f"rests on {spelt(key)} = {numbers.shown_value(changed, key)} ({basis})"


def _proportion(system: System, changed: System) -> float:
    """By how much the change itself is larger or smaller; 1 for a choice."""
    declared, before, after = (
        declaration(system.scenario),
        system.parameters(),
        changed.parameters(),
    )
    factor = 1.0
    for key in after:
        parameter = declared.parameter(key)
        if after[key] == before[key] or not values.is_number(parameter):
            continue
        pair = [values.smallest(parameter, each[key]) for each in (before, after)]
        if all(0 < number < inf for number in pair):
            factor = max(factor, pair[0] / pair[1], pair[1] / pair[0])
    return factor
