# SPDX-License-Identifier: GPL-2.0-only
"""Numbers of a system that can be changed, the effect of each on the rate, and the distance to its
next step. The ranking of parameters and the answers use them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, inf, isfinite, log10

from study.programs import values
from study.programs.declaration import declaration
from study.system.mss import MTU
from study.system.system import System
from study.trials.job_sizes import SIZES, of_size, sketched_B
from study.trials.jobs import run_all
from study.trials.lengths import SAME, simulated_B

SHARE = 0.2  # each value is changed by this fraction
# They set the job and are no cause of its rate. The MTU follows the MSS, which is changed.
NOT_ASKED = ("seed", *SIZES, MTU)
COUNTED = ("integer", values.QUEUE)
SKETCHES = 4  # times the sketch's size
FACTORS = (1.5, 2.0, 4.0, 16.0, 64.0)  # in the search for a step
PARTS, ROUNDS = 4, 4  # then 4 parts between two factors, four times: to within half a percent
TENFOLD_PCT = 900.0  # from here on the text is a multiple
CHANGED = 0.01  # a smaller change of the rate is none


def sketch_of(system: System) -> System:
    """Return the system with a job that shows whether the rate changes."""
    return of_size(system, SKETCHES * sketched_B(system))


def rates(systems: Sequence[System]) -> list[float | None]:
    """Return the rate of each whole job in B/s or commands a second, or 0 if it did not finish,
    None if the program refuses its values. All systems have the same scenario, and the first one
    decides how much of the job is run."""
    found = run_all(systems, simulated_B(systems[0])) if systems else []
    return [None if each is None else each.rate or 0.0 for each in found]


def ratios(system: System, factors: Mapping[str, Iterable[float]]) -> dict[str, dict[float, float]]:
    """Return for each parameter and factor the rate at that multiple of its value, divided by the
    system's rate. Empty if the system has no rate."""
    tried = [(key, by, moved(system, key, by)) for key, some in factors.items() for by in some]
    tried = [each for each in tried if each[2] is not None]
    own, *found = rates([system, *(each for *_, each in tried)])
    there: dict[str, dict[float, float]] = {key: {} for key in factors}
    for (key, by, _), its in zip(tried, found, strict=True):
        if own and its is not None:
            there[key][by] = its / own
    return there


def movable(system: System, keys: Iterable[str]) -> list[str]:
    """Return the keys of numbers that can change by 20 %: no choices, zeros or small counts."""
    declared, own, found = declaration(system.scenario), system.parameters(), []
    for key in keys:
        parameter = declared.parameter(key)
        if not values.can_scale(parameter) or key in NOT_ASKED:
            continue
        value = values.smallest(parameter, own[key])
        small = parameter.type in COUNTED and abs(value) * SHARE < 0.5
        if value and isfinite(value) and not small:
            found.append(key)
    return found


def moved(system: System, key: str, factor: float) -> System | None:
    """Return the system with a parameter multiplied, within its range, or None without a change."""
    beside = system.parameters()
    own = beside[key]
    text = values.scaled(declaration(system.scenario).parameter(key), own, factor, beside)
    return None if text == own else system.with_(**{key: text})


def effects(system: System, keys: Iterable[str]) -> dict[str, float]:
    """Return for each parameter the relative change of the rate when its value changes by 20 %: the
    larger of both directions."""
    found = ratios(system, dict.fromkeys(keys, (1 + SHARE, 1 - SHARE)))
    return {
        key: max((its - 1 for its in there.values()), key=abs, default=0.0)
        for key, there in found.items()
    }


def deciding(system: System, keys: Sequence[str], least: float) -> list[str]:
    """Return the keys of numbers that alone change the rate by `least` of it or more when they
    change by 20 %. Most change nothing, so they are moved together, and groups that change the rate
    or are refused are halved."""
    found: list[str] = []
    groups = [list(keys)] if keys else []
    while groups:
        own, *there = rates(
            [
                system,
                *(_together(system, each, by) for each in groups for by in (1 + SHARE, 1 - SHARE)),
            ]
        )
        pairs = zip(there[::2], there[1::2], strict=True)
        changed = [
            each
            for each, its in zip(groups, pairs, strict=True)
            if own and any(rate is None or abs(rate / own - 1) >= least for rate in its)
        ]
        found += [each[0] for each in changed if len(each) == 1]
        groups = [part for each in changed if len(each) > 1 for part in _halves(each)]
    alone = effects(system, found)
    return [key for key in keys if abs(alone.get(key, 0.0)) >= least]


def _halves(keys: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    middle = len(keys) // 2
    return keys[:middle], keys[middle:]


def _together(system: System, keys: Sequence[str], factor: float) -> System:
    """Return the system with these parameters multiplied, within their ranges."""
    declared, beside = declaration(system.scenario), system.parameters()
    return system.with_(
        **{key: values.scaled(declared.parameter(key), beside[key], factor, beside) for key in keys}
    )


OWN_FACTORS = (0.8, 0.9, 1.1, 1.2)  # of the parameter's value
JUMP, JUMP_RATIO = 0.05, 3.0  # a jump's change of the rate, and its ratio to all others


def not_slopes(system: System, keys: Iterable[str]) -> dict[str, str]:
    """Return a remark for each parameter without a meaningful slope: it has no effect within 20 %,
    or the rate jumps between two values and is almost constant elsewhere."""
    found = ratios(system, dict.fromkeys(keys, OWN_FACTORS))
    return {
        key: words
        for key, there in found.items()
        if len(there) == len(OWN_FACTORS) and (words := _course({1.0: 1.0} | there))
    }


NEIGHBOURS = (0.98, 1.02)  # factors of the values next to the system's own


def islands(system: System, keys: Iterable[str]) -> dict[str, str]:
    """Return a remark for each parameter whose own value is an exception: all values within 20 %
    are slower, or all are faster."""
    beside = _apart(ratios(system, dict.fromkeys(keys, NEIGHBOURS)), len(NEIGHBOURS))
    left = _apart(ratios(system, dict.fromkeys(beside, OWN_FACTORS)), len(OWN_FACTORS))
    return {key: _alone(system, key, beside[key]) for key in left}


def _apart(found: Mapping[str, Mapping[float, float]], count: int) -> dict[str, list[float]]:
    """Return the relative changes of parameters whose rate changes in the same direction, by at
    least JUMP, at all other values."""
    changes = {key: [its - 1 for its in there.values()] for key, there in found.items()}
    return {
        key: each
        for key, each in changes.items()
        if len(each) == count and (max(each) <= -JUMP or min(each) >= JUMP)
    }


def _alone(system: System, key: str, changes: Sequence[float]) -> str:
    near = [moved(system, key, factor) for factor in NEIGHBOURS]
    own, *names = (shown_value(each, key) for each in (system, *near))
    each = [f"{change * 100:+.0f} %" for change in changes]
    told = f"are {each[0]}" if each[0] == each[1] else f"are {each[0]} and {each[1]}"
    speed = "fast" if changes[0] < 0 else "slow"
    return f"{own} alone is {speed}: {' and '.join(names)} {told}"


def _course(there: Mapping[float, float]) -> str:
    factors = sorted(there)
    if all(abs(its - 1) < SAME for its in there.values()):
        return f"nothing within {SHARE * 100:.0f} %"
    steps = {pair: abs(there[pair[1]] - there[pair[0]]) for pair in pairwise(factors)}
    (low, high), most = max(steps.items(), key=lambda each: each[1])
    if most < JUMP or most < JUMP_RATIO * (sum(steps.values()) - most):
        return ""
    away, ratio = (high - 1, there[high]) if low >= 1 else (low - 1, there[low])
    return f"a jump within {away * 100:+.0f} %, to {ratio:.2g} times the rate"


@dataclass(frozen=True)
class Step:
    """The nearest value at which the rate changes, for a parameter without effect within 20 %."""

    key: str
    own: str
    value: str
    change_pct: float
    factor: float  # of the system's value

    @property
    def text(self) -> str:
        """The step as a line of text."""
        change = f"{self.change_pct:+.3g} %"
        if self.change_pct >= TENFOLD_PCT:
            change = f"x {self.change_pct / 100 + 1:,.0f}"
        return f"{self.key}: {change} at {self.value} (it is {self.own})"


def next_steps(system: System, keys: Sequence[str]) -> list[Step]:
    """Return the nearest step of each parameter, up or down, within a factor of 64. Whole jobs are
    run only where a short one, or the last factor, changes the rate."""
    ways = [(key, sign) for key in keys for sign in (1, -1)]
    short = sketch_of(system)
    found = _first(short, ways)
    if short != system:
        left = [way for way in ways if way not in found]
        found |= _changed(system, dict.fromkeys(left, FACTORS[-1:]), {})
        found = _first(system, list(found))
    for _ in range(ROUNDS):
        found = _changed(system, {way: _between(*ends) for way, ends in found.items()}, found)
    nearest: dict[str, tuple[float, float]] = {}
    for (key, sign), (_, away) in found.items():
        if key not in nearest or away < nearest[key][0]:
            nearest[key] = away, away**sign
    at = {key: _rounded(system, key, factor) for key, (_, factor) in nearest.items()}
    own, *there = rates([system, *at.values()])
    steps = [
        Step(
            key,
            *(shown_value(each, key) for each in (system, step)),
            100 * (its / own - 1),
            nearest[key][1],
        )
        for (key, step), its in zip(at.items(), there, strict=True)
        if own and its is not None
    ]
    return sorted(steps, key=lambda step: abs(log10(step.factor)))


Way = tuple[str, int]  # a parameter's key, and the direction: larger (1) or smaller (-1)
Ends = tuple[float, float]  # a factor without a change of the rate, and the next one with a change


def _first(system: System, ways: Sequence[Way]) -> dict[Way, Ends]:
    """Return the first two of FACTORS between which the rate changes, where it does. A factor is
    tried only if the nearer ones change nothing: a small MSS takes many packets."""
    ends = dict.fromkeys(ways, (1.0, inf))
    for by in FACTORS:
        left = {way: each for way, each in ends.items() if each[1] == inf}
        ends |= _changed(system, dict.fromkeys(left, (by,)), left)
    return {way: each for way, each in ends.items() if each[1] < inf}


def _changed(
    system: System, factors: Mapping[Way, Sequence[float]], before: Mapping[Way, Ends]
) -> dict[Way, Ends]:
    """Return the two successive factors between which the rate changes, where it does."""
    asked: dict[str, list[float]] = {key: [] for key, _ in factors}
    for (key, sign), some in factors.items():
        asked[key] += [by**sign for by in some]
    there, ends = ratios(system, asked), dict(before)
    for way, some in factors.items():
        key, sign = way
        near = before[way][0] if way in before else 1.0
        for by in some:
            its = there[key].get(by**sign)
            if its is not None and abs(its - 1) >= CHANGED:
                ends[way] = near, by
                break
            near = near if its is None else by
        else:
            if way in before:
                ends[way] = near, before[way][1]
    return ends


def _between(near: float, away: float) -> list[float]:
    return [near * (away / near) ** (place / PARTS) for place in range(1, PARTS)]


def _rounded(system: System, key: str, factor: float) -> System:
    """Return the system at the step or just beyond it, rounded to three digits."""
    parameter = declaration(system.scenario).parameter(key)
    own = system.parameters()[key]
    if parameter.type in COUNTED:
        return moved(system, key, factor) or system
    number = values.smallest(parameter, own) * factor
    unit = 10.0 ** (floor(log10(number)) - 2)
    number = (ceil if factor > 1 else floor)(number / unit) * unit
    low, high = values.limits(parameter)
    text = values.from_smallest(parameter, min(max(number, low), high)).text
    return system.with_(**{key: text})


def shown_value(system: System, key: str) -> str:
    """Return the parameter's value with its unit."""
    return values.for_a_reader(
        declaration(system.scenario).parameter(key), system.parameters()[key]
    )
