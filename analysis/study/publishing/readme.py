# SPDX-License-Identifier: GPL-2.0-only
"""The blocks of README.md that are generated, each between two markers: from results/ the tables,
from the system files what does not agree. The table of results has to be there; the others stand
where somebody has put their markers."""

import re

from study.base.errors import StudyError
from study.catalogue import systems
from study.judging import validation
from study.judging.formula_errors import Row as Formula
from study.judging.formula_errors import tables
from study.judging.reproduction import Row, with_unit

TABLE, DISAGREEMENTS = "results table", "disagreements"
VALIDATION, FORMULAS = "validation table", "closed forms"
BENCHMARKS = "benchmarks"
BLOCK = re.compile(r"<!-- begin ([a-z ]+) -->.*?<!-- end \1 -->", re.DOTALL)
HEADERS = ["quantity", "measured", "closed form", "simulated", "residual", "used as"]


def with_blocks(readme: str, table: list[Row], formulas: list[Formula]) -> str:
    """The README's text with every generated block."""
    bodies = {
        TABLE: _tables(table),
        DISAGREEMENTS: _disagreements(),
        VALIDATION: validation.markdown(table),
        FORMULAS: tables(formulas),
    }
    if TABLE not in BLOCK.findall(readme):
        lines = f"<!-- begin {TABLE} --> and <!-- end {TABLE} -->"
        raise StudyError(f"README.md has no lines {lines}: put them where the table belongs")

    return _filled(readme, bodies)


def with_benchmarks(readme: str, table: list[dict[str, str]]) -> str:
    """The README's text with the block of the benchmarks, which no study makes: their numbers are
    of one machine and moment."""
    return _filled(readme, {BENCHMARKS: benchmark_table(table)})


def _filled(readme: str, bodies: dict[str, str]) -> str:
    def block(match: re.Match) -> str:
        name = match[1]
        if name not in bodies:
            return match[0]
        return f"<!-- begin {name} -->\n\n{bodies[name]}\n\n<!-- end {name} -->"

    return BLOCK.sub(block, readme)


def blocks(readme: str) -> str:
    """All that is generated, to see whether it is up to date."""
    return "".join(match[0] for match in BLOCK.finditer(readme))


def _disagreements() -> str:
    """One list a system that has any."""
    return "\n\n".join(
        "\n".join([f"`{name}`", "", *(f"- **{d.what}.** {d.why}" for d in system.disagreements)])
        for name, system in systems.items()
        if system.disagreements
    )


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
            validation.residual(row),
            row["used_as"],
        ]
        for row in rows
    ]
    align = ("left", "right", "right", "right", "right", "left")
    body = tabulate(lines, HEADERS, tablefmt="github", colalign=align, disable_numparse=True)
    return f"`{system}`\n\n{body}"


def benchmark_table(table: list[dict[str, str]]) -> str:
    """The rows of results/benchmarks.csv, and the machine they are from."""
    from tabulate import tabulate

    lines = [
        [
            row["name"],
            f"{row['value']} {row['unit']}" if row["value"] else "",
            f"{row['min']} to {row['max']}" if row["value"] else "",
            row["target"],
            row["met"],
        ]
        for row in table
    ]
    headers = ["benchmark", "median", "of all rounds", "target", "met"]
    body = tabulate(lines, headers, tablefmt="github", disable_numparse=True)
    first = table[0]
    rounds = max(int(row["rounds"]) for row in table)
    return f"{body}\n\n{rounds} rounds on {first['machine']}; load average {first['load']}."
