# SPDX-License-Identifier: GPL-2.0-only
"""Jobs over lists of values, for a figure of any system: the points, what each came to, its closed
form and what was measured there."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf

from study.base.errors import StudyError
from study.base.units import MEASURED
from study.drawing.style import Table
from study.kit.plan import Plan
from study.kit.scenario import about, judges
from study.programs import values
from study.programs.declaration import Parameter, declaration
from study.runs.batch import try_batch
from study.runs.points import Limits, grid
from study.runs.profiles import HOST, with_profiles
from study.runs.workers import Failure
from study.system.measured import Measured
from study.system.system import Result, System

Lists = Mapping[str, object]  # as study.runs.points takes them
MOST_POINTS = 5000  # of a figure
FACTORS = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16)  # of the system's own value, unless told
PAPER, WHOLE_STEPS = 240, 900  # points of a formula's line; of one that goes up in steps
WHOLE = {"throughput_Bps": ("throughput", "B/s"), "duration_s": ("duration", "s")}


@dataclass(frozen=True)
class Point:
    """A job: its values by column, the system and what it came to."""

    at: Mapping[str, object]
    system: System
    result: Result | None  # none where the values do not go together
    is_asked: bool = True  # or run to find a step


@dataclass(frozen=True)
class Jobs:
    """Jobs over the values of two lists: `vary` along the axes, `by` from curve to curve."""

    system: System
    vary: tuple[str, ...]
    by: tuple[str, ...]
    points: tuple[Point, ...]
    figure: str = ""

    @property
    def plan(self) -> Plan | None:
        return about(self.system.scenario).plan

    @cached_property
    def y(self) -> str:
        """The column of the figure: the one that was asked for, or the scenario's own figure."""
        if self.figure:
            return self.figure
        return "duration_s" if self.plan and self.plan.figure.unit == "s" else "throughput_Bps"

    @property
    def is_judged(self) -> bool:
        """Whether the scenario has a formula and measured figures of it."""
        return self.plan is not None and self.y in WHOLE and self.y == replace(self, figure="").y

    @cached_property
    def table(self) -> Table:
        """A table with one row for each job, with the limit that has most of its time."""
        import pandas as pd

        rows = []
        for point in self.points:
            found = {**point.at, "outcome": "refused", "limit": "", self.y: None}
            if point.result is not None:
                found["outcome"] = point.result.outcome
                found[self.y] = number_of(point.result, self.y)
                found["limit"] = max(point.result.limits_s, key=point.result.limits_s.__getitem__)
            if self.is_judged and point.result is not None:
                found[f"closed_form_{self.y}"] = self.on_paper(point.system)
            rows.append(found)
        made = pd.DataFrame(rows)
        last = f"closed_form_{self.y}"
        if last in made and not made[last].notna().any():
            made = made.drop(columns=last)
        return made

    def on_paper(self, system: System) -> float | None:
        """Return a system's figure by the closed form, or None if the form lacks a changed
        parameter."""
        form, plan = judges(system.scenario).form, self.plan
        parameters, own = system.parameters(), replace(self.system, changes={}).parameters()
        if plan is None or form.lacks(own, parameters):
            return None
        if any(not form.takes(key) for key in self.vary if key != HOST):
            return None
        return plan.on_paper(form, parameters)

    def paper_line(self, among: Sequence[Point]) -> list[tuple[float, float]]:
        """Return the formula between the ends of a curve, in the units of the columns."""
        (key,) = self.vary
        if not self.is_judged or key == HOST or not among:
            return []
        parameter = declaration(self.system.scenario).parameter(key)
        if not values.is_number(parameter):
            return []
        ends = [values.smallest(parameter, point.system.parameters()[key]) for point in among]
        low, high = min(ends), max(ends)
        if low <= 0 or low == high or high == inf:
            return []
        count = WHOLE_STEPS if parameter.type == "integer" else PAPER
        texts = dict.fromkeys(
            values.from_smallest(parameter, low * (high / low) ** (step / count)).text
            for step in range(count + 1)
        )
        line = []
        for text in texts:
            figure = self.on_paper(among[0].system.with_(**{key: text}))
            if figure is None:
                return []
            line.append((float(values.read(parameter, text).number), figure))
        return line

    def measured(self) -> Iterator[tuple[Measured, dict[str, object]]]:
        """Yield each figure of the source that stands among these jobs, and where."""
        if not self.is_judged or HOST in (*self.vary, *self.by):
            return
        declared = declaration(self.system.scenario)
        own = replace(self.system, changes={}).parameters()
        curves = [_column(declared.parameter(key)) for key in self.by]
        drawn = {tuple(point.at[column] for column in curves) for point in self.points}
        for row in self.system.measured:
            if row.kind not in self.plan.figure.kinds or row.compared or not row.is_at_hand:
                continue
            there = own | {
                key: values.read(declared.parameter(key), text).text
                for key, text in row.with_.items()
            }
            same = all(
                there[key] == text
                for key, text in self.system.parameters().items()
                if key not in (*self.vary, *self.by)
            )
            at = {
                _column(parameter): values.read(parameter, there[parameter.key]).number
                for parameter in map(declared.parameter, (*self.vary, *self.by))
            }
            if same and tuple(at[column] for column in curves) in drawn:
                yield row, at


def jobs(
    system: System, vary: Lists | None, by: Lists | None = None, figure: str = "", axes: int = 1
) -> Jobs:
    """Run the system at every combination. Without a list it is varied around its own value, over
    what its scenario is drawn over."""
    lists = dict(vary or around(system, axes))
    if len(lists) != axes:
        what = "one parameter" if axes == 1 else f"{axes} parameters"
        raise StudyError(f"--vary: this figure is over {what}; {len(lists)} were given")
    by = dict(by or {})
    for key in lists.keys() & by.keys():
        raise StudyError(f"{key} is both varied and what the curves differ in")
    for key in (lists.keys() | by.keys()) & system.changes.keys():
        raise StudyError(f"{key} is both varied and set to {system.changes[key]}; leave one out")
    declared = with_profiles(declaration(system.scenario))
    columns = grid(**by, **lists).columns(declared, Limits(MOST_POINTS))
    systems, places = [], []
    for number in range(len(next(iter(columns.values())))):
        texts = {key: column[number].text for key, column in columns.items()}
        behind = system.with_host(texts[HOST]) if HOST in texts else system
        systems.append(behind.with_(**{k: t for k, t in texts.items() if k != HOST}))
        places.append(
            {_column(declared.parameter(key)): each[number].number for key, each in columns.items()}
        )
    records = try_batch(system.scenario, [each.flags() for each in systems], system.name)
    points = tuple(
        Point(at, each, None if isinstance(record, Failure) else each.result(record))
        for at, each, record in zip(places, systems, records, strict=True)
    )
    if not any(point.result for point in points):
        raise StudyError(next(each.reason for each in records if isinstance(each, Failure)))
    return Jobs(system, tuple(lists), tuple(by), points, figure)


def around(system: System, axes: int) -> dict[str, list[str]]:
    """Return the parameters to vary by default, each with values around the system's own."""
    plan = about(system.scenario).plan
    declared, own = declaration(system.scenario), system.parameters()
    keys = [plan.axis, *plan.keys] if plan else list(declared.parameters)
    found: dict[str, list[str]] = {}
    for key in dict.fromkeys(keys):
        parameter = declared.parameter(key)
        if not values.is_number(parameter) or values.smallest(parameter, own[key]) in (0, inf):
            continue
        texts = [values.scaled(parameter, own[key], factor, own) for factor in FACTORS]
        found[key] = list(dict.fromkeys(texts))
        if len(found) == axes:
            return found
    raise StudyError(f"{system.name}: give --vary NAME=VALUES; there is nothing to vary unasked")


def _column(parameter: Parameter) -> str:
    return values.column(parameter.key, parameter.unit)


def number_of(result: Result, name: str) -> float | None:
    """Return a number of the record, by its name there or as a column of a sweep."""
    record = {**result.record, **{f"limits_{k}_s": v for k, v in result.limits_s.items()}}
    if name not in record:
        known = [key for key, value in record.items() if isinstance(value, int | float)]
        raise StudyError(f"y: a run has no number {name!r}; it has {', '.join(known)}")
    if name == "duration_s" and result.outcome != "finished":
        return None
    return record[name]


def base(row: Measured) -> float:
    """Return a measured figure in the unit of the columns."""
    return row.value * MEASURED[row.unit]
