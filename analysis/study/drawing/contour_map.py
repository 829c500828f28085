# SPDX-License-Identifier: GPL-2.0-only
"""Contour maps: a rate over two parameters, both on logarithmic axes, from runs on a grid."""

from collections.abc import Sequence
from math import log10

from study.drawing import style

SHADES = "Blues"  # darker is more, on a grey printer, too
PAPER = "#D55E00"


def contour_map(
    axes: style.Axes, table: style.Table, x: str, y: str, levels_kBps: Sequence[float]
) -> None:
    """Shades and labelled lines of equal throughput, those of the closed form dashed; a dot for
    each run. All is interpolated as its logarithm."""
    from matplotlib import colormaps

    at = [log10(level) for level in levels_kBps]
    pale = colormaps[SHADES](range(5, 150, 145 // len(at)))  # black letters stand out on them
    simulated, paper = (_grid(table, x, y, f"{z}_Bps") for z in ("throughput", "closed_form"))
    axes.contourf(*simulated, levels=[at[0] - 9, *at, at[-1] + 9], colors=pale)
    look = {"colors": "black", "linewidths": 0.8}
    lines = axes.contour(*simulated, levels=at, linestyles="solid", **look)
    axes.plot([], [], color="black", linewidth=0.8, label="simulated (kB/s)")
    axes.set(xscale="log", yscale="log")
    axes.clabel(lines, fmt=lambda value: f"{10**value:.0f}", fontsize=7)
    dots = {"linestyle": "", "marker": ".", "markersize": 2.5, "color": "0.2"}
    axes.plot(table[x], table[y], clip_on=False, **dots)
    look = {"colors": PAPER, "linestyles": "dashed", "linewidths": 0.9}
    axes.contour(*paper, levels=at, **look)
    axes.plot([], [], color=PAPER, linestyle="dashed", linewidth=0.9, label="closed form")


def _grid(table: style.Table, x: str, y: str, z: str) -> tuple:
    from numpy import log10

    grid = table.pivot(index=y, columns=x, values=z)
    return grid.columns, grid.index, log10(grid / 1000)
