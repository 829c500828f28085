# SPDX-License-Identifier: GPL-2.0-only
"""The table of results in README.md, generated from results/reproduction.csv between two
markers."""

from analysis.errors import StudyError
from analysis.reproduction import Row

BEGIN = "<!-- begin results table -->"
END = "<!-- end results table -->"
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
            _with_unit(row["measured"], row["unit"]),
            _with_unit(row["closed_form"], row["unit"]),
            _with_unit(row["simulated"], row["unit"]) or "not sent",
            _residual(row),
            row["used_as"],
        ]
        for row in rows
    ]
    align = ("left", "right", "right", "right", "right", "left")
    body = tabulate(lines, HEADERS, tablefmt="github", colalign=align, disable_numparse=True)
    return f"`{system}`\n\n{body}"


def _residual(row: Row) -> str:
    """For a range counted from its middle, with whether it holds the simulation."""
    if not row["residual_pct"]:
        return ""
    where = {"yes": ", inside", "no": ", outside", "": ""}[row["inside"]]
    return f"{float(row['residual_pct']):+.2f} %{where}"


def _with_unit(value: str, unit: str) -> str:
    return f"{value} {unit}" if value and unit != "1" else value
