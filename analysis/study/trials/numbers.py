# SPDX-License-Identifier: GPL-2.0-only
"""The numbers of a system that can be moved, what the rate does when one is, and how far away the
next step of it is: what the ranking of parameters and the answers ask."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, isfinite, log10

from study.programs import values
from study.programs.declaration import declaration
from study.runs.batch import try_batch
from study.runs.outcomes import Failure
from study.system.system import System
from study.trials.jobs import LEAST_B, SIZES, counts_commands, of_size, sketched_B

SHARE = 0.2  # how far each value is moved, of itself
# What is asked for, and no cause of its pace.
NOT_ASKED = ("seed", *SIZES)
SKETCHES = 4  # so many times the job that shows whether a change does anything
FIRST, REACH = 1.5, 64.0  # the search for a step: factors from here to there, each the last squared
PARTS, ROUNDS = 8, 3  # then between two of them: 8 parts, three times, so to half a percent
TENFOLD_PCT = 900.0  # from here on a multiple says more
CHANGED = 0.01  # a rate that changes by less has not


def shortened(system: System) -> System:
    """With no more of the job than is needed: all that repeats itself has its rate by then."""
    return of_size(system, LEAST_B)


def sketch_of(system: System) -> System:
    """With what shows whether the rate changes."""
    return of_size(system, SKETCHES * sketched_B(system))


def rate(system: System, record: Mapping) -> float:
    """Bytes a second, or commands a second; of a run that did not finish, none."""
    if record["outcome"] != "finished":
        return 0.0
    if counts_commands(system):
        return float(record["parameters"]["commands"]) / record["duration_s"]
    return record["throughput_Bps"]


def rates(systems: Sequence[System], doing: str) -> list[float | None]:
    """Of many runs of one scenario; None where values do not go together, which is no rate."""
    if not systems:
        return []
    records = try_batch(systems[0].scenario, [each.flags() for each in systems], doing)
    return [
        None if isinstance(record, Failure) else rate(each, record)
        for each, record in zip(systems, records, strict=True)
    ]


def movable(system: System, keys: Iterable[str]) -> list[str]:
    """Those that are numbers with 20 % of their own: no choices, zeros and small counts."""
    declared, own, found = declaration(system.scenario), system.parameters(), []
    for key in keys:
        parameter = declared.parameter(key)
        if not values.is_number(parameter) or key in NOT_ASKED:
            continue
        value = values.smallest(parameter, own[key])
        small = parameter.type == "integer" and abs(value) * SHARE < 0.5
        if value and isfinite(value) and not small:
            found.append(key)
    return found


def moved(system: System, key: str, factor: float) -> System | None:
    """With so many times its value, as far as its range goes; None where that is no change."""
    beside = system.parameters()
    own = beside[key]
    text = values.scaled(declaration(system.scenario).parameter(key), own, factor, beside)
    return None if text == own else system.with_(**{key: text})


def effects(system: System, keys: Sequence[str], doing: str) -> dict[str, float]:
    """Of each number: by what share the rate changes when it is moved by 20 %, the larger of both
    ways. Nothing for a system without a rate."""
    tried = [(key, moved(system, key, factor)) for key in keys for factor in (1.2, 0.8)]
    tried = [(key, each) for key, each in tried if each is not None]
    own, *found = rates([system, *(each for _, each in tried)], doing)
    changes = dict.fromkeys(keys, 0.0)
    for (key, _), its in zip(tried, found, strict=True):
        change = its / own - 1 if own and its is not None else 0.0
        changes[key] = max(changes[key], change, key=abs)
    return changes


ALONE = (0.8, 0.9, 1.1, 1.2)  # of its own value
STILL = 0.001  # of the rate
JUMP, OTHERS = 0.05, 3.0  # of the rate; and so many times all that it changes beside


def not_slopes(system: System, keys: Sequence[str], doing: str) -> dict[str, str]:
    """Of numbers that are moved alone: those that do nothing within 20 %, and those by which the
    rate jumps between two values and hardly moves beside. Of such a slope says nothing."""
    tried = [(key, factor, moved(system, key, factor)) for key in keys for factor in ALONE]
    tried = [each for each in tried if each[2] is not None]
    own, *found = rates([system, *(each for *_, each in tried)], doing)
    told: dict[str, str] = {}
    for key in keys if own else ():
        there = {1.0: 1.0}
        for (other, factor, _), its in zip(tried, found, strict=True):
            if other == key and its is not None:
                there[factor] = its / own
        if len(there) > len(ALONE) and (words := _course(there)):
            told[key] = words
    return told


BESIDE = (0.98, 1.02)  # the neighbours of a value that may be alone with its rate


def islands(system: System, keys: Sequence[str], doing: str) -> dict[str, str]:
    """Of numbers that are moved alone: those whose own value is alone with its rate, as both its
    neighbours are slower, or both faster, and so is all within 20 %."""
    left = list(keys)
    for factors in (BESIDE, ALONE):
        tried = [(key, moved(system, key, factor)) for key in left for factor in factors]
        tried = [(key, each) for key, each in tried if each is not None]
        own, *found = rates([system, *(each for _, each in tried)], doing)
        changes: dict[str, list[float]] = {key: [] for key in left if own}
        for (key, _), its in zip(tried, found, strict=True):
            if key in changes and its is not None:
                changes[key].append(its / own - 1)
        left = [key for key, each in changes.items() if _is_other(each, len(factors))]
        if factors == BESIDE:
            beside = changes
    return {key: _alone(system, key, beside[key]) for key in left}


def _is_other(changes: Sequence[float], count: int) -> bool:
    """Whether all of them go the same way, and far."""
    if len(changes) < count:
        return False
    return max(changes) <= -JUMP or min(changes) >= JUMP


def _alone(system: System, key: str, changes: Sequence[float]) -> str:
    near = [moved(system, key, factor) for factor in BESIDE]
    own, *names = (shown_value(each, key) for each in (system, *near))
    each = [f"{change * 100:+.0f} %" for change in changes]
    told = f"are {each[0]}" if each[0] == each[1] else f"are {each[0]} and {each[1]}"
    speed = "fast" if changes[0] < 0 else "slow"
    return f"{own} alone is {speed}: {' and '.join(names)} {told}"


def _course(there: Mapping[float, float]) -> str:
    factors = sorted(there)
    if all(abs(its - 1) < STILL for its in there.values()):
        return f"nothing within {SHARE * 100:.0f} %"
    steps = {pair: abs(there[pair[1]] - there[pair[0]]) for pair in pairwise(factors)}
    (low, high), most = max(steps.items(), key=lambda each: each[1])
    if most < JUMP or most < OTHERS * (sum(steps.values()) - most):
        return ""
    away, ratio = (high - 1, there[high]) if low >= 1 else (low - 1, there[low])
    return f"a jump within {away * 100:+.0f} %, to {ratio:.2g} times the rate"


@dataclass(frozen=True)
class Step:
    """The nearest value at which the rate changes, where moving by 20 % does nothing."""

    key: str
    own: str
    value: str
    change_pct: float
    factor: float  # of its own value

    @property
    def text(self) -> str:
        """As a reader has it."""
        change = f"{self.change_pct:+.3g} %"
        if self.change_pct >= TENFOLD_PCT:
            change = f"x {self.change_pct / 100 + 1:,.0f}"
        return f"{self.key}: {change} at {self.value} (it is {self.own})"


def next_steps(system: System, keys: Sequence[str], doing: str) -> list[Step]:
    """For each number the nearer step of both ways, if there is one within 64 times its value."""
    own = rates([system], doing)[0]
    if not own:
        return []
    factors, factor = [], FIRST
    while factor <= REACH:
        factors.append(factor)
        factor **= 2 if factor > 2 else 1.5
    ways = [(key, sign) for key in keys for sign in (1, -1)]
    found = _changed(system, own, {way: factors for way in ways}, doing)
    for _ in range(ROUNDS):
        between = {way: _between(*ends) for way, ends in found.items()}
        found |= _changed(system, own, between, doing, found)
    nearest: dict[str, tuple[float, float]] = {}
    for (key, sign), (_, away) in found.items():
        if key not in nearest or away < nearest[key][0]:
            nearest[key] = away, away**sign
    at = {key: _rounded(system, key, factor) for key, (_, factor) in nearest.items()}
    there = rates([system, *at.values()], doing)[1:]
    steps = [
        Step(
            key,
            *(shown_value(each, key) for each in (system, step)),
            100 * (its / own - 1),
            nearest[key][1],
        )
        for (key, step), its in zip(at.items(), there, strict=True)
        if its is not None
    ]
    return sorted(steps, key=lambda step: abs(log10(step.factor)))


Way = tuple[str, int]  # a number, and whether it is made larger (1) or smaller (-1)
Ends = tuple[float, float]  # a factor at which nothing changes, and the next that does


def _changed(
    system: System,
    own: float,
    factors: Mapping[Way, Sequence[float]],
    doing: str,
    before: Mapping[Way, Ends] | None = None,
) -> dict[Way, Ends]:
    """Between which two of its factors the rate changes; only those where it does."""
    tried = [(way, f, moved(system, way[0], f ** way[1])) for way in factors for f in factors[way]]
    tried = [each for each in tried if each[2] is not None]
    there = rates([system, *(each for *_, each in tried)], doing)[1:]
    ends: dict[Way, Ends] = {}
    last = {way: near for way, (near, _) in (before or {}).items()}
    for (way, factor, _), its in zip(tried, there, strict=True):
        if way in ends or its is None:
            continue
        if abs(its / own - 1) >= CHANGED:
            ends[way] = last.get(way, 1.0), factor
        last[way] = factor
    left = {way: (last[way], away) for way, (_, away) in (before or {}).items() if way not in ends}
    return left | ends


def _between(near: float, away: float) -> list[float]:
    return [near * (away / near) ** (place / PARTS) for place in range(1, PARTS)]


def _rounded(system: System, key: str, factor: float) -> System:
    """At the step, or just behind it, with three digits where more say nothing."""
    parameter = declaration(system.scenario).parameter(key)
    own = system.parameters()[key]
    if parameter.type == "integer":
        return moved(system, key, factor) or system
    number = values.smallest(parameter, own) * factor
    unit = 10.0 ** (floor(log10(number)) - 2)
    number = (ceil if factor > 1 else floor)(number / unit) * unit
    low, high = values.limits(parameter)
    text = values.from_smallest(parameter, min(max(number, low), high)).text
    return system.with_(**{key: text})


def shown_value(system: System, key: str) -> str:
    """With its unit."""
    return values.for_a_reader(
        declaration(system.scenario).parameter(key), system.parameters()[key]
    )
