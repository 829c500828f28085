# SPDX-License-Identifier: GPL-2.0-only
"""The validation table: every measured figure of every system beside its closed form and its
simulation, the worst residual first."""

from analysis.reproduction import Row

HEADERS = ["system", "quantity", "measured", "closed form", "simulated", "residual", "basis"]
HEADERS += ["used as"]
ALIGN = ("left", "left", "right", "right", "right", "right", "left", "left")


def ordered(table: list[Row]) -> list[Row]:
    """By the size of the residual; a figure that the simulation does not show comes first."""
    return sorted(table, key=lambda row: -abs(float(row["residual_pct"] or "inf")))


def markdown(table: list[Row]) -> str:
    """The table for the README and the report."""
    from tabulate import tabulate

    lines = [
        [
            row["system"],
            row["quantity"],
            with_unit(row["measured"], row["unit"]),
            with_unit(row["closed_form"], row["unit"]),
            with_unit(row["simulated"], row["unit"]) or "not sent",
            f"{float(row['residual_pct']):+.2f} %" if row["residual_pct"] else "",
            row["basis"],
            row["used_as"],
        ]
        for row in ordered(table)
    ]
    return tabulate(lines, HEADERS, tablefmt="github", colalign=ALIGN, disable_numparse=True)


def with_unit(value: str, unit: str) -> str:
    """A value as a reader wants it; a count has no unit."""
    return f"{value} {unit}" if value and unit != "1" else value
