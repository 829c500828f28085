# SPDX-License-Identifier: GPL-2.0-only
"""One state of the explorer's page: the number and what stands beside it, the sentence, the command
and the pictures."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from study.answers import outcome
from study.base.project import ROOT
from study.base.units import bits_per_second
from study.catalogue import systems
from study.explorer import pictures
from study.explorer.curve import Points
from study.explorer.runner import Runner
from study.judging.reproduction import percent
from study.kit import paper
from study.kit.plan import Plan
from study.kit.scenario import guide, judges
from study.programs import values
from study.programs.declaration import declaration
from study.programs.labels import spelt
from study.system.system import Result, System

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


class View:
    """One state of the page."""

    def __init__(self, system: System, plan: Plan, runner: Runner, asked: Asked) -> None:
        self._system, self._plan, self._runner = system, plan, runner
        self._asked, self._own = asked, systems[asked.system]
        self._declared = declaration(system.scenario)
        self._parameters = runner.parameters(system)
        axis = self._turned(asked.axis) or plan.axis
        self._points = Points(self._own, system, plan, runner, axis)

    def all(self) -> dict:
        """Everything but the curve's simulated points that are not known yet."""
        result = self._runner.run(self._system)
        return {
            **self._values(),
            "headline": self._headline(result),
            "beside": self._beside(result),
            "sentence": sentence(result, self._plan),
            "command": self.command(),
            "value": self._plan.figure.of(result),
            "bar": pictures.bar(result),
            "stars": self._points.stars(),
            **self._ladder(),
            **self._curve(result),
        }

    def marks(self) -> dict:
        """More of the curve's simulated points, as many as there is patience for."""
        self._points.simulate()
        return self._curve(self._runner.run(self._system))

    def _curve(self, result: Result) -> dict:
        drawn = pictures.curve(self._points, result, self._headline(result))
        return {"errors": {}, "curve": drawn, "more": bool(self._points.unknown())}

    def command(self) -> str:
        """What to type for the same result."""
        name = self._asked.system
        if name.endswith(".toml"):  # the kernel's folder may be another than the command's
            file = Path(name).resolve()
            name = str(file.relative_to(ROOT) if file.is_relative_to(ROOT) else file)
        words = [STUDY, "run", name]
        if self._system.host != self._own.host:
            words += ["--host", self._system.host]
        for key, text in self._system.changes.items():
            parameter = self._declared.parameter(key)
            words += [f"--{parameter.flag}", values.readable(parameter, text)]
        return shlex.join(words)

    def _values(self) -> dict:
        """What the controls stand on, and the same as numbers."""
        both = {
            key: (self._declared.parameter(key), self._parameters[key]) for key in self._plan.keys
        }
        numbers = {key: each for key, each in both.items() if values.is_number(each[0])}
        return {
            "values": {key: values.readable(*each) for key, each in both.items()},
            "numbers": {key: values.smallest(*each) for key, each in numbers.items()},
        }

    def _ladder(self) -> dict:
        scenario = self._system.scenario
        short = self._system.with_(**self._plan.short_job(self._parameters))
        result, known = self._runner.packets(short), judges(scenario)
        found = guide(scenario).exchange(result, known.ends)
        if found is None:
            return {"ladder": "", "exchange": "this job never repeats an exchange"}
        ethernet = self._parameters.get("link", "ethernet") == "ethernet"
        rate = self._parameters.get("link_rate") if ethernet else None
        drawn = pictures.ladder(
            found, result.packets, known, bits_per_second(rate) if rate else None
        )
        return {"ladder": drawn, "exchange": "; ".join(found.lines())}

    def _headline(self, result: Result) -> str:
        """The number, or how the job ended without one."""
        value = self._plan.figure.of(result)
        return self._plan.figure.text(value) if value else result.outcome

    def _beside(self, result: Result) -> str:
        """The number as so many times that of the unchanged job, and the same on paper."""
        figure, value, said = self._plan.figure, self._plan.figure.of(result), []
        if not value:
            return ""
        system, size = self._own, self._plan.size
        if self._plan.opening(self._runner.parameters(system)):  # the page began with another size
            system = system.with_(**{size: self._parameters[size]})
        before = self._runner.try_(system)
        own = before and figure.of(before)
        if own and self._runner.parameters(system) != self._parameters:
            said.append(f"{value / own:.4g} times the {figure.text(own)} of the unchanged job.")
        form = judges(self._system.scenario).form
        on_paper = self._plan.on_paper(form, self._parameters)
        unknown = form.lacks(self._runner.parameters(self._own), self._parameters)
        if on_paper and unknown:
            said.append(f"On paper: {unknown}.")
        elif on_paper:
            remark = paper.remark(on_paper, value)
            text = f"On paper {figure.text(on_paper)}"
            close = f" ({percent(paper.off_pct(on_paper, value), '+.2f')} %)"
            said.append(f"{text}, {remark}." if remark else f"{text}{close}.")
        return " ".join(said)

    def _turned(self, axis: str) -> str:
        """The same unless the job as it is takes no notice of that parameter."""
        for section in self._plan.sections:
            if axis in section.keys and section.when:
                key, value = section.when
                return axis if self._parameters[key] == value else ""
        return axis


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
        f"{outcome.share_pct(result.limits_s, first):.1f} % of the job's {three(result.duration_s)}"
        f" is limited by: {spelt(first)}" + (f" ({meaning})." if meaning else ".")
    )
    share = outcome.share_pct(result.limits_s, others[0])
    return text + (f" Then {spelt(others[0])}: {share:.1f} %." if share >= 1 else "")
