# SPDX-License-Identifier: GPL-2.0-only
"""Curve of a system's rate over any parameter, one curve for each value of another, with closed
form and measured points.

The number is the one that the scenario is judged by, unless another is asked for.
"""

from collections.abc import Sequence
from itertools import accumulate
from math import nan

from study.base.units import for_readers
from study.drawing import axes_of, gaps, marks, plot, style
from study.drawing.axes_of import Axis
from study.drawing.curve_steps import refined
from study.drawing.flow import name_of
from study.drawing.levels import level
from study.drawing.lists import Jobs, Lists, base, jobs
from study.drawing.style import Axes, Table
from study.kit.chance import drawn
from study.kit.paper import CLOSE_PCT
from study.programs.labels import spelt
from study.system.system import System

AXES = 1
MOST_NAMED = 6  # curves whose limits the caption tells
STAR_GAP = 0.1  # stars that are nearer would hide each other
FLAT = 1.01  # a figure that changes by less does not change


def draw(
    system: System, vary: Lists | None = None, by: Lists | None = None, y: str = ""
) -> style.Drawing:
    """Draw jobs as markers and the closed form, where it holds, as lines."""
    found = refined(jobs(system, vary, by, y))
    table = plot.ended(found.table, found.y)
    (across_column, *others) = _columns(found)
    missing = _missing(_split(found.table, others), _split(table, others)[0])
    table, split = _split(table, others)
    across, up = axes_of.axis_of(table, across_column), axes_of.axis_of(table, found.y)
    figure, axes = style.one(3.9)
    has_form = False
    for label, rows, look in plot.curves(table, split):
        has_form |= _curve(axes, found, rows, (across, up), look, label)
    stars = _stars(axes, found, across, up)
    plot.finish(axes, table, across, up, split)
    if found.y == "throughput_Bps":
        level(axes, [point.system for point in found.points], up.per, up.unit)
    title = _title(found, table, across, up, split)
    lines = _lines(found, has_form, gaps.has_unrun(axes))
    caption = _caption(found, table, across, up, split, lines, stars)
    return style.Drawing(figure, found.table, f"{caption} {missing}".rstrip(), title, missing)


def _curve(
    axes: Axes, found: Jobs, rows: Table, both: tuple[Axis, Axis], look: tuple, label: str
) -> bool:
    """Draw one; return whether a closed form is in it."""
    across, up = both
    at = rows[across.column] / across.per, rows[up.column] / up.per
    points = [found.points[place] for place in rows.index]
    line = found.paper_line(points)
    paper = ([x / across.per for x, _ in line], [value / up.per for _, value in line])
    form = [found.on_paper(point.system) for point in points] if line else [None] * len(points)
    form = [nan if each is None else each / up.per for each in form]
    between = gaps.gaps(at, form, plot.step_of(across, rows))
    gaps.join(axes, look, between, paper if line else None)
    asked = [point.is_asked for point in points]
    plot.dots(axes, (at[0][asked], at[1][asked]), look, label)
    found_ = [not each for each in asked]
    marks.points(axes, at[0][found_], at[1][found_], {**marks.FOUND, "color": look[0]})
    return bool(line) and any(each.has_form for each in between)


def _split(table: Table, others: list[str]) -> tuple[Table, str | None]:
    """With a column by which curves differ; where they do in several, one of all of them."""
    if len(others) < 2:
        return table, next(iter(others), None)
    parts = [[plot.named(table, each, value) for value in table[each]] for each in others]
    name = "_and_".join(map(axes_of.stem, others))
    return table.assign(**{name: [", ".join(each) for each in zip(*parts, strict=True)]}), name


def _missing(asked: tuple[Table, str | None], drawn: Table) -> str:
    """Return a sentence on the curves of which no job finished."""
    table, split = asked
    if split is None:
        return ""
    there = set(drawn[split])
    names = [
        plot.named(table, split, value) for value in table[split].unique() if value not in there
    ]
    what = f"Not drawn, by {plot.by_words(split)}: {', '.join(names)} (no job finished)."
    return what if names else ""


def _columns(found: Jobs) -> list[str]:
    """Of the axis, and of what the curves differ in."""
    keys = list(found.points[0].at)
    return [*keys[len(found.by) :], *keys[: len(found.by)]]


def _stars(axes: Axes, found: Jobs, across: Axis, up: Axis) -> list[str]:
    told: list[str] = []
    drawn: list[tuple[float, float]] = []
    for row, at in found.measured():
        place = float(at[across.column]) / across.per, base(row) / up.per
        hidden = any(x == place[0] and abs(y / place[1] - 1) < STAR_GAP for x, y in drawn)
        if not hidden:
            marks.star(axes, place, label="as measured" if not drawn else "_")
            drawn.append(place)
        if row.low is not None:
            size = base(row) / row.value / up.per
            axes.vlines(place[0], row.low * size, row.high * size, color="black", linewidth=0.8)
        told.append(f"{row.quantity}, {row.text} {for_readers(row.unit)}")
    return told


def _title(found: Jobs, table: Table, across: Axis, up: Axis, split: str | None) -> str:
    """Return what the first curve says, in a sentence."""
    name, rows, _ = next(plot.curves(table, split))
    rows = rows.sort_values(across.column)
    here = f" ({plot.by_words(split)} {name})" if split else ""
    points = list(zip(map(float, rows[across.column]), map(float, rows[up.column]), strict=True))
    return f"The {up.words} of {name_of(found.system)} {_course(points, across, up)}{here}"


def _course(points: Sequence[tuple[float, float]], across: Axis, up: Axis) -> str:
    """Return what a curve does from its first point to its last; of one that goes up and down,
    which its ends do not show, the least and the most with their places."""
    (low, first), (high, last) = points[0], points[-1]
    if len(points) == 1:
        return f"is {up.shown(first)} at {across.shown(low)} of {across.words}"
    ys = [y for _, y in points]
    if max(ys) < FLAT * min(ys) or not any(ys):
        return f"does not change with the {across.words}"
    if min(ys) > 0 and (_only_grows(ys) or _only_grows(ys[::-1])):
        word = "grows" if last > first else "falls"
        ratio = max(last / first, first / last)
        ends = f"from {across.shown(low)} to {across.shown(high)}"
        return f"{word} {ratio:.3g}-fold {ends} of {across.words}"
    least, most = (end(points, key=lambda point: point[1]) for end in (min, max))
    told = [f"{up.shown(y)} at {across.shown(x)}" for x, y in (least, most)]
    return f"is least, {told[0]}, and most, {told[1]} of {across.words}"


def _only_grows(ys: Sequence[float]) -> bool:
    """But for what is no change."""
    return all(top < FLAT * y for top, y in zip(accumulate(ys, max), ys, strict=True))


def _caption(
    found: Jobs,
    table: Table,
    across: Axis,
    up: Axis,
    split: str | None,
    lines: str,
    stars: Sequence[str],
) -> str:
    words = f"{up.words[0].upper()}{up.words[1:]} of {name_of(found.system)} against its "
    parts = [words + across.words + (f", by {plot.by_words(split)}" if split else "") + "."]
    parts.append(f"Markers: simulated jobs; {lines}.")
    if stars:
        parts.append(f"Stars, as the source has them: {'; '.join(stars)}.")
    if (left_out := len(found.points) - len(table)) > 0:
        parts.append(f"{left_out} of {len(found.points)} jobs were refused or did not finish.")
    runs = [(point.system, point.result) for point in found.points if point.result is not None]
    chance = dict.fromkeys(key for system, run in runs for key in drawn(system, run.record))
    if chance:
        what = ", ".join(map(spelt, chance))
        parts.append(f"Each marker is one random seed ({what}); another seed gives another.")
    parts.append(_limits(found, table, across, split))
    return " ".join(filter(None, parts))


def _lines(found: Jobs, has_form: bool, has_unrun: bool) -> str:
    """Say what is drawn between the markers."""
    told = []
    if not all(point.is_asked for point in found.points):
        told.append("small dots: further jobs, run to find both sides of a step")
    if has_form:
        note = f" ({found.plan.paper_note})" if found.plan else ""
        told.append(
            f"lines: closed form{note}, where it is within {CLOSE_PCT:g} % of the jobs beside it"
        )
    told.append("dotted: nothing was run there" if has_unrun else "")
    if not has_form and not has_unrun:
        told.append("lines: every value between was run")
    return "; ".join(filter(None, told))


def _limits(found: Jobs, table: Table, across: Axis, split: str | None) -> str:
    """Return what most of the time is waited for along each curve."""
    told = []
    for name, rows, _ in plot.curves(table, split):
        rows = rows.sort_values(across.column)
        stretches: list[list] = []
        for value, limit in zip(rows[across.column], rows.limit, strict=True):
            if not stretches or stretches[-1][0] != limit:
                stretches.append([limit, value, value])
            stretches[-1][2] = value
        along = [f"{spelt(limit)} ({_range(across, low, high)})" for limit, low, high in stretches]
        told.append((f"at {name}: " if name else "") + ", then ".join(along))
    if not told or len(told) > MOST_NAMED:
        return ""
    return f"Most of the time is waited for: {'; '.join(told)}."


def _range(across: Axis, low: float, high: float) -> str:
    if low == high:
        return across.shown(float(low))
    return f"{across.shown(float(low))} to {across.shown(float(high))}"
