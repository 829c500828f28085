# SPDX-License-Identifier: GPL-2.0-only
"""A figure of any table with units in its columns' names, as a sweep writes them: a column against
another, a curve for each value of a third."""

from collections.abc import Iterator

from study.base.errors import StudyError
from study.drawing import axes_of, gaps, style
from study.drawing.axes_of import Axis
from study.drawing.dress import check_font, put_on
from study.drawing.files import SavedDrawing
from study.drawing.ratios import MARKERS
from study.drawing.style import Axes, Drawing, Table, drawn
from study.programs.labels import spelt

MOST_CURVES = 8  # of which a legend can be read
DENSE = 60  # points of a curve, from which markers would hide it
DOT = 2  # points across, of a marker then
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))
ENDED = "finished"
Curve = tuple[str, Table, tuple]


def plot(
    table: Table,
    x: str,
    y: str,
    by: str | None = None,
    *,
    size: str = "page",
    dress: str = "light",
    font: str = "",
    title: str = "",
    locale: str = "en",
    headline: bool = True,
) -> SavedDrawing:
    """Draw a column of a table against another, in the house style.

    Parameters
    ----------
    table
        As a sweep returns it, or any DataFrame whose columns' names end in their units.
    x, y, by
        Columns across, up, and with a curve for each value; units may be left out of the names.
    size
        "page", "column" or another name of the house, or a width, as "85mm".
    dress
        "light", "dark" or "grey".
    font
        A family that this machine has.
    title
        In the place of the title that the columns give.
    locale
        "en" or "de": words and decimal sign.
    headline
        Whether the figure has its title.

    Returns
    -------
    SavedDrawing
        `.figure` is matplotlib's, to go on with; `.save("a.pdf")` writes it.

    Raises
    ------
    StudyError
        The table has no such column, or no row of a job that finished.
    """
    if font:
        check_font(font)
    x, y = (axes_of.column_of(table, name) for name in (x, y))
    by = None if by is None else axes_of.column_of(table, by)
    drawing = drawn(lambda: _plot(table, x, y, by, title), size, font, locale, headline)
    put_on(drawing.figure, dress)
    return SavedDrawing.of(drawing)


def _plot(table: Table, x: str, y: str, by: str | None, title: str) -> Drawing:
    kept = ended(table, y)
    across, up = axes_of.axis_of(kept, x), axes_of.axis_of(kept, y)
    figure, axes = style.one(3.8)
    for label, rows, look in curves(kept, by):
        markers(axes, rows, across, up, look, label)
    finish(axes, kept, across, up, by)
    words = f"{up.words} against {across.words}"
    words += f", a curve for each {by_words(by)}" if by else ""
    left_out = len(table) - len(kept)
    caption = f"{words[0].upper()}{words[1:]}: {len(kept)} rows of a table."
    if left_out:
        caption += f" {left_out} rows have no {up.words} or did not finish, and are not drawn."
    columns = [each for each in (by, x, y) if each]
    title = title or f"{words[0].upper()}{words[1:]}"
    return Drawing(figure, kept[list(dict.fromkeys(columns))], caption, title)


def ended(table: Table, y: str) -> Table:
    """Return the rows that have the figure; of a job that did not finish none is to be shown."""
    kept = table[table[y].notna()]
    if "outcome" in kept:
        kept = kept[kept.outcome == ENDED]
    if not len(kept):
        raise StudyError(f"no row of the table has a {spelt(y)} of a job that finished")
    return kept


def curves(table: Table, by: str | None) -> Iterator[Curve]:
    """Yield the rows of each curve, by its name, with its look."""
    if by is None:
        yield "", table, (style.CURVES[1][0], "-", style.CURVES[0][2])
        return
    groups = list(table.groupby(by, sort=False, observed=True))
    if len(groups) > MOST_CURVES:
        raise StudyError(f"by {by}: {len(groups)} curves; a figure has room for {MOST_CURVES}")
    for place, (value, rows) in enumerate(groups):
        colour = style.CURVES[place % len(style.CURVES)][0]
        yield named(table, by, value), rows, (colour, DASHES[place % len(DASHES)], MARKERS[place])


def named(table: Table, by: str, value: object) -> str:
    """Return a curve's name: its value, with a unit."""
    if isinstance(value, str | bool) or not hasattr(value, "__float__"):
        return str(value)
    axis = axes_of.axis_of(table[table[by] == value], by)
    return axis.shown(float(value))


def by_words(by: str) -> str:
    """Return what the curves differ in, over the legend."""
    stem, _, suffix = by.rpartition("_")
    return spelt(stem if suffix in axes_of.UNITS else by)


def markers(axes: Axes, rows: Table, across: Axis, up: Axis, look: tuple, label: str) -> None:
    """Draw simulated jobs, and between them what `gaps.join` draws where no formula is known."""
    at = rows[across.column] / across.per, rows[up.column] / up.per
    gaps.join(axes, look, gaps.gaps(at, step=step_of(across, rows)))
    dots(axes, at, look, label)


def dots(axes: Axes, at: tuple, look: tuple, label: str) -> None:
    """Draw jobs, as small dots where markers would hide the curve."""
    small = {"marker": ".", "markersize": DOT} if len(at[0]) > DENSE else {"marker": look[2]}
    axes.plot(*at, color=look[0], linestyle="", label=label or "_", **small)


def step_of(axis: Axis, rows: Table) -> float:
    """Return the distance of two values that have none between them: what counts bytes, segments or
    the like has one, a fraction has none."""
    counts = rows[axis.column].dtype.kind in "iu" and (axis.is_bytes or not axis.unit)
    return 1 / axis.per if counts else 0.0


def finish(axes: Axes, table: Table, across: Axis, up: Axis, by: str | None) -> None:
    """Labels, scales and the legend."""
    axes_of.dress(axes, "x", across, [float(each) for each in table[across.column]])
    axes_of.dress(axes, "y", up)
    handles, names = gaps.entries(axes)
    if handles:
        title = by_words(by) if by else None
        columns = min(len(handles), 2 if style.narrow() else 4)
        look = {"loc": "outside upper center", "ncols": columns, "title": title}
        axes.figure.legend(handles, names, **look)
