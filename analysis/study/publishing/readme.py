# SPDX-License-Identifier: GPL-2.0-only
"""Generated blocks of README.md, each between two markers: a line a measured system, the
disagreements, and an explanation as the command prints it. The table is required, the other blocks
are optional."""

import re

from study.answers import caveats
from study.answers.overview import Glance, glances
from study.base.errors import StudyError
from study.catalogue import systems
from study.drawing.kinds.limits import three
from study.judging import reproduction
from study.judging.reproduction import Row
from study.system.measured import NOT_AT_HAND, QUOTED

TABLE = "results table"
EXPLAINED = "hawking-hps1u"
TOLD = 3  # systems with disagreements that README shows; another page has all
BLOCK = re.compile(r"<!-- begin ([a-z ]+) -->.*?<!-- end \1 -->", re.DOTALL)
HEADERS = ["system", "figure", "measured", "simulated", "residual", "what limits it"]


def with_blocks(readme: str, table: list[Row], limits: list[Row]) -> str:
    """Return README's text with every generated block, from the rows of results/reproduction.csv
    and results/figures/limits.csv. Raise StudyError if README has no markers for the table."""
    if TABLE not in BLOCK.findall(readme):
        lines = f"<!-- begin {TABLE} --> and <!-- end {TABLE} -->"
        raise StudyError(f"README.md has no lines {lines}: put them where the table belongs")
    bodies = {
        TABLE: lambda: results_table(table, limits),
        "disagreements": lambda: _disagreements(table),
        "explanation": _explanation,
    }

    def block(match: re.Match) -> str:
        name = match[1]
        if name not in bodies:
            return match[0]
        return f"<!-- begin {name} -->\n\n{bodies[name]()}\n\n<!-- end {name} -->"

    return BLOCK.sub(block, readme)


def blocks(readme: str) -> str:
    """Return all generated blocks, to check whether they are up to date."""
    return "".join(match[0] for match in BLOCK.finditer(readme))


def results_table(table: list[Row], limits: list[Row]) -> str:
    """Return a table with a line for each measured system."""
    from tabulate import tabulate

    lines = [_line(glance, glance.row) for glance in glances(table, limits) if glance.row]
    align = ("left", "left", "right", "right", "right", "left")
    main = tabulate(lines, HEADERS, tablefmt="pipe", colalign=align, disable_numparse=True)
    apart = [_beside(row, f" ({row['used_as']})") for row in table if row["basis"] == QUOTED]
    return f"{main}\n\n{NOT_AT_HAND.capitalize()}: {'; '.join(apart)}." if apart else main


def _beside(row: Row, used_as: str = "") -> str:
    """Return a measured figure and the simulated one as a sentence."""
    cells = reproduction.cells(row)
    figures = f"{cells['measured']}, simulated {cells['simulated']}"
    return f"`{row['system']}`, {row['quantity']}{used_as} {figures}"


def _line(glance: Glance, row: Row) -> list[str]:
    cells = reproduction.cells(row)
    figure = f"{cells['quantity']} ({cells['used_as']})"
    beside = [cells[name] for name in ("measured", "simulated", "residual")]
    most = caveats.limit(systems[glance.name], glance.limit)
    return [f"`{glance.name}`", figure, *beside, f"{most}, {three(glance.share_pct)} %"]


def _disagreements(table: list[Row]) -> str:
    """Return a line for each system whose predictions are furthest off: the figure and the
    reason."""
    lines = []
    for row in _furthest_off(table)[:TOLD]:
        main = systems[row["system"]].disagreements[0]
        lines.append(f"- {_beside(row)}. **{main.what}.** {main.why}")
    return "\n".join(lines)


def _furthest_off(table: list[Row]) -> list[Row]:
    """Return the worst prediction of each system with a disagreement, largest residual first."""
    predicted = [row for row in table if row["used_as"] == "prediction" and row["residual_pct"]]
    found: dict[str, Row] = {}
    for row in sorted(predicted, key=lambda row: -abs(float(row["residual_pct"]))):
        if systems[row["system"]].disagreements:
            found.setdefault(row["system"], row)
    return list(found.values())


def _explanation() -> str:
    explained = systems[EXPLAINED].explain()
    return f"```text\n$ .venv/bin/study explain {EXPLAINED}\n{explained}\n```"
