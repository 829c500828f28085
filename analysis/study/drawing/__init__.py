# SPDX-License-Identifier: GPL-2.0-only
"""Kinds of figures that figures of the study share, one module each. Those in KINDS can be drawn of
any system with any parameters: draw(system, span) -> Drawing."""

from importlib import import_module

from study.drawing.flow import Span
from study.drawing.style import Drawing, fit, style
from study.system.system import System

KINDS = {
    "ladder": "study.drawing.ladder",
    "limits": "study.drawing.limit_bars",
    "outstanding": "study.drawing.outstanding",
    "time-sequence": "study.drawing.time_sequence",
}


def draw(kind: str, system: System, span: Span, size: str = "page") -> Drawing:
    """Draw a system in the house style."""
    with style(size):
        drawing = import_module(KINDS[kind]).draw(system, span)
        fit(drawing.figure)
        return drawing


def about(kind: str) -> str:
    """What it shows, in one line."""
    from study.figures import first_words

    return first_words(import_module(KINDS[kind]).__doc__ or "")
