# SPDX-License-Identifier: GPL-2.0-only
"""What the page asks and what it is told: a system with some values in, pictures, a sentence and a
command out. Knows nothing of widgets, so that an ordinary cell, or a test, can ask as well."""

import shlex
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from analysis import report, values
from analysis.declaration import Declaration, Parameter, declaration
from analysis.drawing.limit_bars import spoken
from analysis.errors import StudyError
from analysis.explanations import guide
from analysis.explorer import controls, pictures
from analysis.explorer.controls import Control
from analysis.explorer.pictures import Curve, Mark
from analysis.explorer.plan import Plan
from analysis.explorer.runner import LONGEST_S, Runner
from analysis.hosts import hosts
from analysis.measured import Measured
from analysis.quantities import judges
from analysis.system import Result, System, systems
from analysis.units import MEASURED, bits_per_second

MARKS, PAPER = 12, 120  # points of the curve: simulated, and by the closed form
MARK_S = 0.25  # a job that takes longer is not drawn among them
PATIENCE_S = 0.1  # how long simulated points may take until the page hears of them
OWN_HOST = "its own"
STUDY = ".venv/bin/study"  # in the study's folder


@dataclass(frozen=True)
class Asked:
    """The state of the page. `values` are those that were touched; `marks` asks for the simulated
    points of the curve, which come after everything else."""

    system: str
    host: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    axis: str = ""
    marks: bool = False


class Session:
    """Answers one page after another; `plans` gives each scenario's plan."""

    def __init__(self, plans: Mapping[str, Plan]) -> None:
        self._plans, self._runner = plans, Runner()
        self._own: list[str] = []

    def begin_with(self, name: str) -> None:
        """Have a system among the presets that is not one of the study's: a path to its file."""
        system = systems[name]
        if system.scenario not in self._plans:
            raise StudyError(f"{name}: no module of analysis/explorer knows a {system.scenario}")
        if name not in list(systems):
            self._own.append(name)

    def presets(self) -> dict[str, str]:
        """Every system that can be explored, and its title."""
        found = {name: systems[name] for name in [*self._own, *systems]}
        return {name: each.title for name, each in found.items() if each.scenario in self._plans}

    def form(self, name: str) -> dict:
        """What the page makes its controls of."""
        system = systems[name]
        plan = self._plans[system.scenario]
        made = controls.of(system, declaration(system.scenario), plan)
        return {
            "system": name,
            "title": system.title,
            "host": system.host or OWN_HOST,
            "hosts": [OWN_HOST, *_hosts_for(system)] if not system.host else _hosts_for(system),
            "axis": plan.axis,
            "figure": plan.figure.name,
            "opening": self._opening(system, made),
            "sections": [
                {
                    "title": section.title,
                    "when": section.when,
                    "controls": [asdict(made[key]) for key in section.keys],
                }
                for section in plan.sections
            ],
        }

    def _opening(self, system: System, made: Mapping[str, Control]) -> dict:
        """The values that the page begins with instead of the system's own, and why."""
        plan = self._plans[system.scenario]
        opening = plan.opening(self._runner.parameters(system))
        if not opening:
            return {"values": {}, "why": ""}
        control = made[plan.size]
        why = (
            "This system's job is simulated packet by packet, so it begins shortened: "
            f"{control.label} {int(opening[plan.size]):,} {control.unit} instead of "
            f"{int(control.own):,}."
        )
        return {"values": opening, "why": why}

    def answer(self, asked: Asked) -> dict:
        """Errors by the control they belong to ("" for none of them), or what is to be seen."""
        system = systems[asked.system]
        declared, plan = declaration(system.scenario), self._plans[system.scenario]
        if asked.host not in ("", OWN_HOST, system.host):
            system = system.with_host(asked.host)
        changes, errors = _changes(system, declared, asked.values)
        if errors:
            return {"errors": errors}
        view = _View(system.with_(**changes), plan, declared, self._runner, asked)
        try:
            return view.marks() if asked.marks else view.all()
        except StudyError as error:
            flag, _, words = str(error).partition(": ")
            key = next((k for k, p in declared.parameters.items() if p.flag == flag), "")
            return {"errors": {key: words if key else str(error)}, "command": view.command()}

    def close(self) -> None:
        """End the program."""
        self._runner.close()


def _hosts_for(system: System) -> list[str]:
    """The profiles that this scenario can use."""
    usable = []
    for name in hosts:
        try:
            system.with_host(name)
        except StudyError:
            continue
        usable.append(name)
    return usable


def _changes(
    system: System, declared: Declaration, given: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, str]]:
    """What differs from the system, canonical and in the declared order; and what is wrong."""
    changes, errors = {}, {}
    for key, parameter in declared.parameters.items():
        if key not in given:
            continue
        try:
            text = values.read(parameter, _typed(parameter, given[key])).text
        except StudyError as error:
            errors[key] = str(error).removeprefix(f"{parameter.flag}: ")
            continue
        if text != controls.own_text(system, parameter):
            changes[key] = text
    return changes, errors


def _typed(parameter: Parameter, text: str) -> str:
    """As somebody types it who sees the unit: 10 ms, 2 920, 2920 B."""
    unit = controls.unit(parameter)
    return "".join(text.split()).removesuffix(unit) if values.is_number(parameter) else text


class _View:
    """One state of the page."""

    def __init__(
        self, system: System, plan: Plan, declared: Declaration, runner: Runner, asked: Asked
    ) -> None:
        self._system, self._plan, self._declared = system, plan, declared
        self._runner, self._asked = runner, asked
        self._parameters = runner.parameters(system)
        self._axis = declared.parameter(self._turned(asked.axis) or plan.axis)

    def all(self) -> dict:
        """Everything but the curve's simulated points that are not known yet."""
        result = self._runner.run(self._system)
        return {
            "errors": {},
            **self._values(),
            "headline": self._headline(result),
            "beside": self._beside(result),
            "sentence": sentence(result, self._plan),
            "command": self.command(),
            "value": self._plan.figure.of(result),
            "curve": self._curve(result),
            "bar": pictures.bar(result),
            "more": bool(self._unknown()),
            "stars": self._stars(),
            **self._ladder(),
        }

    def marks(self) -> dict:
        """More of the curve's simulated points, as many as there is patience for."""
        began = time.monotonic()
        for system in self._unknown():
            self._runner.try_(system, MARK_S)
            if time.monotonic() - began > PATIENCE_S:
                break
        return {
            "errors": {},
            "curve": self._curve(self._runner.run(self._system)),
            "more": bool(self._unknown()),
        }

    def command(self) -> str:
        """What to type for the same result."""
        words = [STUDY, "run", self._asked.system]
        if self._system.host != systems[self._asked.system].host:
            words += ["--host", self._system.host]
        for key, text in self._system.changes.items():
            parameter = self._declared.parameter(key)
            words += [f"--{parameter.flag}", controls.readable(parameter, text)]
        return shlex.join(words)

    def _values(self) -> dict:
        """What the controls stand on, and the same as numbers."""
        keys = [key for section in self._plan.sections for key in section.keys]
        declared = {key: self._declared.parameter(key) for key in keys}
        texts = {key: self._parameters[key] for key in keys}
        return {
            "values": {key: controls.readable(declared[key], texts[key]) for key in keys},
            "numbers": {
                key: values.smallest(declared[key], texts[key])
                for key in keys
                if values.is_number(declared[key])
            },
        }

    def _ladder(self) -> dict:
        scenario = self._system.scenario
        short = self._system.with_(**self._plan.short_job(self._parameters))
        result, ends = self._runner.packets(short), judges(scenario).ends
        found = guide(scenario).exchange(result, ends)
        if found is None:
            return {"ladder": "", "exchange": "this job never repeats an exchange"}
        ethernet = self._parameters.get("link", "ethernet") == "ethernet"
        rate = self._parameters.get("link_rate") if ethernet else None
        drawn = pictures.ladder(
            found, result.packets, ends, bits_per_second(rate) if rate else None
        )
        return {"ladder": drawn, "exchange": "; ".join(found.lines())}

    def _curve(self, result: Result) -> str:
        label = controls.label(self._axis)
        unit = controls.unit(self._axis)
        return pictures.curve(
            Curve(
                label=f"{label} ({unit})" if unit else label,
                figure=self._plan.figure.label,
                shown=self._shown,
                chosen=self._mark(self._parameters[self._axis.key], self._plan.figure.of(result)),
                chosen_text=f"{self._parameters[self._axis.key]}, {self._headline(result)}",
                paper=self._on_paper(),
                paper_note=self._plan.paper_note,
                simulated=self._simulated(),
                measured=self._measured(),
            )
        )

    def _headline(self, result: Result) -> str:
        """The number, or how the job ended without one."""
        value = self._plan.figure.of(result)
        return self._plan.figure.text(value) if value else result.outcome

    def _beside(self, result: Result) -> str:
        """The number as so many times that of the unchanged job, and the same on paper."""
        figure, value, said = self._plan.figure, self._plan.figure.of(result), []
        if not value:
            return ""
        system = systems[self._asked.system]
        system = system.with_(**self._plan.opening(self._runner.parameters(system)))
        if not self._runner.was_tried(system):
            self._runner.try_(system, LONGEST_S)
        before = self._runner.known(system)
        own = before and figure.of(before)
        if own and (system.changes, system.host) != (self._system.changes, self._system.host):
            said.append(f"{value / own:.4g} times the {figure.text(own)} of the unchanged job.")
        form = judges(self._system.scenario).form
        on_paper = self._plan.on_paper(form.of(self._parameters), self._parameters)
        if on_paper:
            off_pct = (on_paper / value - 1) * 100
            more = "more" if off_pct > 0 else "less"
            said.append(f"On paper {figure.text(on_paper)}, {abs(off_pct):.1f} % {more}.")
        return " ".join(said)

    def _turned(self, axis: str) -> str:
        """The same unless the job as it is takes no notice of that parameter."""
        for section in self._plan.sections:
            if axis in section.keys and section.when:
                key, value = section.when
                return axis if self._parameters[key] == value else ""
        return axis

    def _shown(self, number: float) -> str:
        """As its slider would have it; nothing for what the parameter cannot be."""
        try:
            return controls.readable(self._axis, values.from_base(self._axis, number).text)
        except StudyError:
            return ""

    def _mark(self, text: str, value: float | None, name: str = "") -> Mark | None:
        """A value of the figure where that parameter is; none for zero, which has no place on a
        logarithmic scale."""
        x = values.read(self._axis, text).number
        return Mark(float(x), self._plan.figure.on_axis(value), name) if value else None

    def _stops(self) -> list[str]:
        own = controls.own_text(systems[self._asked.system], self._axis)
        return controls.stops(self._axis, own, self._plan)

    def _points(self) -> list[str]:
        """The slider's positions at which jobs are simulated."""
        stops = self._stops()
        places = {round(place * (len(stops) - 1) / (MARKS - 1)) for place in range(MARKS)}
        return [stops[place] for place in sorted(places)]

    def _with(self, text: str) -> System:
        return self._system.with_(**{self._axis.key: text})

    def _unknown(self) -> list[System]:
        points = map(self._with, self._points())
        return [system for system in points if not self._runner.was_tried(system)]

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
        own = controls.own_text(systems[self._asked.system], self._axis)
        marks = (
            self._mark(
                row.with_.get(self._axis.key, own), row.value * MEASURED[row.unit], row.quantity
            )
            for row in self._rows()
        )
        return [mark for mark in marks if mark]

    def _stars(self) -> list[str]:
        """What each star is, and where it is from."""
        used = {"input": "a parameter was set from it", "prediction": "no parameter was"}
        return [
            f"{row.quantity}: {row.text} {row.unit}; {used[row.used_as]} ({row.source})"
            for row in self._rows()
        ]

    def _rows(self) -> list[Measured]:
        """Measured figures stand where the system itself does, or where it was for them. Of those
        that were measured in other settings the ones that are as the page is now; then the others
        are of another job."""
        system = systems[self._asked.system]
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


def three(time_s: float) -> str:
    """Seconds with a digit behind the point, or three digits where that would be few."""
    return f"{time_s:,.1f} s" if time_s >= 10 else f"{time_s:.3g} s"


def sentence(result: Result, plan: Plan) -> str:
    """What limits the job, in words."""
    if result.outcome != "finished":
        return f"The job is {result.outcome} after {three(result.duration_s)}: {result.reason}."
    first, *others = sorted(result.limits_s, key=lambda key: -result.limits_s[key])
    meaning = plan.limits.get(first, "")
    text = (
        f"{report.share_pct(result.limits_s, first):.1f} % of the job's {three(result.duration_s)}"
        f" is limited by: {spoken(first)}" + (f" ({meaning})." if meaning else ".")
    )
    share = report.share_pct(result.limits_s, others[0])
    return text + (f" Then {spoken(others[0])}: {share:.1f} %." if share >= 1 else "")
