# SPDX-License-Identifier: GPL-2.0-only
"""Marks that many figures use: a curve of jobs with its closed form, a star at a measured value,
a note beside a point, a level with its name, ticks."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from study.drawing import bytes_axis, gaps, style
from study.drawing.style import Axes, Table

Points = tuple[Sequence[float], Sequence[float]]
STAR = {"marker": "*", "markersize": 11, "color": "#F0E442", "markeredgecolor": "black"}
DIAMOND = {"marker": "D", "markersize": 4, "color": "white", "markeredgecolor": "black"}
ASSUMED = {"marker": "o", "markersize": 6, "color": "white", "markeredgecolor": style.DATA}
FOUND = {"marker": ".", "markersize": 2}  # a job that nobody asked for
LEADER = {"arrowprops": {"arrowstyle": "-", "linewidth": 0.6}}  # from a note to its point
PLAIN = (style.DATA, "-", "o")  # the look of a figure's only curve


def curve(
    axes: Axes,
    look: tuple,
    jobs: Points,
    paper: Points | None = None,
    label: str | None = None,
    form: Sequence[float] | None = None,
    step: float = 0.0,
) -> None:
    """Draw simulated jobs as markers, and what is known between them, as `gaps.join` says; `form`
    is the closed form at each job, as `paper` has it between them."""
    colour, _, marker = look
    gaps.join(axes, look, gaps.gaps(jobs, form, step), paper)
    axes.plot(*jobs, color=colour, marker=marker, linestyle="", label=label)


def families(table: Table, column: str) -> Iterator[tuple[Any, Table, tuple]]:
    """Yield the rows of each curve, by what they have in a column, and the curve's look."""
    for (name, rows), look in zip(table.groupby(column, sort=False), style.CURVES, strict=False):
        yield name, rows, look


def star(axes: Axes, at: tuple, text: str = "", shift: tuple = (14, -20), **look: object) -> None:
    """Where the source has it, with a note that a thin line leads to."""
    axes.plot(*at, linestyle="", zorder=5, **STAR | look)
    if text:
        note(axes, text, at, shift, **LEADER)


def points(axes: Axes, xs: object, ys: object, look: Mapping[str, object]) -> None:
    """Markers over the others, without a line."""
    axes.plot(xs, ys, linestyle="", zorder=4, **look)


def note(axes: Axes, text: str, at: tuple, shift: tuple[float, float], **look: object) -> None:
    """Words so many points beside a point."""
    axes.annotate(text, at, xytext=shift, textcoords="offset points", **look)


def level(axes: Axes, value: float, text: str, x: float, **look: object) -> None:
    """A thin line across, with its name over it at x."""
    axes.axhline(value, color="0.4", linewidth=0.8)
    note(axes, text, (x, value), (0, 3), **look)


def bytes_up(axes: Axes, what: str = "") -> None:
    """Let the axis upwards, whose data are bytes, count B, KiB or MiB, with ticks at multiples of a
    power of two."""
    unit = bytes_axis.dress(axes.yaxis, *axes.get_ylim())
    axes.set_ylabel(f"{what} ({unit})" if what else unit)


def bytes_across(axes: Axes, what: str) -> None:
    """The same of the axis across."""
    log = axes.get_xscale() == "log"
    axes.set_xlabel(f"{what} ({bytes_axis.dress(axes.xaxis, *axes.get_xlim(), log=log)})")


def scales(
    axes: Axes,
    log: str = "",
    x: Sequence[float] | Mapping[float, str] = (),
    y: Sequence[float] | Mapping[float, str] = (),
    grid: bool = True,
) -> None:
    """Make the axes in `log` logarithmic, and put ticks and a grid at these values only."""
    axes.set(**{f"{name}scale": "log" for name in log})
    for set_ticks, values in ((axes.set_xticks, x), (axes.set_yticks, y)):
        if values:
            texts = values if isinstance(values, Mapping) else {v: f"{v:.10g}" for v in values}
            set_ticks(list(texts), list(texts.values()))
            set_ticks([], minor=True)
    if grid:
        axes.grid(which="major", color="0.9", linewidth=0.5)
