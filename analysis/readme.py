# SPDX-License-Identifier: GPL-2.0-only
"""What README.md shows of the study, each between two markers: the table of results, from
results/reproduction.csv, and what does not agree, from the system files."""

from analysis.errors import StudyError
from analysis.reproduction import Row, with_unit
from analysis.system import systems

TABLE, DISAGREEMENTS = "results table", "disagreements"
HEADERS = ["quantity", "measured", "closed form", "simulated", "residual", "used as"]


def with_blocks(readme: str, table: list[Row]) -> str:
    """The README's text with these rows and the disagreements between their markers."""
    with_rows = _with_block(readme, TABLE, _tables(table))
    return _with_block(with_rows, DISAGREEMENTS, _disagreements())


def block(readme: str, name: str) -> str:
    """What stands between the markers of that name."""
    begin, end = _markers(name)
    return readme.partition(begin)[2].partition(end)[0]


def _markers(name: str) -> tuple[str, str]:
    return f"<!-- begin {name} -->", f"<!-- end {name} -->"


def _with_block(readme: str, name: str, text: str) -> str:
    before, begin, rest = readme.partition(_markers(name)[0])
    _, end, after = rest.partition(_markers(name)[1])
    if not (begin and end):
        lines = " and ".join(_markers(name))
        raise StudyError(f"README.md has no lines {lines}: put them where the {name} belong")
    return f"{before}{begin}\n\n{text}\n\n{end}{after}"


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
