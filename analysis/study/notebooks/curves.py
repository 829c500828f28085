# SPDX-License-Identifier: GPL-2.0-only
"""Curves of sweeps, with what was measured and what somebody predicted on them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from study.base.units import MEASURED
from study.drawing import style
from study.drawing.style import Drawing
from study.notebooks.pictures import Picture
from study.notebooks.predictions import Prediction
from study.notebooks.texts import measured
from study.system.system import System

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

# What a column's name ends in: the unit an axis has, and how much of the column's one it is.
AXES = {"Bps": ("kB/s", 1e3), "bps": ("kbit/s", 1e3), "s": ("s", 1.0), "B": ("B", 1.0)}
STAR = {"marker": "*", "markersize": 11, "color": "#F0E442", "markeredgecolor": "black"}
MOST_TICKS = 13
FEW_DECADES = 20  # a shorter logarithmic axis than from 1 to this has more of its numbers written


@dataclass(frozen=True)
class Mark:
    """A measured point, in the units of the columns, with its name."""

    x: float
    y: float
    text: str
    low: float | None = None  # of y, where the source gives a range
    high: float | None = None


def measured_mark(system: System, quantity: str, at: float, text: str = "") -> Mark:
    """A measured figure of a system's file as a point."""
    row = measured(system, quantity)
    unit = MEASURED[row.unit]
    low, high = (None if each is None else each * unit for each in (row.low, row.high))
    name = text or system.title.partition(" (")[0]
    return Mark(at, row.value * unit, f"{name}: {row.text} {row.unit}", low, high)


def curves(
    tables: "Mapping[str, pd.DataFrame] | pd.DataFrame",
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
    """One curve a table: column y against column x. Circles and the like are simulated, lines
    without them formulas, stars measured, a hollow diamond is the prediction (of y, in the unit of
    its axis)."""
    named = {"simulated": tables} if hasattr(tables, "columns") else dict(tables)
    with style.house():
        figure = style.figure(3.8)
        axes = figure.subplots()
        scale_x, scale_y = _scale(axes, named, x, y)
        for (name, points), look in zip(named.items(), style.CURVES, strict=False):
            colour, dash, marker = look
            ordered = points.sort_values(x)
            at = ordered[x] / scale_x, ordered[y] / scale_y
            axes.plot(*at, color=colour, linestyle=dash, marker=marker, linewidth=0.8, label=name)
        ends = _ends(named, x)
        for (name, formula), grey in zip((formulas or {}).items(), ("0.35", "0.6"), strict=False):
            xs = _between(*ends, linear)
            ys = [formula(each) / scale_y for each in xs]
            at = [each / scale_x for each in xs], ys
            axes.plot(*at, color=grey, linewidth=1.6, zorder=1, label=name)
        if ceiling is not None:
            axes.axhline(ceiling[0] / scale_y, color="0.4", linewidth=0.8)
            place = (ends[0] / scale_x, ceiling[0] / scale_y)
            lift = {"xytext": (0, 3), "textcoords": "offset points"}
            axes.annotate(ceiling[1], place, **lift)
        middle = sum(ends) / 2 if linear else (ends[0] * ends[1]) ** 0.5
        first = next(iter(named.values())).sort_values(x)[y]
        sides = _above(marks, middle, rises=first.iloc[-1] > first.iloc[0])
        for mark, up in zip(marks, sides, strict=True):
            _mark(axes, mark, (scale_x, scale_y), up, right=mark.x > middle)
        if prediction is not None and isinstance(prediction[1].yours, int | float):
            at = prediction[0] / scale_x, prediction[1].yours
            hollow = {"marker": "D", "color": "white", "markeredgecolor": "#D55E00"}
            axes.plot(*at, linestyle="", markersize=7, label="your prediction", **hollow)
        if x_label:
            axes.set_xlabel(x_label)
        _finish(axes, sorted({v for t in named.values() for v in t[x]}), scale_x, linear)
    return Picture(Drawing(figure, _joined(named), caption or _caption(marks)))


def _caption(marks: Sequence[Mark]) -> str:
    stars = "Star" if len(marks) == 1 else "Stars"
    measured = f" {stars}: as measured (source: see below)." if marks else ""
    return f"Markers: simulated, one run each.{measured}"


def _joined(named: "Mapping[str, pd.DataFrame]") -> "pd.DataFrame":
    import pandas as pd

    return pd.concat([points.assign(curve=name) for name, points in named.items()])


def _scale(axes: "Axes", named: Mapping, x: str, y: str) -> tuple[float, float]:
    """Name the axes, and what to divide their columns by."""
    factors = []
    for column, name in ((x, axes.set_xlabel), (y, axes.set_ylabel)):
        stem, _, suffix = column.rpartition("_")
        unit, factor = AXES.get(suffix, ("", 1.0))
        most = max(points[column].max() for points in named.values())
        if unit == "s" and most < 1:
            unit, factor = "ms", 1e-3
        words = (stem if unit else column).replace("_", " ").replace("ack", "ACK")
        name(f"{words} ({unit})" if unit else words)
        factors.append(factor)
    return factors[0], factors[1]


def _ends(named: Mapping, x: str) -> tuple[float, float]:
    return (
        min(points[x].min() for points in named.values()),
        max(points[x].max() for points in named.values()),
    )


def _between(low: float, high: float, linear: bool, count: int = 300) -> list[float]:
    shares = [step / count for step in range(count + 1)]
    if linear:
        return [low + (high - low) * share for share in shares]
    return [low * (high / low) ** share for share in shares]


def _above(marks: Sequence[Mark], middle: float, rises: bool) -> list[bool]:
    """Whether a mark's name goes above it: where the curve is not. A second one at the same x goes
    the other way."""
    sides: list[bool] = []
    for place, mark in enumerate(marks):
        left = mark.x > middle
        again = sum(other.x == mark.x for other in marks[:place]) % 2 == 1
        sides.append((left == rises) != again)
    return sides


def _mark(axes: "Axes", mark: Mark, scales: tuple[float, float], up: bool, right: bool) -> None:
    scale_x, scale_y = scales
    at = (mark.x / scale_x, mark.y / scale_y)
    if mark.low is not None:
        axes.axhspan(mark.low / scale_y, mark.high / scale_y, color="0.88", zorder=0)
    axes.plot(*at, linestyle="", zorder=5, **STAR)
    offset = (-14 if right else 14, 20 if up else -22)
    axes.annotate(
        mark.text,
        at,
        xytext=offset,
        textcoords="offset points",
        ha="right" if right else "left",
        va="center",
        arrowprops={"arrowstyle": "-", "linewidth": 0.6},
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1, "alpha": 0.85},
        zorder=4,
    )


def _apart(values: list[float]) -> list[float]:
    """Ascending values, without those whose names would touch on a logarithmic axis."""
    least = (values[-1] / values[0]) ** (1 / MOST_TICKS) * 0.999
    kept = values[:1]
    for value in values[1:]:
        if value >= kept[-1] * least:
            kept.append(value)
    return kept


def _finish(axes: "Axes", values: list[float], scale_x: float, linear: bool) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    if not linear:
        axes.set(xscale="log", yscale="log")
        axes.margins(y=0.12)
        ticks = [value / scale_x for value in _apart(values)]
        axes.set_xticks(ticks, [f"{tick:,.4g}" if tick < 1e4 else f"{tick:,.0f}" for tick in ticks])
        axes.set_xticks([], minor=True)
        low, high = axes.get_ylim()
        steps = (1, 3) if high / low > FEW_DECADES else (1, 1.5, 2, 3, 5, 7)
        axes.yaxis.set_major_locator(LogLocator(subs=steps))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
        axes.yaxis.set_minor_formatter(NullFormatter())
    else:
        axes.set_ylim(bottom=0)
    axes.grid(which="major", color="0.9", linewidth=0.5)
    if len(axes.get_legend_handles_labels()[1]) > 1:
        axes.figure.legend(loc="outside upper center", ncols=4)
