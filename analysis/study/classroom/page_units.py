# SPDX-License-Identifier: GPL-2.0-only
"""Units of the class page: the content of units.toml, with the grid of each unit simulated."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from study.base.errors import StudyError
from study.catalogue import systems
from study.front import words
from study.programs import labels, values
from study.programs.declaration import declaration
from study.programs.values import Value
from study.runs.points import zipped
from study.system.system import System

if TYPE_CHECKING:
    import pandas as pd

FILE = Path(__file__).with_name("units.toml")
OWN = "own"
THOUSANDS = re.compile(r"(?<=\d)(?=(\d{3})+\b)")
LESS = re.compile(r"own - (\S+)")  # what one asks: an answer so much earlier
SHOWN = {"ms": 1000, "Mbit/s": 1e-6, "kB": 0.001, "%": 100}  # of what tables have: s, bit/s, shares


@dataclass(frozen=True)
class Step:
    """One position of a slider."""

    given: object  # as units.toml has it, for `at`
    label: str
    x: float
    is_own: bool  # as the measured system has it
    changes: Mapping[str, Value]


@dataclass(frozen=True)
class Control:
    """One idea, one slider."""

    data: Mapping[str, Any]
    steps: tuple[Step, ...]
    between: tuple[Step, ...] = ()  # for the curve alone

    @property
    def id(self) -> str:
        return self.data["id"]

    @property
    def kind(self) -> str:
        """A switch, a choice of names, or a slider."""
        if "names" not in self.data:
            return "slider"
        return "switch" if set(self.data["names"]) == {"true", "false"} else "choice"

    @property
    def start(self) -> int:
        """The measured system's own position, or the first."""
        return next((place for place, step in enumerate(self.steps) if step.is_own), 0)

    def place(self, given: object) -> int:
        """Return the position of a value as units.toml writes it."""
        for place, step in enumerate(self.steps):
            if (given == OWN and step.is_own) or given == step.given:
                return place
        raise StudyError(f"units.toml: {self.id} has no position {given!r}")


@dataclass(frozen=True)
class Unit:
    """One slow transfer."""

    data: Mapping[str, Any]
    system: System
    controls: tuple[Control, ...]
    _drawn: dict[int, list[float]] = field(default_factory=dict, compare=False)

    @property
    def id(self) -> str:
        return self.data["id"]

    @property
    def moved(self) -> Control:
        """The control that the curve is along."""
        return self.control(self.data["x"])

    def control(self, name: str) -> Control:
        """Return a control by its id."""
        found = next((each for each in self.controls if each.id == name), None)
        if found is None:
            raise StudyError(f"units.toml: {self.id} has no control {name}")
        return found

    @cached_property
    def points(self) -> list[dict[str, Value]]:
        """Every combination of the sliders; the last one changes fastest."""
        return self._combined([control.steps for control in self.controls])

    @cached_property
    def between(self) -> list[dict[str, Value]]:
        """Combinations of the sliders in which the curve's control has the values between its
        stops."""
        controls = self.controls
        return self._combined([e.between if e is self.moved else e.steps for e in controls])

    def _combined(self, steps: Sequence[Sequence[Step]]) -> list[dict[str, Value]]:
        made = []
        for each in product(*steps):
            made.append({key: value for step in each for key, value in step.changes.items()})
        start = {key: own(self.system, key) for point in made for key in point}
        return [start | point for point in made]

    @cached_property
    def ranges(self) -> list[tuple[float, float]] | None:
        """Lowest and highest figure over the unit's random seeds, at each stop of the curve's
        control with the other controls at their start; None without random losses."""
        if "draws" not in self.data:
            return None
        changes = [{self.moved.id: step.given} for step in self.moved.steps]
        drawn = [self.drawn(self.index(self.at(each))) for each in changes]
        return [(min(each), max(each)) for each in drawn]

    def drawn(self, place: int) -> list[float]:
        """Return the figure of a combination under every random seed of the unit."""
        if place not in self._drawn:
            seed = declaration(self.system.scenario).parameter("seed")
            seeds = [values.read(seed, str(n + 1)) for n in range(self.data["draws"])]
            swept = self.sweep([self.points[place] | {"seed": each} for each in seeds])
            self._drawn[place] = self.shown(swept[self.data["y"]["column"]])
        return self._drawn[place]

    def sweep(self, points: Sequence[Mapping[str, Value]]) -> "pd.DataFrame":
        """Return a table with one row for each point. Finished runs come from the store."""
        lists = {key: [point[key].text for point in points] for key in points[0]}
        return self.system.sweep(zipped(**lists))

    def shown(self, column: "pd.Series") -> list[float]:
        """Return the unit's figure, in the unit of its axis."""
        return [float(f"{value * self.data['y']['scale']:.6g}") for value in column]

    def fixed(self) -> str:
        """Return what the unit sets otherwise than the system's file, in words; empty if
        nothing."""
        said = [
            words.text("units.fixedOne", labels.spelt(key), here, there)
            for key, here, there in self.fixed_parts()
        ]
        return "; ".join(said)

    def fixed_parts(self) -> list[tuple[str, str, str]]:
        """Return each parameter that the unit fixes, with its value here and in the system's
        file."""
        declared = declaration(self.system.scenario)
        parts = []
        for key, given in self.data.get("fixed", {}).items():
            parameter = declared.parameter(key)
            texts = (str(given), own(self.system, key).text)
            here, there = (THOUSANDS.sub(",", labels.said(parameter, text)) for text in texts)
            parts.append((key, here, there))
        return parts

    def at(self, changes: Mapping[str, object]) -> dict[str, object]:
        """Return where each control stands: as it begins, with these changes."""
        for name in changes:
            self.control(name)
        return {each.id: each.steps[each.start].given for each in self.controls} | dict(changes)

    def places(self, at: Mapping[str, object]) -> list[int]:
        """Return the sliders' positions for these values."""
        return [control.place(at[control.id]) for control in self.controls]

    def index(self, at: Mapping[str, object]) -> int:
        """Return the index of the combination of these values."""
        index = 0
        for control, place in zip(self.controls, self.places(at), strict=True):
            index = index * len(control.steps) + place
        return index

    def filled(self, text: str, facts: Mapping[str, str] | None = None) -> str:
        """Return the text with its slots filled: controls by the measured system's values, facts by
        numbers from the runs."""
        own = {control.id: control.steps[control.start].label for control in self.controls}
        said = own | dict(facts or {})
        return text.format_map({key: label.replace(" ", "\u00a0") for key, label in said.items()})


def read() -> list[Unit]:
    """Return the page's units."""
    data = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return [_unit(each) for each in data["unit"]]


def _unit(data: dict[str, Any]) -> Unit:
    system = systems[data["system"]].with_(**data.get("fixed", {}))
    controls = []
    for each in data["control"]:
        given = each.get("values") or each["steps"]
        steps = (
            tuple(_step(system, each, value) for value in some) for some in (given, _between(each))
        )
        controls.append(Control(each, *steps))
    return Unit(data, system, tuple(controls))


def _between(control: Mapping[str, Any]) -> list[Any]:
    """Return the steps that are simulated for the curve alone. A number stands for the last step
    with that value of the parameter `varies`."""
    given, varies = control.get("between", []), control.get("varies", "")
    if not varies:
        return given
    last = control["steps"][-1]["set"]
    return [{"x": x, "set": last | {varies: x}} for x in given]


def _step(system: System, control: dict[str, Any], given: Any) -> Step:
    """Return the step for one entry of a control's `steps`, or for one of its `values`."""
    unit = control.get("unit", "")
    if "steps" in control:
        changes = {key: _value(system, key, value) for key, value in given["set"].items()}
        x, is_own, said = given["x"], given.get("own", False), given.get("label")
        given = given["x"]
        if said:
            return Step(given, said, x, is_own, changes)
    else:
        value = _value(system, control["parameter"], given)
        changes, is_own = {control["parameter"]: value}, given == OWN
        x = value.number * SHOWN.get(unit, 1)
        if "names" in control:
            return Step(given, control["names"][value.text], x, is_own, changes)
    number = f"{x:,.0f}" if float(f"{x:.6g}").is_integer() else f"{x:.3g}"
    return Step(given, f"{number} {unit}".strip(), x, is_own, changes)


def own(system: System, key: str) -> Value:
    """Return the parameter's value from the system's file, or the program's default."""
    setting = system.settings.get(key)
    parameter = declaration(system.scenario).parameter(key)
    return values.read(parameter, setting.text if setting else parameter.default)


def _value(system: System, key: str, given: object) -> Value:
    if given == OWN:
        return own(system, key)
    if isinstance(given, str) and (less := LESS.fullmatch(given)):
        parameter = declaration(system.scenario).parameter(key)
        left = own(system, key).number - values.read(parameter, less[1]).number
        return values.from_base(parameter, left)
    return values.read(declaration(system.scenario).parameter(key), given)
