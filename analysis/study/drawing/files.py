# SPDX-License-Identifier: GPL-2.0-only
"""Files of a drawing: SVG, PDF, PNG, PGF for LaTeX, and its numbers as CSV or as a LaTeX table.
The same drawing gives the same bytes."""

import io
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from study.base.errors import unknown
from study.base.project import write_whole
from study.drawing import sizes
from study.drawing.languages import ENGLISH
from study.drawing.style import Drawing, house
from study.drawing.tex_table import as_tex

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Each format's name for the caption, the one for where it comes from, and what it would otherwise
# say of the day and the versions.
FORMATS: dict[str, tuple[str, str, dict[str, None]]] = {
    "svg": ("Description", "Source", {"Date": None, "Creator": None}),
    "pdf": ("Subject", "Keywords", {"CreationDate": None, "Creator": None, "Producer": None}),
    "png": ("Description", "Source", {"Software": None}),
}
USUAL = ("svg", "pdf", "png", "csv")
ALL = ("svg", "pdf", "png", "pgf", "csv", "tex")


def save_all(drawing: Drawing, stem: Path, size: str = "page") -> list[Path]:
    """Write SVG, PDF, PNG and the table beside them as CSV: all four or none."""
    contents = rendered(drawing, stem, size)
    write_whole(contents)
    return list(contents)


class SavedDrawing(Drawing):
    """Drawing with a method that saves it."""

    @classmethod
    def of(cls, drawing: Drawing) -> "SavedDrawing":
        """Return the drawing as a SavedDrawing."""
        return cls(**vars(drawing))

    def save(self, path: Path | str, dpi: int | None = None) -> list[Path]:
        """Write the drawing in the format of the path's ending: .svg, .pdf, .png or .pgf, or its
        numbers as .csv or .tex. Without an ending write SVG, PDF, PNG and CSV."""
        path = Path(path)
        suffix = path.suffix[1:]
        if suffix:
            with _laid_out(self.figure, [suffix]):
                contents = {path: _as(self, suffix, dpi or sizes.OWN_DPI, "")}
        else:
            contents = rendered(self, path)
        write_whole(contents)
        return list(contents)


def rendered(
    drawing: Drawing,
    stem: Path,
    size: str = "page",
    formats: Collection[str] = USUAL,
    source: str = "",
    locale: str = ENGLISH,
) -> dict[Path, bytes]:
    """Return the content of each file by its path."""
    dpi = sizes.size(size).dpi
    with _laid_out(drawing.figure, formats):
        return {Path(f"{stem}.{each}"): _as(drawing, each, dpi, source, locale) for each in formats}


@contextmanager
def _laid_out(figure: "Figure", formats: Collection[str]) -> Iterator[None]:
    """A figure with its parts placed once for all formats: each would do it anew, and take a fifth
    longer."""
    engine = figure.get_layout_engine()
    if not (engine and {*FORMATS, "pgf"} & {*formats}):
        yield
        return
    with house():
        figure.draw_without_rendering()
        figure.set_layout_engine(None)
    try:
        yield
    finally:
        figure.set_layout_engine(engine)


def _as(drawing: Drawing, suffix: str, dpi: int, source: str, locale: str = ENGLISH) -> bytes:
    if suffix == "csv":
        return drawing.table.to_csv(index=False, lineterminator="\n").encode()
    if suffix == "tex":
        return as_tex(drawing.table, drawing.caption, locale).encode()
    if suffix == "pgf":
        return _as_pgf(drawing, source)
    if suffix not in FORMATS:
        raise unknown("format", suffix, ALL)
    return as_file(drawing, suffix, dpi, source)


def as_file(
    drawing: Drawing, suffix: str, dpi: int | str = "figure", source: str = "", **settings: object
) -> bytes:
    """Return the drawing as a file in one of FORMATS. `settings` go to matplotlib's `savefig`."""
    import matplotlib

    caption, origin, none = FORMATS[suffix]
    metadata: dict[str, str | None] = {**none, caption: drawing.caption}
    if drawing.title:
        metadata["Title"] = drawing.title
    if source:
        metadata[origin] = source
    out = io.BytesIO()
    with house():  # the salt and the fonts are looked up when saving, too
        matplotlib.rcParams.update(settings)
        drawing.figure.savefig(out, format=suffix, metadata=metadata, dpi=dpi)
    return out.getvalue()


def _as_pgf(drawing: Drawing, source: str) -> bytes:
    """For \\input in LaTeX, which sets the letters in the document's own font."""
    out = io.BytesIO()
    with house(), _without_tex():
        drawing.figure.savefig(out, format="pgf")
    said = f"% {drawing.caption}\n" + (f"% {source}\n" if source else "")
    return said.encode() + out.getvalue()


@contextmanager
def _without_tex() -> Iterator[None]:
    """Where there is no LaTeX on this machine: letters are measured as for every other format. And
    letters that are commands of LaTeX's, as in a parameter's key, are set as letters."""
    import matplotlib
    from matplotlib.backend_bases import RendererBase
    from matplotlib.backends import backend_pgf
    from matplotlib.backends.backend_pgf import RendererPgf

    measure, escape = RendererPgf.get_text_width_height_descent, backend_pgf._tex_escape
    matplotlib.rcParams.update({"pgf.rcfonts": False, "pgf.preamble": ""})
    try:
        RendererPgf.get_text_width_height_descent = RendererBase.get_text_width_height_descent
        backend_pgf._tex_escape = lambda text: escape(_as_letters(text))
        yield
    finally:
        RendererPgf.get_text_width_height_descent = measure
        backend_pgf._tex_escape = escape


def _as_letters(text: str) -> str:
    """But for formulas; what matplotlib makes of ^ and % itself stays."""
    parts = text.split("$")
    for place in range(0, len(parts), 2 if len(parts) % 2 else 1):
        parts[place] = re.sub(r"([_&#])", r"\\\1", parts[place])
    return ("$" if len(parts) % 2 else r"\$").join(parts)
