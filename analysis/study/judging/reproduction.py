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
# As many decimals as a figure of that unit can mean anything by; the same digits on every machine.
DECIMALS = {
    "us": 1, "ms": 3, "s": 3, "min": 3, "B/s": 1, "kB/s": 3, "kbit/s": 2, "B": 0, "1": 0, "%": 1,
}  # fmt: skip

TABLE = RESULTS / "reproduction.csv"

Row = dict[str, str]


@remembered  # the table and the figure of one `reproduce` share the runs
def rows() -> list[Row]:
    """Run every system as measured; one row a figure."""
    return rows_of({name: systems[name] for name in systems})


def rows_of(chosen: Mapping[str, System]) -> list[Row]:
    """The same of these, each by the name that the table is to have."""

    def judged(system: System) -> list[Comparison]:
        return with_draws(system, compare(system, system.run(segments=True)))

    with ThreadPoolExecutor() as pool:  # each only waits for its program; all note their runs here
        every = chosen.values()
        found = list(pool.map(lambda each: copy_context().run(judged, each), every))
    return [row(name, each) for name, all_of in zip(chosen, found, strict=True) for each in all_of]


def row(system: str, comparison: Comparison) -> Row:
    """A figure of a system as the file has it."""
    measured = comparison.measured
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
        "residual_pct": percent(comparison.residual_pct, ".2f"),
        "inside": inside(comparison, "yes", "no"),
        "used_as": measured.used_as,
    }


def _draws(comparison: Comparison) -> Row:
    """How many seeds were run of what is random, and how far they lie apart; of a figure
    that is the same under all of them nothing, as chance has no part in it."""
    values, unit = comparison.draws, comparison.measured.unit
    ends = ("", "")
    if len(values) > 1:
        ends = number(min(values), unit), number(max(values), unit)
        values = () if ends[0] == ends[1] else values
    low, high = ends if values else ("", "")
    return {"draws": f"{len(values) or ''}", "draws_low": low, "draws_high": high}


def number(value: float | None, unit: str) -> str:
    """A computed figure in as many digits as its unit deserves; empty when there is none."""
    return "" if value is None else f"{value:.{DECIMALS[unit]}f}"


def with_unit(value: str, unit: str) -> str:
    """A figure of the table as a reader wants it: a bare count has no unit."""
    return f"{value} {unit}" if value and unit != "1" else value


def percent(value: float | None, digits: str) -> str:
    """A residual; empty when there is none, and never -0.00."""
    return "" if value is None else format(round(value, 2) + 0.0, digits)


def inside(comparison: Comparison, yes: str, no: str) -> str:
    """Whether the simulation lies in the measured range; empty when there is none."""
    return {True: yes, False: no, None: ""}[comparison.inside]


def to_csv(table: list[Row]) -> str:
    """The file's text."""
    return table_file.to_csv(COLUMNS, table)


def from_csv(text: str) -> list[Row]:
    """The rows of the file's text."""
    return table_file.from_csv(text, COLUMNS, "results/reproduction.csv", "run ./waf reproduce")


def committed(system: System) -> dict[str, Row]:
    """A system's rows of results/reproduction.csv by their figures, as far as they are of what its
    file says was measured; none where there are none yet."""
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
    """Which version of results/reproduction.csv those are: its commit where there is a history."""
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
    """By the size of the residual; a figure that the simulation does not show comes first, a bound
    that holds last."""
    return sorted(table, key=_size, reverse=True)


def _size(row: Row) -> float:
    without = 0.0 if row["inside"] == "yes" else float("inf")
    return abs(float(row["residual_pct"])) if row["residual_pct"] else without


def cells(row: Row) -> Row:
    """A row as it is printed: numbers with their unit as people write it, and the residual with
    whether a range holds the simulation."""
    unit = for_readers(row["unit"])
    return row | {
        "measured": with_unit(row["measured"], unit),
        "closed_form": with_unit(row["closed_form"], unit) + _off(row),
        "simulated": (with_unit(row["simulated"], unit) or "not sent") + of_draws(row),
        "residual": residual(row),
        "basis": NOT_AT_HAND if row["basis"] == QUOTED else row["basis"],
    }


def of_draws(row: Row) -> str:
    """Behind a simulated figure that is random."""
    if not row["draws"]:
        return ""
    among = f" of {row['draws']} from {row['draws_low']} to {row['draws_high']}"
    return f", one seed{among if row['draws_low'] else ''}"


def _off(row: Row) -> str:
    size = off(row)
    return size and f" ({size} off the run)"


def off(row: Row) -> str:
    """How far a closed form is off the run beside it, where that does not bear it out."""
    if not row["closed_form"] or not row["simulated"] or not float(row["simulated"]):
        return ""
    judged = float(row["closed_form"]), float(row["simulated"])
    return "" if paper.holds(*judged) else paper.size(*judged)


def residual(row: Row) -> str:
    """For a range counted from its middle, with whether it holds the simulation."""
    if not row["residual_pct"]:
        return "inside" if row["inside"] == "yes" else ""
    where = {"yes": ", inside", "no": ", outside", "": ""}[row["inside"]]
    return f"{float(row['residual_pct']):+.2f} %{where}"
