# SPDX-License-Identifier: GPL-2.0-only
"""The units of the page: what units.toml says, with the grid of each unit simulated."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from study.base.errors import StudyError
from study.catalogue import systems
from study.programs import values
from study.programs.declaration import declaration
from study.programs.values import Value
from study.runs.points import zipped
from study.system.settings import Setting
from study.system.system import System

if TYPE_CHECKING:
    import pandas as pd

FILE = Path(__file__).with_name("units.toml")
OWN = "own"


@dataclass(frozen=True)
class Step:
    """One position of a slider."""

    given: object  # as units.toml has it, for `at`
    label: str
    x: float | str
    is_own: bool  # as the measured system has it
    changes: Mapping[str, Value]


@dataclass(frozen=True)
class Control:
    """One idea, one slider."""

    id: str
    label: str
    help: str
    log: bool
    steps: tuple[Step, ...]

    @property
    def start(self) -> int:
        """The measured system's own position, or the first."""
        return next((place for place, step in enumerate(self.steps) if step.is_own), 0)

    def place(self, given: object) -> int:
        """The position of a value as units.toml writes it."""
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

    @property
    def id(self) -> str:
        return self.data["id"]

    @property
    def along(self) -> int:
        """Which control the curve runs along."""
        return next(n for n, each in enumerate(self.controls) if each.id == self.data["x"])

    @cached_property
    def points(self) -> list[dict[str, Value]]:
        """Every combination of the sliders; the last one changes fastest."""
        made = []
        for steps in product(*(control.steps for control in self.controls)):
            merged: dict[str, Value] = {}
            for step in steps:
                merged |= step.changes
            made.append(merged)
        keys = dict.fromkeys(key for point in made for key in point)
        return [{key: point.get(key) or self._own(key) for key in keys} for point in made]

    def _own(self, key: str) -> Value:
        return own_value(self.system, key)

    def sweep(self) -> "pd.DataFrame":
        """One row a combination, from the store what is there."""
        lists = {key: [point[key].text for point in self.points] for key in self.points[0]}
        return self.system.with_(**self.data.get("fixed", {})).sweep(zipped(**lists))

    def index(self, at: Mapping[str, object]) -> int:
        """The combination of these positions."""
        index = 0
        for control in self.controls:
            index = index * len(control.steps) + control.place(at[control.id])
        return index


def own_value(system: System, key: str) -> Value:
    """A parameter as the system's file has it, or its default."""
    parameter = declaration(system.scenario).parameter(key)
    setting: Setting | None = system.settings.get(key)
    return values.read(parameter, setting.text if setting else parameter.default)


def read() -> tuple[dict[str, Any], list[Unit]]:
    """The page's own words, and its units."""
    data = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return data, [_unit(each) for each in data["unit"]]


def _unit(data: dict[str, Any]) -> Unit:
    system = systems[data["system"]]
    return Unit(data, system, tuple(_control(system, each) for each in data["control"]))


def _control(system: System, data: dict[str, Any]) -> Control:
    return Control(
        data["id"],
        data["label"],
        data["help"],
        data.get("log", False),
        tuple(_steps(system, data)),
    )


def _steps(system: System, data: dict[str, Any]) -> list[Step]:
    if "steps" not in data:
        return [_single(system, data, given) for given in data["values"]]
    steps = []
    for each in data["steps"]:
        changes = {key: _value(system, key, given) for key, given in each["set"].items()}
        label = _label(each["x"], data["unit"])
        steps.append(Step(each["x"], label, each["x"], each.get("own", False), changes))
    return steps


def _single(system: System, data: dict[str, Any], given: object) -> Step:
    key = data["parameter"]
    value = _value(system, key, given)
    number = value.number
    if "names" in data:
        x, label = str(number), data["names"][value.text]
    else:
        x = number * data.get("scale", 1)
        label = _label(x, data["unit"])
    return Step(given, label, x, given == OWN, {key: value})


def _value(system: System, key: str, given: object) -> Value:
    if given == OWN:
        return own_value(system, key)
    return values.read(declaration(system.scenario).parameter(key), given)


def _label(x: float, unit: str) -> str:
    number = f"{x:,.0f}" if float(f"{x:.6g}").is_integer() else f"{x:.3g}"
    return f"{number} {unit}".strip()
