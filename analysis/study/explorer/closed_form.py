# SPDX-License-Identifier: GPL-2.0-only
"""Closed form of a page's setting: the number beside the simulated one, and a line over one
parameter. The formulas are in Python, so only a page with a running study has them."""

from collections.abc import Iterator, Sequence
from math import inf
from typing import Any

from study.front.forms import plan_of
from study.kit import controls
from study.kit.scenario import judges
from study.programs import values
from study.programs.declaration import Parameter, declaration
from study.system.system import System

PLACES = 120  # of the line


def answer(own: System, system: System, axis: str) -> dict[str, Any]:
    """`here` in the unit of the page's axis, or none; `lacks`, what the formula does not know;
    `line`, pairs of a number of the axis (ns, bit/s, or as it stands) and the figure."""
    plan, form = plan_of(system), judges(system.scenario).form
    parameters, before = system.parameters(), own.parameters()
    lacks = form.lacks(before, parameters)
    value = plan.on_paper(form, parameters)
    if not value or lacks:
        return {"here": None, "lacks": lacks if value else "", "line": []}
    here = plan.figure.on_axis(value)
    return {"here": here, "lacks": "", "line": list(_line(own, system, axis))}


def _line(own: System, system: System, axis: str) -> Iterator[tuple[float, float]]:
    plan, form = plan_of(system), judges(system.scenario).form
    parameter = declaration(system.scenario).parameter(axis)
    if not form.takes(axis):
        return
    parameters = system.parameters()
    stops = [*controls.stops(parameter, own.parameters(), plan), parameters[axis]]
    positive = sorted({values.smallest(parameter, text) for text in stops} - {0, inf})
    for text in _between(parameter, positive):
        if figure := plan.on_paper(form, {**parameters, axis: text}):
            yield values.smallest(parameter, text), plan.figure.on_axis(figure)


def _between(parameter: Parameter, positive: Sequence[float]) -> list[str]:
    """Places of a line over these and between them, canonical."""
    low, high = positive[0], positive[-1]
    between = [low * (high / low) ** (place / PLACES) for place in range(PLACES + 1)]
    inside = (min(max(number, low), high) for number in sorted({*between, *positive}))
    return list(dict.fromkeys(values.from_smallest(parameter, number).text for number in inside))
