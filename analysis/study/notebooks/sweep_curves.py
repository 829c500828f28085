# SPDX-License-Identifier: GPL-2.0-only
"""Curves of sweeps with measured and predicted points."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from study.base.units import MEASURED
from study.drawing import marks as marks_of
from study.drawing import style
from study.drawing.axes_of import apart
from study.drawing.job_table import between
from study.drawing.style import Drawing
from study.kit.paper import remark_on_points
from study.notebooks.pictures import Picture
from study.notebooks.predictions import Prediction
from study.notebooks.texts import measured
from study.programs.labels import spelt
from study.system.system import System

# Endings of column names: the axis' unit, and its size in the column's unit.
AXES = {"Bps": ("kB/s", 1e3), "bps": ("kbit/s", 1e3), "s": ("s", 1.0), "B": ("B", 1.0)}
MOST_TICKS = 13
STEPS = 300  # points of a formula's line
DENSE = 30  # number of points from which markers would hide the curve
FEW_DECADES = 20  # a logarithmic axis from 1 to less than this has more labels


@dataclass(frozen=True)
class Mark:
    """A measured point in the units of the columns, with its label."""

    x: float
    y: float
    text: str
    low: float | None = None  # range of y in the source, if it gives one
    high: float | None = None


def treads(low: int, high: int, step: int) -> list[int]:
    """Return sizes in bytes for a curve with steps of `step` bytes, such as a window in segments:
    both ends of every step from `low` to `high`, and a few sizes below the first."""
    below = [step * n // 8 for n in range(1, 8)]
    edges = [edge for whole in range(step, high + 1, step) for edge in (whole - 1, whole)]
    return sorted({low, high, *(size for size in below + edges if low < size < high)})


def measured_mark(system: System, quantity: str, at: float, text: str = "") -> Mark:
    """Return a measured figure of a system's file as a point at `at`, in the columns' units."""
    row = measured(system, quantity)
    unit = MEASURED[row.unit]
    low, high = (None if each is None else each * unit for each in (row.low, row.high))
    name = text or system.title.partition(" (")[0]
    return Mark(at, row.value * unit, f"{name}: {row.text} {row.unit}", low, high)


def curves(
    tables: "Mapping[str, style.Table] | style.Table",
    x: str,
    y: str = "throughput_Bps",
    *,
    marks: Sequence[Mark] = (),
    formulas: Mapping[str, Callable[[float], float]] | None = None,
    prediction: tuple[float, Prediction] | None = None,
    ceiling: tuple[float, str] | None = None,
    linear: bool = False,
    x_label: str = "",
    caption: str = "",
) -> Picture:
    """Draw column `y` against column `x`, one curve for each table. Markers are simulated points,
    plain lines formulas, stars measured points. A hollow diamond is the prediction of y, in the
    axis' unit."""
    import numpy as np
    import pandas as pd

    named = {"simulated": tables} if hasattr(tables, "columns") else dict(tables)
    joined = pd.concat([points.assign(curve=name) for name, points in named.items()])
    with style.house():
        figure, axes = style.one(3.8)
        scale_x, scale_y = _scale(axes, joined, x, y)
        for name, points, (colour, dash, marker) in marks_of.families(joined, "curve"):
            ordered = points.sort_values(x)
            at = ordered[x] / scale_x, ordered[y] / scale_y
            look = (
                {"linewidth": 1.2} if len(ordered) > DENSE else {"marker": marker, "linewidth": 0.8}
            )
            axes.plot(*at, color=colour, linestyle=dash, label=name, **look)
        xs = sorted(set(joined[x]))
        ends = xs[0], xs[-1]
        for (name, formula), grey in zip((formulas or {}).items(), ("0.35", "0.6"), strict=False):
            on = np.linspace(*ends, STEPS + 1) if linear else between(*ends, STEPS)
            at = [each / scale_x for each in on], [formula(each) / scale_y for each in on]
            axes.plot(*at, color=grey, linewidth=1.6, zorder=1, label=name)
        if ceiling is not None:
            marks_of.level(axes, ceiling[0] / scale_y, ceiling[1], ends[0] / scale_x)
        middle = sum(ends) / 2 if linear else (ends[0] * ends[1]) ** 0.5
        first = next(iter(named.values())).sort_values(x)[y]
        rises = first.iloc[-1] > first.iloc[0]
        for place, mark in enumerate(marks):
            # The label is beside the curve; that of a second mark at the same x goes to the other
            # side.
            right = mark.x > middle
            again = sum(other.x == mark.x for other in marks[:place]) % 2 == 1
            _mark(axes, mark, (scale_x, scale_y), up=(right == rises) != again, right=right)
        if prediction is not None and isinstance(prediction[1].yours, int | float):
            at = prediction[0] / scale_x, prediction[1].yours
            hollow = {"marker": "D", "color": "white", "markeredgecolor": style.GUESS}
            axes.plot(*at, linestyle="", markersize=7, label="your prediction", **hollow)
        if x_label:
            axes.set_xlabel(x_label)
        _finish(axes, xs, scale_x, linear)
    if not caption:
        dense = len(joined) > DENSE * len(named)
        caption = f"{'Lines' if dense else 'Markers'}: simulated, one run each."
        stars = "Star" if len(marks) == 1 else "Stars"
        caption += f" {stars}: as measured (source: see below)." if marks else ""
    remark = remark_on_points(_judged(joined, x, y, formulas or {}))
    return Picture(Drawing(figure, joined, f"{caption} {remark}".rstrip()))


def _judged(
    table: style.Table, x: str, y: str, formulas: Mapping[str, Callable[[float], float]]
) -> list[tuple[float, float]]:
    """Return each formula's value and the simulated value at each point. With several curves, a
    formula belongs to the nearest."""
    ended = table[table[y].notna() & (table[y] > 0)]
    pairs = []
    for formula in formulas.values():
        of_each = [
            [(formula(at), value) for at, value in zip(rows[x], rows[y], strict=True)]
            for _, rows in ended.groupby("curve", sort=False)
        ]
        pairs += min(of_each, key=lambda curve: sum(abs(a - b) for a, b in curve), default=[])
    return pairs


def _scale(axes: style.Axes, table: style.Table, x: str, y: str) -> tuple[float, float]:
    """Label the axes, and return the divisors of their columns."""
    factors = []
    for column, name in ((x, axes.set_xlabel), (y, axes.set_ylabel)):
        stem, _, suffix = column.rpartition("_")
        unit, factor = AXES.get(suffix, ("", 1.0))
        if unit == "s" and table[column].max() < 1:
            unit, factor = "ms", 1e-3
        words = spelt(stem if unit else column)
        name(f"{words} ({unit})" if unit else words)
        factors.append(factor)
    return factors[0], factors[1]


def _mark(axes: style.Axes, mark: Mark, scales: tuple[float, float], up: bool, right: bool) -> None:
    scale_x, scale_y = scales
    at = (mark.x / scale_x, mark.y / scale_y)
    if mark.low is not None:
        axes.axhspan(mark.low / scale_y, mark.high / scale_y, color="0.88", zorder=0)
    marks_of.star(axes, at)
    look = {"ha": "right" if right else "left", "va": "center", "zorder": 4} | marks_of.LEADER
    look["bbox"] = {"facecolor": "white", "edgecolor": "none", "pad": 1, "alpha": 0.85}
    marks_of.note(axes, mark.text, at, (-14 if right else 14, 20 if up else -22), **look)


def _finish(axes: style.Axes, values: list[float], scale_x: float, linear: bool) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    if not linear:
        axes.margins(y=0.12)
        steps = [value for value in values if value + 1 not in values]  # without the ends of steps
        ticks = [value / scale_x for value in apart(steps, MOST_TICKS)]
        texts = {tick: f"{tick:,.4g}" if tick < 1e4 else f"{tick:,.0f}" for tick in ticks}
        marks_of.scales(axes, "xy", x=texts)
        low, high = axes.get_ylim()
        subs = (1, 3) if high / low > FEW_DECADES else (1, 1.5, 2, 3, 5, 7)
        axes.yaxis.set_major_locator(LogLocator(subs=subs))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
        axes.yaxis.set_minor_formatter(NullFormatter())
    else:
        axes.set_ylim(bottom=0)
        marks_of.scales(axes)
    if len(axes.get_legend_handles_labels()[1]) > 1:
        axes.figure.legend(loc="outside upper center", ncols=4)
