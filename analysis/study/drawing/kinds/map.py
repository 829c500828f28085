# SPDX-License-Identifier: GPL-2.0-only
"""Map of a system's rate over two parameters, with lines of equal rate and the system's own
point."""

from dataclasses import replace
from math import floor, log10

from study.base.errors import StudyError
from study.base.units import for_readers
from study.drawing import axes_of, marks, plot, style
from study.drawing.contour_map import contour_map
from study.drawing.flow import name_of
from study.drawing.lists import Lists, jobs
from study.system.system import System

AXES = 2
ROUND = (1, 3)
MOST_LEVELS = 9
LABEL_GAP = 0.07  # of an axis
LEAST = 3  # values of each parameter


def draw(system: System, vary: Lists | None = None, y: str = "") -> style.Drawing:
    """Two lists: across and upwards."""
    found = jobs(system, vary, None, y, axes=AXES)
    table = plot.ended(found.table, found.y)
    x, z = list(found.points[0].at)
    if min(table[x].nunique(), table[z].nunique()) < LEAST or len(table) != len(found.points):
        raise StudyError(
            f"a map wants {LEAST} or more values of each parameter, and jobs that all finish: "
            f"{len(table)} of {len(found.points)} did"
        )
    across, up, value = (axes_of.axis_of(table, column) for column in (x, z, found.y))
    form = f"closed_form_{found.y}"
    scaled = table.assign(**{x: table[x] / across.per, z: table[z] / up.per})
    paper = form if form in table and table[form].notna().all() else ""
    figure, axes = style.one(4.2, 3.4)
    levels = _levels(table[found.y].min() / value.per, table[found.y].max() / value.per)
    labels = contour_map(axes, scaled, x, z, levels, (found.y, paper, value.per, value.unit))
    for way, axis in (("x", across), ("y", up)):
        values = [float(each) for each in table[axis.column]]
        axes_of.dress(axes, way, replace(axis, log=True), values)
    axes.grid(visible=False)
    stars = []
    for row, at in found.measured():
        label = "as measured" if not stars else "_"
        place = float(at[x]) / across.per, float(at[z]) / up.per
        marks.star(axes, place, label=label)
        labels = [each for each in labels if not _hides(each, place, axes)]
        stars.append(f"{row.quantity}, {row.text} {for_readers(row.unit)}")
    figure.legend(loc="outside upper center", ncols=2 if style.narrow() else 3)
    words = f"{value.words[0].upper()}{value.words[1:]} ({value.unit}) of {name_of(system)} over "
    title = f"{words}{across.words} and {up.words}"
    caption = (
        f"{title}. Dots: simulated jobs; shades and solid lines: interpolated between them"
        + (", dashed: closed form, interpolated as well" if paper else "")
        + (f". Stars, as the source has them: {'; '.join(stars)}" if stars else "")
        + "."
    )
    return style.Drawing(figure, table, caption, title)


def _hides(label: object, place: tuple[float, float], axes: style.Axes) -> bool:
    """Take a label of a line away that would stand over a star."""
    ends = axes.get_xlim(), axes.get_ylim()
    both = zip(label.get_position(), place, ends, strict=True)
    is_near = all(abs(log10(a / b)) < LABEL_GAP * log10(high / low) for a, b, (low, high) in both)
    if is_near:
        label.remove()
    return is_near


def _levels(low: float, high: float) -> list[float]:
    """Round numbers between the two, as many as can be told apart."""
    if high <= low * 1.02:
        raise StudyError(f"the figure is {low:.4g} everywhere: there is nothing to map")
    steps = [
        each * 10.0**power
        for power in range(floor(log10(low)), floor(log10(high)) + 1)
        for each in ROUND
    ]
    inside = [each for each in steps if low < each < high]
    if len(inside) < LEAST:
        inside = [low * (high / low) ** (step / 5) for step in range(1, 5)]
        inside = [float(f"{each:.2g}") for each in inside]
    while len(inside) > MOST_LEVELS:  # a decade at a time
        powers = [each for each in inside if abs(log10(each) - round(log10(each))) < 1e-9]
        inside = powers if len(powers) < len(inside) else powers[::2]
    return sorted(set(inside))
