# SPDX-License-Identifier: GPL-2.0-only
"""Contour maps: a rate over two parameters, both on logarithmic axes, from runs on a grid."""

from collections.abc import Sequence
from math import log10

from study.drawing import style

SHADES = "Blues"  # darker is more, on a grey printer, too
PAPER = "#D55E00"


def contour_map(
    axes: style.Axes,
    table: style.Table,
    x: str,
    y: str,
    levels: Sequence[float],
    figure: tuple[str, str, float, str] = ("throughput_Bps", "closed_form_Bps", 1000.0, "kB/s"),
) -> None:
    """Shades and labelled lines of an equal figure, those of its closed form, if it has one,
    dashed; a dot for each run. All is interpolated as its logarithm. `figure` names both columns,
    and what of them is how much of the levels' unit."""
    from matplotlib import colormaps

    at = [log10(level) for level in levels]
    simulated_column, paper_column, per, unit = figure
    pale = colormaps[SHADES](range(5, 150, 145 // len(at)))  # black letters stand out on them
    simulated = _grid(table, x, y, simulated_column, per)
    axes.contourf(*simulated, levels=[at[0] - 9, *at, at[-1] + 9], colors=pale)
    look = {"colors": "black", "linewidths": 0.8}
    lines = axes.contour(*simulated, levels=at, linestyles="solid", **look)
    axes.plot([], [], color="black", linewidth=0.8, label=f"simulated ({unit})")
    axes.set(xscale="log", yscale="log")
    axes.clabel(lines, fmt=lambda value: f"{10**value:.4g}", fontsize=7)
    dots = {"linestyle": "", "marker": ".", "markersize": 2.5, "color": "0.2"}
    axes.plot(table[x], table[y], clip_on=False, **dots)
    if not paper_column:
        return
    look = {"colors": PAPER, "linestyles": "dashed", "linewidths": 0.9}
    axes.contour(*_grid(table, x, y, paper_column, per), levels=at, **look)
    axes.plot([], [], color=PAPER, linestyle="dashed", linewidth=0.9, label="closed form")


def _grid(table: style.Table, x: str, y: str, z: str, per: float) -> tuple:
    from numpy import log10

    grid = table.pivot(index=y, columns=x, values=z)
    return grid.columns, grid.index, log10(grid.astype(float) / per)
