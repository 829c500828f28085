# SPDX-License-Identifier: GPL-2.0-only
"""The blocks of README.md that are generated from results/, each between two markers. The table of
results has to be there; the others stand where somebody has put their markers."""

import re

from analysis import validation
from analysis.errors import StudyError
from analysis.formula_check import Row as Formula
from analysis.formula_check import tables
from analysis.reproduction import Row
from analysis.validation import with_unit

BEGIN = "<!-- begin results table -->"
END = "<!-- end results table -->"
BLOCK = re.compile(r"<!-- begin ([a-z ]+) -->.*?<!-- end \1 -->", re.DOTALL)
HEADERS = ["quantity", "measured", "closed form", "simulated", "residual", "used as"]


def with_table(readme: str, table: list[Row]) -> str:
    """The README's text with the table of these rows between its markers."""
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise StudyError(
            f"README.md has no lines {BEGIN} and {END}: put them where the table belongs"
        )
    return f"{before}{begin}\n\n{_tables(table)}\n\n{end}{after}"


def with_blocks(readme: str, table: list[Row], formulas: list[Formula]) -> str:
    """The same with every generated block."""
    bodies = {"validation table": validation.markdown(table), "closed forms": tables(formulas)}

    def block(match: re.Match) -> str:
        name = match[1]
        if name not in bodies:
            return match[0]
        return f"<!-- begin {name} -->\n\n{bodies[name]}\n\n<!-- end {name} -->"

    return BLOCK.sub(block, with_table(readme, table))


def blocks(readme: str) -> str:
    """All that is generated, to see whether it is up to date."""
    return "".join(match[0] for match in BLOCK.finditer(readme))


def _tables(table: list[Row]) -> str:
    """One table a system, in the order of the rows."""
    names = list(dict.fromkeys(row["system"] for row in table))
    return "\n\n".join(
        _table(name, [row for row in table if row["system"] == name]) for name in names
    )


def _table(system: str, rows: list[Row]) -> str:
    from tabulate import tabulate

    lines = [
        [
            row["quantity"],
            with_unit(row["measured"], row["unit"]),
            with_unit(row["closed_form"], row["unit"]),
            with_unit(row["simulated"], row["unit"]) or "not sent",
            f"{float(row['residual_pct']):+.2f} %" if row["residual_pct"] else "",
            row["used_as"],
        ]
        for row in rows
    ]
    align = ("left", "right", "right", "right", "right", "left")
    body = tabulate(lines, HEADERS, tablefmt="github", colalign=align, disable_numparse=True)
    return f"`{system}`\n\n{body}"
