# SPDX-License-Identifier: GPL-2.0-only
"""The validation table: every measured figure of every system beside its closed form and its
simulation, the worst residual first."""

from study.judging.reproduction import Row, with_unit

HEADERS = ["system", "quantity", "measured", "closed form", "simulated", "residual", "basis"]
HEADERS += ["used as"]
ALIGN = ("left", "left", "right", "right", "right", "right", "left", "left")


def ordered(table: list[Row]) -> list[Row]:
    """By the size of the residual; a figure that the simulation does not show comes first, a bound
    that holds last."""
    return sorted(table, key=_size, reverse=True)


def _size(row: Row) -> float:
    without = 0.0 if row["inside"] == "yes" else float("inf")
    return abs(float(row["residual_pct"])) if row["residual_pct"] else without


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
            residual(row),
            row["basis"],
            row["used_as"],
        ]
        for row in ordered(table)
    ]
    return tabulate(lines, HEADERS, tablefmt="github", colalign=ALIGN, disable_numparse=True)


def residual(row: Row) -> str:
    """For a range counted from its middle, with whether it holds the simulation."""
    if not row["residual_pct"]:
        return "inside" if row["inside"] == "yes" else ""
    where = {"yes": ", inside", "no": ", outside", "": ""}[row["inside"]]
    return f"{float(row['residual_pct']):+.2f} %{where}"
