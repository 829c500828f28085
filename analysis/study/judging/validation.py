# SPDX-License-Identifier: GPL-2.0-only
"""How far the simulation is from what was measured: the residual of a row of the table of results,
and the rows by its size."""

from study.judging.reproduction import Row, with_unit


def ordered(table: list[Row]) -> list[Row]:
    """By the size of the residual; a figure that the simulation does not show comes first, a bound
    that holds last."""
    return sorted(table, key=_size, reverse=True)


def _size(row: Row) -> float:
    without = 0.0 if row["inside"] == "yes" else float("inf")
    return abs(float(row["residual_pct"])) if row["residual_pct"] else without


def cells(row: Row) -> Row:
    """A row as it is printed: numbers with their unit, and the residual with whether a range holds
    the simulation."""
    unit = row["unit"]
    return row | {
        "measured": with_unit(row["measured"], unit),
        "closed_form": with_unit(row["closed_form"], unit),
        "simulated": with_unit(row["simulated"], unit) or "not sent",
        "residual": residual(row),
    }


def residual(row: Row) -> str:
    """For a range counted from its middle, with whether it holds the simulation."""
    if not row["residual_pct"]:
        return "inside" if row["inside"] == "yes" else ""
    where = {"yes": ", inside", "no": ", outside", "": ""}[row["inside"]]
    return f"{float(row['residual_pct']):+.2f} %{where}"
