# SPDX-License-Identifier: GPL-2.0-only
"""Figures in a notebook, with the caption below: a figure of the study, one of any system, or
bars of the limits of several jobs."""

import base64
import html
from collections.abc import Mapping
from dataclasses import dataclass

from study import drawing, figures
from study.base.errors import unknown
from study.base.units import seconds
from study.drawing import KINDS, Span, files, style
from study.drawing.kinds import limits
from study.drawing.style import Drawing
from study.system.system import System


@dataclass(frozen=True)
class Picture:
    """A drawing as a page shows it. Letters are outlines: what browser sets it does not matter."""

    drawing: Drawing

    def _repr_html_(self) -> str:
        caption = html.escape(self.drawing.caption)
        source = f"data:image/svg+xml;base64,{base64.b64encode(self.svg()).decode()}"
        look = "max-width:100%;background:white"
        return (
            f'<figure style="margin:0"><img src="{source}" alt="{caption}" style="{look}">'
            f"<figcaption>{caption}</figcaption></figure>"
        )

    def __repr__(self) -> str:
        return self.drawing.caption

    def svg(self) -> bytes:
        return files.as_file(self.drawing, "svg", **{"svg.fonttype": "path"})


def show(name: str, system: System | None = None, begin: str = "0s", end: str | None = None):
    """As `study figure` does: a figure of the study by its name, or, of a system with any changes,
    one of the kinds ladder, limits, outstanding and time-sequence."""
    if system is None:
        if name not in figures.FIGURES:
            raise unknown("figure", name, figures.FIGURES)
        return Picture(figures.draw(name))
    if name not in KINDS:
        raise unknown("kind of figure", name, KINDS)
    span = Span(seconds(begin), None if end is None else seconds(end))
    return Picture(drawing.draw(name, system, span))


def show_limits(jobs: Mapping[str, System]) -> Picture:
    """What held each of several jobs back, one bar a job."""
    with style.house():
        runs = {name: system.run() for name, system in jobs.items()}
        drawn = limits.bars(runs, f"What limits each job. {limits.HOW_TO_READ}")
    return Picture(drawn)
