# SPDX-License-Identifier: GPL-2.0-only
"""How every figure looks and how it is saved: sizes, colours that survive colour blindness and a
grey printer, and files that come out the same to the byte each time."""

import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from study.base.project import write_whole
from study.kit.paper import remark_on_points

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from pandas import DataFrame as Table
else:  # loaded by what draws, not by what asks which figures there are
    Axes, Figure, Table = "Axes", "Figure", "Table"


@dataclass(frozen=True)
class Size:
    """What a figure is drawn for. A page's says how high it is, a slide's fills the slide."""

    width_in: float
    dpi: int
    height_in: float | None = None


COLUMN_IN = 3.5
PAGE_IN = 7.2
SIZES = {
    "column": Size(COLUMN_IN, dpi=300),
    "page": Size(PAGE_IN, dpi=200),
    # Half of a slide of 13.33 x 7.5 in: put there, letters of 8 points have 16, and all else grows
    # with them. 1920 x 1080 pixels.
    "slide": Size(20 / 3, dpi=288, height_in=3.75),
}
_size: ContextVar[str] = ContextVar("size", default="page")

# Okabe and Ito's palette. The protocol colours follow tcptrace: data blue, window green, ACK brown.
DATA, ACK, WINDOW, MEASURED = "#0072B2", "#A65100", "#009E73", "#000000"
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
# Each format's name for the caption, and what it would otherwise say of the day and the versions.
FORMATS = {
    "svg": ("Description", {"Date": None, "Creator": None}),
    "pdf": ("Subject", {"CreationDate": None, "Creator": None, "Producer": None}),
    "png": ("Description", {"Software": None}),
}


@dataclass(frozen=True)
class Drawing:
    """A figure, the numbers in it, and the sentence under it."""

    figure: Figure
    table: Table
    caption: str


@contextmanager
def house(size: str = "page") -> Iterator[None]:
    """Everything drawn inside follows the house style at that size, whatever the user's own
    settings are."""
    import matplotlib

    before = _size.set(size)
    try:
        with matplotlib.rc_context():
            matplotlib.rcdefaults()
            matplotlib.rcParams.update(SETTINGS)
            yield
    finally:
        _size.reset(before)


def drawn(draw: Callable[[], Drawing], size: str) -> Drawing:
    """What is drawn, in the house style and at that size."""
    with house(size):
        drawing = draw()
        fit(drawing.figure)
        return judged(drawing)


def judged(drawing: Drawing) -> Drawing:
    """With a sentence on the points where a closed form and the simulation beside it part."""
    remark = remark_on_points(_on_paper(drawing.table))
    if not remark or remark in drawing.caption:
        return drawing
    return replace(drawing, caption=f"{drawing.caption} {remark}")


def _on_paper(table: Table) -> list[tuple[float, float]]:
    """Each closed form of a figure's table and the number that it stands behind."""
    pairs: list[tuple[float, float]] = []
    for place, name in enumerate(table.columns):
        if not name.startswith("closed_form") or "error_pct" in table.columns:
            continue
        both = table[[name, table.columns[place - 1]]].dropna()
        pairs += [(on_paper, simulated) for on_paper, simulated in both.values if simulated]
    return pairs


def size() -> str:
    """What is drawn for now: "column", "page" or "slide"."""
    return _size.get()


def narrow() -> bool:
    """Whether it is a column's: then panels stand one above the other."""
    return size() == "column"


def fold() -> str:
    """Between words that are one line where there is room."""
    return "\n" if narrow() else " "


def one(page_in: float, column_in: float | None = None) -> tuple[Figure, Axes]:
    """A figure of one panel."""
    made = figure(page_in, column_in)
    return made, made.subplots()


def beside(
    count: int, page_in: float, column_in: float, **look: object
) -> tuple[Figure, Sequence[Axes]]:
    """A figure of panels side by side, or in a column one above the other."""
    made = figure(page_in, column_in)
    return made, made.subplots(*(count, 1) if narrow() else (1, count), **look)


def figure(page_in: float, column_in: float | None = None) -> Figure:
    """An empty figure of the size in force; given are its heights on a page and in a column."""
    import matplotlib.figure

    made = matplotlib.figure.Figure(figsize=(PAGE_IN, page_in), layout="constrained")
    fit(made, column_in)
    return made


def fit(made: Figure, column_in: float | None = None) -> None:
    """Give a figure that was drawn for a page the size in force, if it has not got it."""
    wanted = SIZES[size()]
    width_in, height_in = made.get_size_inches()
    if width_in != wanted.width_in:
        other_in = height_in if column_in is None else column_in
        made.set_size_inches(wanted.width_in, wanted.height_in or other_in)


def save_all(drawing: Drawing, stem: Path, size: str = "page") -> list[Path]:
    """Write SVG, PDF, PNG and the table beside them as CSV: all four or none."""
    contents = rendered(drawing, stem, size)
    write_whole(contents)
    return list(contents)


def rendered(drawing: Drawing, stem: Path, size: str = "page") -> dict[Path, bytes]:
    """What these files hold."""
    dpi = SIZES[size].dpi
    contents = {Path(f"{stem}.{suffix}"): as_file(drawing, suffix, dpi) for suffix in FORMATS}
    table = drawing.table.to_csv(index=False, lineterminator="\n")
    return contents | {Path(f"{stem}.csv"): table.encode()}


def as_file(drawing: Drawing, suffix: str, dpi: int | str = "figure", **settings: object) -> bytes:
    """In one of FORMATS; `settings` are matplotlib's, for this file."""
    import matplotlib

    caption, metadata = FORMATS[suffix]
    out = io.BytesIO()
    with house():  # the salt and the fonts are looked up when saving, too
        matplotlib.rcParams.update(settings)
        metadata = {**metadata, caption: drawing.caption}
        drawing.figure.savefig(out, format=suffix, metadata=metadata, dpi=dpi)
    return out.getvalue()
