# SPDX-License-Identifier: GPL-2.0-only
"""results/closed-forms.csv: every closed form compared with the simulation at some two hundred
points, and the reasons of its errors.

The `checks` of a scenario say what is compared with what, and where a formula must fail because of
an effect that it leaves out.
"""

import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median

from study.base.errors import StudyError
from study.base.project import scenarios
from study.judging import table_file
from study.kit.check import Check, Claim, Region
from study.kit.paper import off_pct
from study.kit.scenario import about, judges
from study.kit.systems import systems
from study.programs.noted import remembered
from study.runs.batch import run_batch
from study.system.system import Result

WHOLE_GRID, REST = "everywhere", "elsewhere"


@dataclass(frozen=True)
class Point:
    """One formula at one point of its grid."""

    changes: dict[str, str]
    region: str  # the first that contains it, or REST
    closed_form: float
    simulated: float

    @property
    def error_pct(self) -> float:
        """The formula's error in percent of the simulation."""
        return off_pct(self.closed_form, self.simulated)


@dataclass(frozen=True)
class Row:
    """A formula's errors over one region of its grid."""

    scenario: str
    mechanism: str
    formula: str
    where: str
    points: int
    median_error_pct: float
    worst_error_pct: float
    worst_at: str


def rows() -> list[Row]:
    """Return the rows of all formulas of all scenarios."""
    return [
        row
        for scenario in scenarios()
        for check in about(scenario).checks
        for claim, points in zip(check.claims, compared(check).values(), strict=True)
        for row in rows_of(scenario, check, claim, points)
    ]


@remembered  # the table and the figure of one `reproduce` share the runs
def compared(check: Check, points: int | None = None) -> dict[str, list[Point]]:
    """Run a check's grid, or one with that many `points`, and return each formula's points."""
    grid = check.grid if points is None else replace(check.grid, points=points)
    changes = list(grid.changes())
    results = _run(grid.system, changes, check.packets)
    form = judges(systems[grid.system].scenario).form
    return {
        claim.formula: [
            point
            for changed, result in zip(changes, results, strict=True)
            if (point := _point(claim, form.of(result.parameters), changed, result)) is not None
        ]
        for claim in check.claims
    }


def _run(name: str, points: Sequence[dict[str, str]], packets: bool) -> list[Result]:
    """Return the result of every point, with the segment table if `packets`."""
    system = systems[name]
    changed = [system.with_(**changes) for changes in points]
    flags = [each.flags() for each in changed]
    with tempfile.TemporaryDirectory(prefix="study-") as folder:
        tables = [Path(folder) / f"{number}.csv" for number in range(len(flags)) if packets]
        records = run_batch(system.scenario, flags, "closed forms", tables)
        texts = [table.read_text() for table in tables] or [None] * len(flags)
    return [
        each.result(record, text)
        for each, record, text in zip(changed, records, texts, strict=True)
    ]


def _point(claim: Claim, form: object, changes: dict[str, str], result: Result) -> Point | None:
    """Return one point, or None if the run does not show the figure or the formula does not
    hold."""
    simulated = claim.simulated(result) if result.outcome == "finished" else None
    if not simulated:
        return None
    region = next((each.name for each in claim.regions if each.where(form)), REST)
    on_paper = claim.closed_form(form)
    return None if on_paper is None else Point(changes, region, on_paper, simulated)


def rows_of(scenario: str, check: Check, claim: Claim, points: list[Point]) -> list[Row]:
    """Return a formula's row for the whole grid; if its worst error is too large, also for each
    region and the rest."""
    formula = claim.formula
    rows = [_row(scenario, check, formula, WHOLE_GRID, points)]
    if abs(rows[0].worst_error_pct) > claim.within_pct:
        names = list(dict.fromkeys(point.region for point in points))
        parts = {name: [p for p in points if p.region == name] for name in sorted(names)}
        rows += [_row(scenario, check, formula, name, part) for name, part in parts.items()]
    return rows


def _row(scenario: str, check: Check, formula: str, where: str, points: list[Point]) -> Row:
    if not points:
        raise StudyError(f"no run of {check.mechanism} shows what {formula} speaks of")
    worst = max(points, key=lambda point: abs(point.error_pct))
    usual = median(abs(point.error_pct) for point in points)
    at = ", ".join(f"{axis.key} = {_short(worst.changes[axis.key])}" for axis in check.grid.axes)
    return Row(scenario, check.mechanism, formula, where, len(points), usual, worst.error_pct, at)


def _short(text: str) -> str:
    """Return a list's text with its first two entries only."""
    first, *others = text.split(",")
    return f"{first} and {others[0]} ..." if others else text


COLUMNS = tuple(Row.__dataclass_fields__)


def to_csv(table: Sequence[Row]) -> str:
    """Return the rows as the file's text, with enough digits to tell a rounding from a mistake."""
    return table_file.to_csv(
        COLUMNS,
        (
            asdict(row)
            | {
                "median_error_pct": f"{row.median_error_pct:.4f}",
                "worst_error_pct": f"{round(row.worst_error_pct, 2) + 0.0:+.2f}",  # never -0.00
            }
            for row in table
        ),
    )


def from_csv(text: str) -> list[Row]:
    """Return the rows of the file's text."""
    read = table_file.from_csv(text, COLUMNS, "results/closed-forms.csv", "run ./waf reproduce")
    types = {"points": int, "median_error_pct": float, "worst_error_pct": float}
    return [Row(**{key: types.get(key, str)(value) for key, value in row.items()}) for row in read]


def regions(scenario: str) -> list[Region]:
    """Return each region of a scenario's formulas once."""
    found = {
        region.name: region
        for check in about(scenario).checks
        for claim in check.claims
        for region in claim.regions
    }
    return list(found.values())
