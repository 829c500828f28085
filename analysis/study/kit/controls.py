# SPDX-License-Identifier: GPL-2.0-only
"""Controls made of a scenario's declaration: a slider with a field for a number, a list for a
choice, a switch for a boolean.

A slider's positions are canonical texts, so that what it stands on can be typed as it is. They are
round values within the declared range and the system's own value.
"""

import math
from collections.abc import Iterator
from typing import Any

from study.kit.plan import Parameters, Plan
from study.programs import values
from study.programs.declaration import Declaration, Parameter
from study.programs.labels import spelt, unit

STEPS = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)  # positions in each power of ten
SHARES = 20  # positions over a range such as 0 to 1
REACH = 100.0  # a slider ranges from 1/100 to 100 times a value; its field accepts more


def form(declared: Declaration, plan: Plan, own: Parameters) -> dict[str, Any]:
    """Return a page's data for the controls of a system with parameters `own`."""
    made = {key: control(declared.parameter(key), own, plan) for key in plan.keys}
    opening, shortened = plan.opening(own), []
    if opening:
        size = made[plan.size]
        here, there = (f"{int(each):,}" for each in (opening[plan.size], size["own"]))
        shortened = [size["label"], here, size["unit"], there]
    return {
        "axis": plan.axis,
        # In place of the system's own; the words of a job that is simulated packet by packet.
        "opening": {"values": opening, "shortened": shortened},
        "sections": [
            {
                "title": section.title,
                "when": section.when,
                "controls": [made[key] for key in section.keys],
            }
            for section in plan.sections
        ],
    }


def control(parameter: Parameter, parameters: Parameters, plan: Plan) -> dict[str, Any]:
    """Return a page's data for one control: `choices` of a list, or a slider's `stops`, also as
    `numbers` for comparison."""
    number = values.is_number(parameter)
    positions = stops(parameter, parameters, plan) if number else []
    return {
        "key": parameter.key,
        "label": spelt(parameter.key),
        "kind": "number" if number else "choice" if parameter.choices else "switch",
        "unit": unit(parameter),
        "allowed": parameter.allowed(),
        "help": parameter.help,
        "own": values.readable(parameter, parameters[parameter.key]),
        "stops": [values.readable(parameter, text) for text in positions],
        "numbers": [place(parameter, text) for text in positions],
        "choices": parameter.choices,
    }


def place(parameter: Parameter, text: str) -> float:
    """Return a value's place on a slider: in ns, in bit/s or a bare number. JSON has no infinity,
    so "no limit" is twice the largest value."""
    return min(values.smallest(parameter, text), 2 * values.limits(parameter)[1])


def stops(parameter: Parameter, parameters: Parameters, plan: Plan) -> list[str]:
    """Return a slider's positions, ascending, as canonical texts. It ends where a larger value
    would require another parameter to change; the field accepts more."""
    here = values.smallest(parameter, parameters[parameter.key])
    low, high = values.limits(parameter)[0], values.most(parameter, here, parameters)
    usual = plan.usual.get(parameter.key, "")
    centre = _centre(parameter, here, usual)
    round_ = [*_round_values(parameter, centre, usual), *plan.stops.get(parameter.key, ())]
    inside = {float(number) for number in round_ if low <= number <= high}
    inside |= {end for end in (low, high) if centre / REACH <= end <= centre * REACH}
    inside |= {low, here} if low == 0 else {here}
    texts = (values.from_smallest(parameter, number).text for number in sorted(inside))
    return list(dict.fromkeys(texts))


def _centre(parameter: Parameter, here: float, usual: str) -> float:
    """Return the middle of a slider. If the value is an end of the range, such as 0 for "none", use
    the usual value."""
    if here in (*values.limits(parameter), math.inf) and usual:
        return values.smallest(parameter, usual)
    return here if 0 < here < math.inf else 1.0


def _round_values(parameter: Parameter, centre: float, usual: str) -> Iterator[float]:
    high = values.limits(parameter)[1]
    if parameter.type == "real" and high <= 1 and not usual:
        yield from (high * share / SHARES for share in range(SHARES + 1))
        return
    first, last = centre / REACH, centre * REACH
    for power in range(math.floor(math.log10(first)), math.ceil(math.log10(last)) + 1):
        for step in STEPS:
            number = step * 10.0**power
            whole = parameter.type == "real" or abs(number - round(number)) < 1e-9
            if first <= number <= last and whole:
                yield number if parameter.type == "real" else float(round(number))
