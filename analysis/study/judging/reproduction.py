# SPDX-License-Identifier: GPL-2.0-only
"""results/reproduction.csv: every measured figure of every system beside its closed form and its
simulation."""

import subprocess
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

from study.base.project import RESULTS, ROOT, in_project, read_text
from study.base.units import for_readers
from study.judging import table_file
from study.judging.comparison import Comparison, compare
from study.judging.draws import with_draws
from study.kit import paper
from study.kit.systems import systems
from study.programs.noted import remembered
from study.system.measured import NOT_AT_HAND, QUOTED
from study.system.system import System

COLUMNS = [
    "system", "quantity", "unit", "measured", "basis", "source",
    "closed_form", "simulated", "draws", "draws_low", "draws_high", "residual_pct", "inside",
    "used_as",
]  # fmt: skip
# Significant decimals of a figure in that unit; the digits are the same on every machine.
DECIMALS = {
    "us": 1, "ms": 3, "s": 3, "min": 3, "B/s": 1, "kB/s": 3, "kbit/s": 2, "B": 0, "1": 0, "%": 1,
}  # fmt: skip

TABLE = RESULTS / "reproduction.csv"

Row = dict[str, str]


@remembered  # the table and the figure of one `reproduce` share the runs
def rows() -> list[Row]:
    """Run every system as measured, and return a row for each figure."""
    return rows_of({name: systems[name] for name in systems})


def rows_of(chosen: Mapping[str, System]) -> list[Row]:
    """Return the rows of these systems, under the names given."""

    def judged(system: System) -> list[Comparison]:
        return with_draws(system, compare(system, system.run(segments=True)))

    with ThreadPoolExecutor() as pool:  # each thread only waits, and notes its runs here
        every = chosen.values()
        found = list(pool.map(lambda each: copy_context().run(judged, each), every))
    return [row(name, each) for name, all_of in zip(chosen, found, strict=True) for each in all_of]


def row(system: str, comparison: Comparison) -> Row:
    """Return a figure as a row of the file."""
    measured, off_pct = comparison.measured, comparison.residual_pct
    return {
        "system": system,
        "quantity": measured.quantity,
        "unit": measured.unit,
        "measured": measured.text,
        "basis": measured.basis,
        "source": measured.source,
        "closed_form": number(comparison.closed_form, measured.unit),
        "simulated": number(comparison.simulated, measured.unit),
        **_draws(comparison),
        "residual_pct": "" if off_pct is None else f"{round(off_pct, 2) + 0.0:.2f}",  # never -0.00
        "inside": {True: "yes", False: "no", None: ""}[comparison.inside],
        "used_as": measured.used_as,
    }


def _draws(comparison: Comparison) -> Row:
    """Return the number of seeds and the range of a random figure; empty cells for a figure that is
    the same under all seeds."""
    values, unit = comparison.draws, comparison.measured.unit
    ends = ("", "")
    if len(values) > 1:
        ends = number(min(values), unit), number(max(values), unit)
        values = () if ends[0] == ends[1] else values
    low, high = ends if values else ("", "")
    return {"draws": f"{len(values) or ''}", "draws_low": low, "draws_high": high}


def number(value: float | None, unit: str) -> str:
    """Return a computed figure with its unit's decimals, empty for None."""
    return "" if value is None else f"{value:.{DECIMALS[unit]}f}"


def with_unit(value: str, unit: str) -> str:
    """Return a figure with its unit. A count has none."""
    return f"{value} {unit}" if value and unit != "1" else value


def to_csv(table: list[Row]) -> str:
    """Return the rows as the file's text."""
    return table_file.to_csv(COLUMNS, table)


def from_csv(text: str) -> list[Row]:
    """Return the rows of the file's text."""
    return table_file.from_csv(text, COLUMNS, "results/reproduction.csv", "run ./waf reproduce")


def committed(system: System) -> dict[str, Row]:
    """Return a system's rows of results/reproduction.csv by figure, if they match the file's
    measurements, empty if there is no table yet."""
    if not TABLE.is_file():
        return {}
    own = {each.quantity: (each.text, each.unit, each.used_as) for each in system.measured}
    found = from_csv(read_text(TABLE))
    return {
        row["quantity"]: row
        for row in found
        if row["system"] == system.name
        and own.get(row["quantity"]) == (row["measured"], row["unit"], row["used_as"])
    }


def made_with() -> str:
    """Return the version of results/reproduction.csv: its commit, if git has it."""
    name = in_project(TABLE)
    log = ["git", "-C", str(ROOT), "log", "-1", "--format=%h of %cs", "--", name]
    changed = ["git", "-C", str(ROOT), "status", "--porcelain", "--", name]
    try:
        commit, now = (
            subprocess.run(each, capture_output=True, text=True).stdout.strip()
            for each in (log, changed)
        )
    except OSError:
        commit, now = "", ""
    if not commit:
        day = time.strftime("%Y-%m-%d", time.localtime(TABLE.stat().st_mtime))
        return f"{name} of {day}"
    return f"{name}, {'changed since commit' if now else 'commit'} {commit}"


def ordered(table: list[Row]) -> list[Row]:
    """Sort rows by residual, largest first. Figures that the simulation lacks come first, bounds
    that hold last."""
    return sorted(table, key=_size, reverse=True)


def _size(row: Row) -> float:
    without = 0.0 if row["inside"] == "yes" else float("inf")
    return abs(float(row["residual_pct"])) if row["residual_pct"] else without


def cells(row: Row) -> Row:
    """Return a row for display: numbers with units, and the residual with whether the measured
    range contains the simulated value."""
    unit = for_readers(row["unit"])
    return row | {
        "measured": with_unit(row["measured"], unit),
        "closed_form": with_unit(row["closed_form"], unit)
        + (f" ({size} against the run)" if (size := off(row)) else ""),
        "simulated": (with_unit(row["simulated"], unit) or "not sent") + of_draws(row),
        "residual": residual(row),
        "basis": NOT_AT_HAND if row["basis"] == QUOTED else row["basis"],
    }


def of_draws(row: Row) -> str:
    """Return the text after a random simulated figure, empty for any other."""
    if not row["draws"]:
        return ""
    if not row["draws_low"]:
        return " (one random seed)"
    return f" ({row['draws_low']} to {row['draws_high']} with {row['draws']} random seeds)"


def off(row: Row) -> str:
    """Return the closed form's deviation from the run as a text, empty if it holds."""
    if not row["closed_form"] or not row["simulated"] or not float(row["simulated"]):
        return ""
    judged = float(row["closed_form"]), float(row["simulated"])
    return "" if paper.holds(*judged) else paper.size(*judged)


def residual(row: Row) -> str:
    """Return the residual as a text, with whether the measured range contains the simulated value.
    A range's residual counts from its middle."""
    if not row["residual_pct"]:
        return "inside" if row["inside"] == "yes" else ""
    where = {"yes": ", inside", "no": ", outside", "": ""}[row["inside"]]
    return f"{float(row['residual_pct']):+.2f} %{where}"
