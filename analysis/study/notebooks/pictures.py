# SPDX-License-Identifier: GPL-2.0-only
"""Figures in a notebook, with the caption below: a figure of the study, one of any system, or
bars of the limits of several jobs."""

import io
from collections.abc import Mapping
from dataclasses import dataclass

from study import drawing, figures
from study.base.errors import unknown
from study.base.units import seconds
from study.drawing import KINDS, Span, files, style
from study.drawing.kinds import limits
from study.drawing.style import Drawing
from study.system.system import System

DPI = 150  # twice a page's resolution
COLOURS = 64  # for a small file: every copy of the repository has it


@dataclass(frozen=True)
class Picture:
    """A drawing with its caption, for a notebook. It is a PNG of at most 60 kB: GitHub and other
    viewers of notebooks show no other pictures."""

    drawing: Drawing

    def _ipython_display_(self) -> None:
        from IPython.display import display

        caption = self.drawing.caption
        about = {"image/png": {"alt": caption}}
        display({"image/png": self.png(), "text/plain": caption}, raw=True, metadata=about)
        display({"text/markdown": caption, "text/plain": caption}, raw=True)

    def __repr__(self) -> str:
        return self.drawing.caption

    def png(self) -> bytes:
        """Return the drawing as a PNG with few colours."""
        from PIL import Image

        whole = Image.open(io.BytesIO(files.as_file(self.drawing, "png", dpi=DPI)))
        few = whole.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        out = io.BytesIO()
        few.save(out, "PNG", optimize=True)
        return out.getvalue()


def show(name: str, system: System | None = None, begin: str = "0s", end: str | None = None):
    """Draw a figure as `study figure` does: one of the study by name, or of a system one of the
    kinds ladder, limits, outstanding and time-sequence. Raise StudyError for another name."""
    if system is None:
        if name not in figures.FIGURES:
            raise unknown("figure", name, figures.FIGURES)
        return Picture(figures.draw(name))
    if name not in KINDS:
        raise unknown("kind of figure", name, KINDS)
    span = Span(seconds(begin), None if end is None else seconds(end))
    return Picture(drawing.draw(name, system, span))


def show_limits(jobs: Mapping[str, System]) -> Picture:
    """Draw the limits of several jobs, one bar a job."""
    with style.house():
        runs = {name: system.run() for name, system in jobs.items()}
        return Picture(limits.bars(runs, f"What limits each job. {limits.HOW_TO_READ}"))
