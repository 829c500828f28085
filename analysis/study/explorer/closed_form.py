# SPDX-License-Identifier: GPL-2.0-only
"""Closed form of a page's setting: the number beside the simulated one, and a line over one
parameter. The formulas are in Python, so only a page with a running study has them."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import inf
from typing import Any

from study.front.forms import plan_of
from study.kit import controls
from study.kit.scenario import judges
from study.programs import values
from study.programs.declaration import declaration
from study.system.system import System

PLACES = 120  # of the line
CURVES = 50  # that are kept


class Paper:
    """Answers questions for the closed form; a line is worked out once while its own slider
    moves."""

    def __init__(self) -> None:
        self._known: dict[tuple, dict[str, float | None]] = {}

    def answer(self, own: System, system: System, axis: str) -> dict[str, Any]:
        """`here` in the unit of the page's axis, or none; `lacks`, what the formula does not know;
        `line`, pairs of a number of the axis (ns, bit/s, or as it stands) and the figure."""
        plan, form = plan_of(system), judges(system.scenario).form
        parameters, before = system.parameters(), own.parameters()
        lacks = form.lacks(before, parameters)
        value = plan.on_paper(form, parameters)
        if not value or lacks:
            return {"here": None, "lacks": lacks if value else "", "line": []}
        here = plan.figure.on_axis(value)
        return {"here": here, "lacks": "", "line": list(self._line(own, system, axis))}

    def _line(self, own: System, system: System, axis: str) -> Iterator[tuple[float, float]]:
        plan, form = plan_of(system), judges(system.scenario).form
        parameter = declaration(system.scenario).parameter(axis)
        if not form.takes(axis):
            return
        parameters = system.parameters()
        stops = [*controls.stops(parameter, own.parameters(), plan), parameters[axis]]
        positive = sorted({values.smallest(parameter, text) for text in stops} - {0, inf})
        known = self._figures(system.scenario, axis, parameters)
        for text in _between(system.scenario, axis, tuple(positive)):
            if text not in known:
                known[text] = plan.on_paper(form, {**parameters, axis: text})
            if figure := known[text]:
                yield values.smallest(parameter, text), plan.figure.on_axis(figure)

    def _figures(
        self, scenario: str, key: str, parameters: Mapping[str, str]
    ) -> dict[str, float | None]:
        """By values of one parameter: they do not change where that one's slider moves."""
        curve = scenario, key, *(each for each in parameters.items() if each[0] != key)
        while curve not in self._known and len(self._known) >= CURVES:
            del self._known[next(iter(self._known))]
        return self._known.setdefault(curve, {})


@lru_cache(maxsize=200)
def _between(scenario: str, key: str, positive: tuple[float, ...]) -> list[str]:
    """Places of a line over these and between them, canonical."""
    axis, low, high = declaration(scenario).parameter(key), positive[0], positive[-1]
    between = [low * (high / low) ** (place / PLACES) for place in range(PLACES + 1)]
    numbers = sorted({*between, *positive})
    texts = [values.from_smallest(axis, min(max(number, low), high)).text for number in numbers]
    return list(dict.fromkeys(texts))
