# SPDX-License-Identifier: GPL-2.0-only
"""Kinds of figures that figures of the study share, one module each. Those in KINDS can be drawn of
any system with any parameters: draw(system, span) -> Drawing."""

from importlib import import_module

from analysis.drawing.flow import Span
from analysis.style import Drawing, fit, style
from analysis.system import System

KINDS = {
    "ladder": "analysis.drawing.ladder",
    "limits": "analysis.drawing.limit_bars",
    "outstanding": "analysis.drawing.outstanding",
    "time-sequence": "analysis.drawing.time_sequence",
}


def draw(kind: str, system: System, span: Span, size: str = "page") -> Drawing:
    """Draw a system in the house style."""
    with style(size):
        drawing = import_module(KINDS[kind]).draw(system, span)
        fit(drawing.figure)
        return drawing


def about(kind: str) -> str:
    """What it shows, in one line."""
    from analysis.figures import first_words

    return first_words(import_module(KINDS[kind]).__doc__ or "")
