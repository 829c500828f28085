# SPDX-License-Identifier: GPL-2.0-only
"""How far the simulation is from what was measured: the residual of a row of the table of results,
and the rows by its size."""

from study.judging.reproduction import Row


def ordered(table: list[Row]) -> list[Row]:
    """By the size of the residual; a figure that the simulation does not show comes first, a bound
    that holds last."""
    return sorted(table, key=_size, reverse=True)


def _size(row: Row) -> float:
    without = 0.0 if row["inside"] == "yes" else float("inf")
    return abs(float(row["residual_pct"])) if row["residual_pct"] else without


def residual(row: Row) -> str:
    """For a range counted from its middle, with whether it holds the simulation."""
    if not row["residual_pct"]:
        return "inside" if row["inside"] == "yes" else ""
    where = {"yes": ", inside", "no": ", outside", "": ""}[row["inside"]]
    return f"{float(row['residual_pct']):+.2f} %{where}"
