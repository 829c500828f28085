# SPDX-License-Identifier: GPL-2.0-only
"""The curve of the explorer: the chosen point, simulated jobs, the closed form, and what was
measured, over one parameter."""

import time
from collections.abc import Mapping

from study.base.errors import StudyError
from study.base.units import MEASURED
from study.explorer import controls, pictures
from study.explorer.pictures import Curve, Mark
from study.explorer.runner import Runner
from study.kit.plan import Plan
from study.kit.scenario import judges
from study.programs import values
from study.programs.declaration import Declaration, Parameter
from study.programs.labels import axis_label
from study.system.measured import Measured
from study.system.system import Result, System

MARKS, PAPER = 12, 120  # points of the curve: simulated, and by the closed form
MARK_S = 0.25  # a job that takes longer is not drawn among them
PATIENCE_S = 0.1  # how long simulated points may take until the page hears of them


class Points:
    """Of a system with changes, over one of its parameters; `own` is the system without them."""

    def __init__(
        self,
        own: System,
        system: System,
        plan: Plan,
        declared: Declaration,
        runner: Runner,
        axis: Parameter,
    ) -> None:
        self._own, self._system, self._plan = own, system, plan
        self._declared, self._runner, self._axis = declared, runner, axis
        self._parameters = runner.parameters(system)

    def drawn(self, result: Result, headline: str) -> str:
        """The picture, with the simulated points that are known."""
        here = self._parameters[self._axis.key]
        return pictures.curve(
            Curve(
                label=axis_label(self._axis),
                figure=self._plan.figure.label,
                shown=self._shown,
                chosen=self._mark(here, self._plan.figure.of(result)),
                chosen_text=f"{here}, {headline}",
                paper=self._on_paper(),
                paper_note=self._plan.paper_note,
                simulated=self._simulated(),
                measured=self._measured(),
            )
        )

    def simulate(self) -> None:
        """Some of the points that are not known, as many as there is patience for."""
        began = time.monotonic()
        for system in self.unknown():
            self._runner.try_(system, MARK_S)
            if time.monotonic() - began > PATIENCE_S:
                break

    def unknown(self) -> list[System]:
        """The points that were not tried yet."""
        points = map(self._with, self._points())
        return [system for system in points if not self._runner.was_tried(system)]

    def stars(self) -> list[str]:
        """What each star is, and where it is from."""
        used = {"input": "a parameter was set from it", "prediction": "no parameter was"}
        return [
            f"{row.quantity}: {row.text} {row.unit}; {used[row.used_as]} ({row.source})"
            for row in self._rows()
        ]

    def _shown(self, number: float) -> str:
        """As its slider would have it; nothing for what the parameter cannot be."""
        try:
            return values.readable(self._axis, values.from_base(self._axis, number).text)
        except StudyError:
            return ""

    def _mark(self, text: str, value: float | None, name: str = "") -> Mark | None:
        """A value of the figure where that parameter is; none for zero, which has no place on a
        logarithmic scale."""
        x = values.read(self._axis, text).number
        return Mark(float(x), self._plan.figure.on_axis(value), name) if value else None

    def _stops(self) -> list[str]:
        own = controls.own_text(self._own, self._axis)
        return controls.stops(self._axis, own, self._plan)

    def _points(self) -> list[str]:
        """The slider's positions at which jobs are simulated."""
        stops = self._stops()
        places = {round(place * (len(stops) - 1) / (MARKS - 1)) for place in range(MARKS)}
        return [stops[place] for place in sorted(places)]

    def _with(self, text: str) -> System:
        return self._system.with_(**{self._axis.key: text})

    def _simulated(self) -> list[Mark]:
        marks = []
        for text in self._points():
            result = self._runner.known(self._with(text))
            if result and not self._plan.figure.of(result):
                marks.append(Mark(float(values.read(self._axis, text).number), 0.0))
            elif result:
                marks.append(self._mark(text, self._plan.figure.of(result)))
        return [mark for mark in marks if mark]

    def _on_paper(self) -> list[Mark]:
        form = judges(self._system.scenario).form
        if not form.takes(self._axis.key):
            return []
        stops = [*self._stops(), self._parameters[self._axis.key]]
        positive = sorted({values.smallest(self._axis, text) for text in stops} - {0})
        low, high = positive[0], positive[-1]
        between = [low * (high / low) ** (place / PAPER) for place in range(PAPER + 1)]
        numbers = sorted({*between, *positive})
        texts = dict.fromkeys(
            values.from_smallest(self._axis, min(max(number, low), high)).text for number in numbers
        )
        marks = []
        for text in texts:
            parameters = {**self._parameters, self._axis.key: text}
            value = self._plan.on_paper(form.of(parameters), parameters)
            marks.append(self._mark(text, value))
        return [mark for mark in marks if mark]

    def _measured(self) -> list[Mark]:
        """Where the stars are."""
        own = controls.own_text(self._own, self._axis)
        marks = (
            self._mark(
                row.with_.get(self._axis.key, own), row.value * MEASURED[row.unit], row.quantity
            )
            for row in self._rows()
        )
        return [mark for mark in marks if mark]

    def _rows(self) -> list[Measured]:
        """Measured figures stand where the system itself does, or where it was for them. Of those
        that were measured in other settings the ones that are as the page is now; then the others
        are of another job."""
        system = self._own
        rows = [
            row
            for row in system.measured
            if row.kind in self._plan.figure.kinds and not row.compared and self._is_so(row.with_)
        ]
        closest = max((len(row.with_) for row in rows), default=0)
        return [row for row in rows if len(row.with_) == closest]

    def _is_so(self, settings: Mapping[str, str]) -> bool:
        """Whether the page has these, whatever the curve's parameter is."""
        return all(
            key == self._axis.key
            or values.read(self._declared.parameter(key), text).text == self._parameters[key]
            for key, text in settings.items()
        )
