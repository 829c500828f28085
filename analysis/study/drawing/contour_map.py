# SPDX-License-Identifier: GPL-2.0-only
"""Contour maps: a rate over two logarithmic parameters, from runs on a grid. Values between two
runs are interpolated, except across a parameter of whole numbers, where they are drawn as steps."""

from collections.abc import Sequence
from itertools import pairwise
from math import log10

from study.drawing import style

SHADES = "Blues"  # darker is more, on a grey printer, too
PAPER = "#D55E00"
RATES = ("throughput_Bps", "closed_form_Bps")


def contour_map(
    axes: style.Axes,
    table: style.Table,
    x: str,
    y: str,
    levels: Sequence[float],
    figure: tuple[str, str, float, str] = ("throughput_Bps", "closed_form_Bps", 1000.0, "kB/s"),
) -> list:
    """Draw shaded areas and labelled contour lines of a figure, and a dot for each run. The contour
    lines of the closed form, if there is one, are dashed. All is interpolated as its logarithm.
    `figure` has the columns of the simulation and of the closed form, the divisor from the column's
    unit to that of the levels, and that unit. Return the labels of the lines."""
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
    labels = axes.clabel(lines, fmt=lambda value: f"{10**value:.4g}", fontsize=7)
    dots = {"linestyle": "", "marker": ".", "markersize": 2.5, "color": "0.2"}
    axes.plot(table[x], table[y], clip_on=False, **dots)
    if not paper_column:
        return labels
    look = {"colors": PAPER, "linestyles": "dashed", "linewidths": 0.9}
    axes.contour(*_grid(table, x, y, paper_column, per), levels=at, **look)
    axes.plot([], [], color=PAPER, linestyle="dashed", linewidth=0.9, label="closed form")
    return labels


def _grid(table: style.Table, x: str, y: str, z: str, per: float) -> tuple:
    from numpy import log10

    grid = table.pivot(index=y, columns=x, values=z)
    return grid.columns, grid.index, log10(grid.astype(float) / per)


def stairs_map(
    axes: style.Axes, table: style.Table, x: str, y: str, levels: Sequence[float], last: float
) -> None:
    """Draw shaded areas and contour lines in kB/s of a rate that falls with `y` and is constant
    between two values of `x`. The last value of `x` counts up to `last`."""
    from matplotlib import colormaps

    pale = colormaps[SHADES](range(5, 150, 145 // len(levels)))
    bottom, top = table[y].min(), table[y].max()
    solid, dashed = (_crossings(table, x, y, column, levels) for column in RATES)
    edges = [*solid.columns, last]
    black = {"color": "black", "linewidth": 0.8}
    paper = {"color": PAPER, "linewidth": 0.9, "linestyle": "dashed"}
    axes.fill_between([edges[0], last], bottom, top, color=pale[0], linewidth=0, zorder=0)
    for place, level in enumerate(levels):
        heights = [*solid.loc[level], solid.loc[level].iloc[-1]]
        below = [bottom if height != height else height for height in heights]
        shade = {"color": pale[place + 1], "linewidth": 0, "zorder": 0.1 * place}
        axes.fill_between(edges, bottom, below, step="post", **shade)
        axes.plot(edges, heights, drawstyle="steps-post", **black)
        on_paper = [*dashed.loc[level], dashed.loc[level].iloc[-1]]
        axes.plot(edges, on_paper, drawstyle="steps-post", **paper)
        inside = solid.loc[level].dropna()
        inside = inside[inside < top]
        at = inside.index[len(inside) // 2]
        box = {"facecolor": "white", "edgecolor": "none", "pad": 0.8, "alpha": 0.8}
        where = {"ha": "center", "va": "center", "fontsize": 7, "bbox": box}
        axes.text(at, inside[at], f"{level:g}", **where)
    axes.plot([], [], label="simulated (kB/s)", **black)
    axes.plot([], [], label="closed form", **paper)
    axes.set(xscale="log", yscale="log", xlim=(edges[0], last), ylim=(bottom, top))
    dots = {"linestyle": "", "marker": ".", "markersize": 1.5, "color": "0.2"}
    axes.plot(table[x], table[y], clip_on=False, **dots)


def _crossings(
    table: style.Table, x: str, y: str, column: str, levels: Sequence[float]
) -> style.Table:
    """Of each level and value across how far up it is reached; nothing where it is not."""
    import pandas as pd

    found = {}
    for value, rows in table.groupby(x):
        downwards = rows.sort_values(y, ascending=False)
        points = list(zip(downwards[y], downwards[column] / 1000, strict=True))
        found[value] = [_reached(points, level) for level in levels]
    return pd.DataFrame(found, index=list(levels))


def _reached(points: Sequence[tuple[float, float]], level: float) -> float:
    """Return the highest place that has the level, from the top down, in logarithms."""
    if points[0][1] >= level:
        return points[0][0]
    for (above, less), (below, more) in pairwise(points):
        if more >= level:
            share = log10(level / more) / log10(less / more)
            return 10 ** (log10(below) + share * log10(above / below))
    return float("nan")
