# SPDX-License-Identifier: GPL-2.0-only
"""Style of all figures: sizes, and colours that remain distinct for colour-blind readers and on
a grey printer."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from study.drawing import sizes
from study.drawing.sizes import PAGE_IN, SIZES, Size
from study.kit.paper import remark_on_points

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend
    from pandas import DataFrame as Table

    from study.drawing.languages import Own
else:  # loaded by what draws, not by what asks which figures there are
    Axes, Figure, Table = "Axes", "Figure", "Table"


_size: ContextVar[Size] = ContextVar("size", default=SIZES["page"])
_font: ContextVar[str] = ContextVar("font", default="")

# Okabe and Ito's palette. The protocol colours follow tcptrace: data blue, window green, ACK brown.
LETTER_IN, LINE_IN = 0.072, 0.14  # of 8 points, with room for a sentence of broad ones
HEADLINE_PART = 6  # a sentence over a figure takes less than this part of its height
GAP = 8  # pixels between a legend and the panels
DATA, ACK, WINDOW, MEASURED = "#0072B2", "#A65100", "#009E73", "#000000"
GUESS = "#D55E00"  # what a reader said before
# Curves differ in colour, dash and marker at once, darkest first.
CURVES = [
    ("#000000", "-", "o"),
    ("#0072B2", "--", "s"),
    ("#009E73", "-.", "^"),
    ("#D55E00", ":", "D"),
    ("#CC79A7", (0, (5, 1, 1, 1, 1, 1)), "v"),
]
SETTINGS = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so it is the same everywhere
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.labelsize": 8,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7,
    "lines.linewidth": 1.0,
    "lines.markersize": 3.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "svg.hashsalt": "study",
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
}


@dataclass(frozen=True)
class Drawing:
    """A figure, the numbers in it, and the sentence under it."""

    figure: Figure
    table: Table
    caption: str
    title: str = ""  # what it shows, in a sentence, where that does not stand in it
    missing: str = ""  # what was asked for and is not in it, in a sentence


@contextmanager
def house(size: str = "page", font: str = "") -> Iterator[None]:
    """Everything drawn inside follows the house style at that size, whatever the user's own
    settings are, in a font of one's own if there is one."""
    import matplotlib

    before, font_before = _size.set(sizes.size(size)), _font.set(font or _font.get())
    try:
        with matplotlib.rc_context():
            matplotlib.rcdefaults()
            matplotlib.rcParams.update(SETTINGS)
            if _font.get():
                matplotlib.rcParams["font.family"] = [_font.get(), SETTINGS["font.family"]]
            yield
    finally:
        _size.reset(before)
        _font.reset(font_before)


def drawn(
    draw: Callable[[], Drawing],
    size: str,
    font: str = "",
    locale: str = "en",
    headline: bool = True,
    own: "Own | None" = None,
) -> Drawing:
    """Return what is drawn, in the house style, at that size and in a language; `own` are templates
    of its own sentences with their translation. Without a `headline` its title is left to what
    stands around it."""
    from study.drawing.languages import translate

    with house(size, font):
        drawing = judged(draw())
        say = translate(drawing.figure, locale, own)
        drawing = replace(drawing, title=say(drawing.title), caption=say(drawing.caption))
        fit(drawing.figure)
        _fit_legends(drawing.figure)
        if headline:
            _headline(drawing)
        return drawing


def _fit_legends(made: Figure) -> None:
    """Give a legend that is wider than the figure as many columns as there is room for."""
    _lay_out(made)
    for wide in [each for each in made.legends if _width(each) > made.bbox.width]:
        handles, labels = wide.legend_handles, [text.get_text() for text in wide.get_texts()]
        is_above = wide.get_window_extent().y0 > made.bbox.height / 2
        look = {"loc": f"outside {'upper' if is_above else 'lower'} center"}
        look["title"] = wide.get_title().get_text() or None
        wide.remove()
        for columns in range(len(labels) - 1, 0, -1):
            narrower = made.legend(handles, labels, ncols=columns, **look)
            if columns == 1 or _width(narrower) <= made.bbox.width:
                break
            narrower.remove()


def _lay_out(made: Figure) -> None:
    """Place what is measured next: legends outside all panels, where there are any."""
    if made.legends:
        made.draw_without_rendering()


def _width(legend: "Legend") -> float:
    """In pixels."""
    return legend.get_window_extent().width


def _headline(drawing: Drawing) -> None:
    """What it shows, over all of it; where the height is not given, with room of its own."""
    if not drawing.title:
        return
    made = drawing.figure
    width_in, height_in = made.get_size_inches()
    lines = _evenly(drawing.title, int(width_in / LETTER_IN))
    room_in = LINE_IN * (len(lines) + 0.6)
    if _size.get().height_in is None:
        height_in += room_in
    if len(lines) * LINE_IN > height_in / HEADLINE_PART:
        return  # its file and its caption have it
    if _size.get().height_in is None:
        made.set_size_inches(width_in, height_in)
    below = 1 - room_in / height_in
    _lay_out(made)
    above, under = [], []  # legends outside all panels
    for legend in made.legends:
        box = legend.get_window_extent()
        (above if box.y0 > made.bbox.height / 2 else under).append((legend, box.height))
    high, low = (
        (max(height for _, height in each) + GAP) / made.bbox.height if each else 0.0
        for each in (above, under)
    )
    made.get_layout_engine().set(rect=(0, low, 1, below - high - low))
    for legend, _ in above:
        legend.set_bbox_to_anchor((0, 0, 1, below), made.transFigure)
    for legend, _ in under:
        legend.set_bbox_to_anchor((0, 0, 1, 1), made.transFigure)
    at = 0.06 / width_in, 1 - 0.05 / height_in
    made.text(*at, "\n".join(lines), va="top", fontsize=8, in_layout=False)


def _evenly(text: str, most: int) -> list[str]:
    """In as few lines as there is room for, none of them a last word alone."""
    from textwrap import wrap

    lines = wrap(text, most)
    widths = range(-(-len(text) // len(lines)), most + 1)
    return next(each for width in widths if len(each := wrap(text, width)) == len(lines))


def judged(drawing: Drawing) -> Drawing:
    """With a sentence on the points where a closed form and the simulation beside it part."""
    remark = remark_on_points(_on_paper(drawing.table))
    if not remark or remark in drawing.caption:
        return drawing
    return replace(drawing, caption=f"{drawing.caption} {remark}")


def _on_paper(table: Table) -> list[tuple[float, float]]:
    """Return each closed form of a figure's table and the number that it stands behind."""
    pairs: list[tuple[float, float]] = []
    for place, name in enumerate(table.columns):
        if not name.startswith("closed_form") or "error_pct" in table.columns:
            continue
        both = table[[name, table.columns[place - 1]]].dropna()
        pairs += [(on_paper, simulated) for on_paper, simulated in both.values if simulated]
    return pairs


def size() -> str:
    """Return what is drawn for now: "column", "page" or "slide"; of another size the one of these
    whose arrangement it has."""
    return _size.get().arranged


def narrow() -> bool:
    """Return whether it is a column's: then panels stand one above the other."""
    return size() == "column"


def fold() -> str:
    """Between words that are one line where there is room."""
    return "\n" if narrow() else " "


def one(page_in: float, column_in: float | None = None) -> tuple[Figure, Axes]:
    """Return a figure of one panel."""
    made = figure(page_in, column_in)
    return made, made.subplots()


def beside(
    count: int, page_in: float, column_in: float, **look: object
) -> tuple[Figure, Sequence[Axes]]:
    """Return a figure of panels side by side, or in a column one above the other."""
    made = figure(page_in, column_in)
    return made, made.subplots(*(count, 1) if narrow() else (1, count), **look)


def figure(page_in: float, column_in: float | None = None) -> Figure:
    """Return an empty figure of the size in force; given are its heights on a page and in a
    column."""
    import matplotlib.figure

    made = matplotlib.figure.Figure(figsize=(PAGE_IN, page_in), layout="constrained")
    fit(made, column_in)
    return made


def fit(made: Figure, column_in: float | None = None) -> None:
    """Give a figure that was drawn for a page the size in force, if it has not got it."""
    wanted = _size.get()
    width_in, height_in = made.get_size_inches()
    if width_in != wanted.width_in or height_in != (wanted.height_in or height_in):
        other_in = height_in if column_in is None else column_in
        made.set_size_inches(wanted.width_in, wanted.height_in or other_in)
