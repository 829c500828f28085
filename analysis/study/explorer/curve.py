# SPDX-License-Identifier: GPL-2.0-only
"""What the explorer's curve is made of: the chosen point, simulated jobs, the closed form, and what
was measured, over one parameter."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from study.base.errors import StudyError
from study.base.units import MEASURED
from study.explorer.runner import Runner
from study.kit import controls
from study.kit.plan import Plan
from study.kit.scenario import judges
from study.programs import values
from study.programs.declaration import Parameter, declaration
from study.programs.labels import axis_label
from study.system.measured import Measured
from study.system.system import Result, System

MARKS, PAPER = 12, 120  # points of the curve: simulated, and by the closed form
MARK_S = 0.25  # a job that takes longer is not drawn among them
PATIENCE_S = 0.1  # how long simulated points may take until the page hears of them


@dataclass(frozen=True)
class Mark:
    """A point of the curve's picture."""

    x: float  # in the base unit of the axis' parameter
    y: float  # in the unit of the figure's axis
    name: str = ""


class Points:
    """Of a system with changes, over one of its parameters; `own` is the system without them."""

    def __init__(self, own: System, system: System, plan: Plan, runner: Runner, key: str) -> None:
        self._own, self._system, self._plan, self._runner = own, system, plan, runner
        self._axis: Parameter = declaration(system.scenario).parameter(key)
        self._parameters = runner.parameters(system)
        beside = runner.parameters(own)
        self.here, self._own_place = self._parameters[key], beside[key]
        self._stops = controls.stops(self._axis, beside, plan)
        self.label = axis_label(self._axis)
        self.figure, self.paper_note = plan.figure.label, plan.paper_note

    def simulate(self) -> None:
        """Some of the points that are not known, as many as there is patience for."""
        began = time.monotonic()
        for system in self.unknown():
            self._runner.try_(system, MARK_S)
            if time.monotonic() - began > PATIENCE_S:
                break

    def unknown(self) -> list[System]:
        """The points that were not tried yet."""
        points = map(self._with, self._places())
        return [system for system in points if not self._runner.was_tried(system)]

    def shown(self, number: float) -> str:
        """A number of the axis as its slider would have it; nothing for what it cannot be."""
        try:
            return values.readable(self._axis, values.from_base(self._axis, number).text)
        except StudyError:
            return ""

    def chosen(self, result: Result) -> list[Mark]:
        """The job itself, if it has the figure."""
        return self._marks({self.here: self._plan.figure.of(result)})

    def simulated(self) -> list[Mark]:
        """The jobs that are known; one that never ends has 0, and no place in the picture."""
        known = {text: self._runner.known(self._with(text)) for text in self._places()}
        return [
            self._mark(text, self._plan.figure.of(result) or 0.0)
            for text, result in known.items()
            if result
        ]

    def paper(self) -> list[Mark]:
        """The figure by the closed form, where there is one."""
        form = judges(self._system.scenario).form
        own = self._runner.parameters(self._own)
        if not form.takes(self._axis.key) or form.lacks(own, self._parameters):
            return []
        stops = [*self._stops, self.here]
        positive = sorted({values.smallest(self._axis, text) for text in stops} - {0})
        scenario, key = self._system.scenario, self._axis.key
        known = self._runner.on_paper(scenario, key, self._parameters)
        marks = []
        for text, x in _between(scenario, key, tuple(positive)):
            if text not in known:
                known[text] = self._plan.on_paper(form, {**self._parameters, key: text})
            if figure := known[text]:
                marks.append(Mark(x, self._plan.figure.on_axis(figure)))
        return marks

    def measured(self) -> list[Mark]:
        """Where the stars are."""
        return [
            self._mark(
                row.with_.get(self._axis.key, self._own_place),
                row.value * MEASURED[row.unit],
                row.quantity,
            )
            for row in self._rows()
            if row.value
        ]

    def stars(self) -> list[str]:
        """What each star is, and where it is from."""
        used = {"input": "a parameter was set from it", "prediction": "no parameter was"}
        return [
            f"{row.quantity}: {row.text} {row.unit}; {used[row.used_as]} ({row.source})"
            for row in self._rows()
        ]

    def _marks(self, figures: Mapping[str, float | None]) -> list[Mark]:
        """By values of the parameter; zero has no place on a logarithmic scale."""
        return [self._mark(text, value) for text, value in figures.items() if value]

    def _mark(self, text: str, value: float, name: str = "") -> Mark:
        x = values.read(self._axis, text).number
        return Mark(float(x), self._plan.figure.on_axis(value), name)

    def _places(self) -> list[str]:
        """The slider's positions at which jobs are simulated."""
        last = len(self._stops) - 1
        return [
            self._stops[n] for n in sorted({round(n * last / (MARKS - 1)) for n in range(MARKS)})
        ]

    def _with(self, text: str) -> System:
        return self._system.with_(**{self._axis.key: text})

    def _rows(self) -> list[Measured]:
        """Measured figures stand where the system itself does, or where it was for them. Of those
        that were measured in other settings the ones that are as the page is now; then the others
        are of another job."""
        rows = [
            row
            for row in self._own.measured
            if row.kind in self._plan.figure.kinds and not row.compared and self._is_so(row.with_)
        ]
        closest = max((len(row.with_) for row in rows), default=0)
        return [row for row in rows if len(row.with_) == closest]

    def _is_so(self, settings: Mapping[str, str]) -> bool:
        """Whether the page has these, whatever the curve's parameter is."""
        declared = declaration(self._system.scenario)
        return all(
            key == self._axis.key
            or values.read(declared.parameter(key), text).text == self._parameters[key]
            for key, text in settings.items()
        )


@lru_cache(maxsize=200)
def _between(scenario: str, key: str, positive: tuple[float, ...]) -> list[tuple[str, float]]:
    """Places of a curve over these and between them: as texts, and in the base unit."""
    axis, low, high = declaration(scenario).parameter(key), positive[0], positive[-1]
    between = [low * (high / low) ** (place / PAPER) for place in range(PAPER + 1)]
    numbers = sorted({*between, *positive})
    texts = [values.from_smallest(axis, min(max(number, low), high)).text for number in numbers]
    return [(text, float(values.read(axis, text).number)) for text in dict.fromkeys(texts)]
