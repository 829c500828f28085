# SPDX-License-Identifier: GPL-2.0-only
"""Markdown of the long tables of results/ for the site: every figure of every system, the closed
forms' errors, the benchmarks, and the disagreements in full."""

import re
from collections.abc import Collection, Sequence

from tabulate import tabulate

from study.base.project import scenarios
from study.catalogue import systems
from study.judging import reproduction
from study.judging.closed_forms import WHOLE_GRID, regions
from study.judging.closed_forms import Row as Formula
from study.judging.reproduction import Row
from study.kernel.kernel_comparison import WITHIN_PCT, count_within
from study.system.measured import QUOTED

JUDGED = ("measured", "closed form", "simulated", "residual")
FIGURES = ("quantity", *JUDGED, "basis", "used as")
ERRORS = ("points", "median error", "worst error")
KERNEL = ("point", "measured_s", "simulated_s", "off_pct", "reason")


def table(
    rows: Sequence[Sequence[object]], heads: Sequence[str], right: Collection[str] = ()
) -> str:
    """Return a table; the columns under the heads in `right` are aligned there."""
    sides = ["right" if head in right else "left" for head in heads]
    return tabulate(rows, list(heads), "pipe", colalign=sides, disable_numparse=True)


def _cells(row: Row) -> list[str]:
    cells = reproduction.cells(row)
    return [cells[column.replace(" ", "_")] for column in FIGURES]


def by_system(rows: Sequence[Row]) -> str:
    """Return a table for each system, with figures that are only quoted last."""
    names = dict.fromkeys(row["system"] for row in rows)
    rows = sorted(rows, key=lambda row: row["basis"] == QUOTED)
    return "\n\n".join(
        f"## {name}\n\n"
        f"{table([_cells(row) for row in rows if row['system'] == name], FIGURES, JUDGED)}"
        for name in names
    )


def worst_first(rows: Sequence[Row]) -> str:
    """Return one table, largest residual first."""
    lines = [[f"`{row['system']}`", *_cells(row)] for row in reproduction.ordered(rows)]
    return table(lines, ["system", *FIGURES], JUDGED)


def closed_forms(rows: Sequence[Formula]) -> str:
    """Return a table of all formulas, and below it the reasons for their errors."""
    lines = [
        [
            f"`{row.formula}`" if row.where == WHOLE_GRID else "",
            row.mechanism if row.where == WHOLE_GRID else f"- {row.where}",
            row.points,
            f"{row.median_error_pct:.3f} %",
            f"{row.worst_error_pct:+.2f} %",
        ]
        for row in rows
    ]
    used = {(row.scenario, row.where) for row in rows}
    reasons = [
        f"- **Where {region.name}.** {region.why}"
        for scenario in scenarios()
        for region in regions(scenario)
        if (scenario, region.name) in used
    ]
    heads = ["closed form", "over", *ERRORS]
    return "\n\n".join([table(lines, heads, ERRORS), "\n".join(reasons)])


def disagreements() -> str:
    """Return a list for each system with disagreements."""
    return "\n\n".join(
        "\n".join([f"## {name}", "", *(f"- **{d.what}.** {d.why}" for d in system.disagreements)])
        for name, system in systems.items()
        if system.disagreements
    )


def kernel(rows: Sequence[Row]) -> str:
    """Return how many of the kernel's points agree, and a table of the others with reasons."""
    off = [row for row in rows if row["within"] != "yes"]
    lines = [[row[column] for column in KERNEL] for row in off]
    heads = [column.replace("_", " ") for column in KERNEL]
    within = (
        f"Within {WITHIN_PCT:.0f} %: {len(rows) - len(off)} of {len(rows)} points, told the window"
    )
    within += f"; {count_within(rows, 'out_of_the_box')} out of the box"
    within += f"; stock ns-3's TCP on the same points: {count_within(rows, 'stock')}."
    return f"{within}\n\n{table(lines, heads)}" if off else within


def kernel_live(live: Sequence[Row], rows: Sequence[Row]) -> str:
    """Return how many points of the kernel's client with the live server agree with both others,
    and a table of those that differ more from either."""
    if not live:
        return "Not measured yet."
    beside = {row["point"]: row for row in rows}
    found = []
    for row in live:
        both = beside.get(row["point"])
        if row["live_s"] and both:
            columns = (both["measured_s"], row["live_s"], both["simulated_s"])
            off = [100 * (float(row["live_s"]) / float(each) - 1) for each in columns[::2]]
            found.append((row, columns, off))
    apart = [each for each in found if max(map(abs, each[2])) > WITHIN_PCT]
    apart.sort(key=lambda each: -max(map(abs, each[2])))
    lines = [
        [row["point"], *columns, *(f"{each:+.1f} %" for each in off), row["late_p99_us"]]
        for row, columns, off in apart
    ]
    heads = ("point", "kernel, s", "live, s", "simulated, s", "off the kernel", "off the simulated")
    within = f"Within {WITHIN_PCT:.0f} % of both: {len(found) - len(apart)} of {len(found)} points."
    return f"{within}\n\n{table(lines, [*heads, 'late at p99, us'])}"


def builds(rows: Sequence[Row]) -> str:
    """Return a table of results/ns3-builds.csv: the speed of one's own ns-3 build."""
    if not rows:
        return "Not measured yet."
    lines = [
        [row["points"], row["ns3"], row["cpu_ms"], f"{row['min']} to {row['max']}", row["ratio"]]
        for row in rows
    ]
    heads = ("points", "ns-3", "CPU time of a point, ms", "of all rounds", "times as fast")
    said = f"Medians of {rows[0]['rounds']} rounds on {rows[0]['machine']}"
    return f"{table(lines, heads)}\n\n{said}; load {rows[0]['load']}."


def benchmarks(rows: Sequence[Row], machine: str = "quiet") -> str:
    """Return a table of results/benchmarks.csv or benchmarks-busy.csv, with the machine's name."""
    if not rows:
        return f"Not measured on a {machine} machine yet."
    lines = [
        [
            row["name"],
            f"{row['value']} {row['unit']}" if row["value"] else "",
            f"{row['min']} to {row['max']}" if row["value"] else "",
            row["target"],
            re.sub(r"\./waf \w+", r"`\g<0>`", row["met"]),
        ]
        for row in rows
    ]
    heads = ("benchmark", "median", "of all rounds", "target", "met")
    rounds, first = max(int(row["rounds"]) for row in rows), rows[0]
    on = f"{rounds} rounds on {first['machine']}; load average {first['load']}."
    return f"{table(lines, heads)}\n\n{on}"


def robustness(rows: Sequence[Row]) -> str:
    """Return a table of results/robustness.csv."""
    if not rows:
        return "Not tried yet: `./waf robustness` does."
    heads = {"tried": "trial", "survival is": "holds", "inputs": "tried", "survived": "survived"}
    heads |= {"of them refused": "refused", "beside": "beside"}
    lines = [
        [f"{int(row[key]):,}" if row[key].isdecimal() else row[key] for key in heads.values()]
        for row in rows
    ]
    numbers = ("inputs", "survived", "of them refused")
    return f"{table(lines, list(heads), numbers)}\n\nWith the seed {rows[0]['seed']}."
