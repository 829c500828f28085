# SPDX-License-Identifier: GPL-2.0-only
"""Contour maps: a quantity over two parameters, both on logarithmic axes, from runs on a grid."""

from collections.abc import Sequence
from math import log10
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

SHADES = "Blues"  # darker is more, on a grey printer, too


def contour_map(
    axes: "Axes",
    table: "pd.DataFrame",
    x: str,
    y: str,
    z: str,
    levels: Sequence[float],
    unit: str,
) -> None:
    """Shades and labelled lines of equal z; a dot for each run. All three are interpolated as their
    logarithms."""
    from matplotlib import colormaps

    grid, at = _grid(table, x, y, z), [log10(level) for level in levels]
    pale = colormaps[SHADES](range(5, 150, 145 // len(levels)))  # black letters stand out on them
    bounds = [at[0] - 9, *at, at[-1] + 9]
    axes.contourf(*grid, levels=bounds, colors=pale)
    look = {"colors": "black", "linewidths": 0.8}
    lines = axes.contour(*grid, levels=at, linestyles="solid", **look)
    axes.plot([], [], color="black", linewidth=0.8, label=f"simulated ({unit})")
    axes.set(xscale="log", yscale="log")
    axes.clabel(lines, fmt=lambda value: f"{10**value:.0f}", fontsize=7)
    dots = {"linestyle": "", "marker": ".", "markersize": 2.5, "color": "0.2"}
    axes.plot(table[x], table[y], clip_on=False, **dots)


def closed_form_lines(
    axes: "Axes", table: "pd.DataFrame", x: str, y: str, z: str, levels: Sequence[float]
) -> None:
    """The same lines by another judge: dashed, without labels."""
    look = {"colors": "#D55E00", "linestyles": "dashed", "linewidths": 0.9}
    axes.contour(*_grid(table, x, y, z), levels=[log10(level) for level in levels], **look)
    axes.plot([], [], color="#D55E00", linestyle="dashed", linewidth=0.9, label="closed form")


def _grid(table: "pd.DataFrame", x: str, y: str, z: str) -> tuple:
    from numpy import log10

    grid = table.pivot(index=y, columns=x, values=z)
    return grid.columns, grid.index, log10(grid)
