# SPDX-License-Identifier: GPL-2.0-only
"""The house style, what figures of the study share, and in kinds/ what can be drawn of any
system."""

from study.base.found import Found
from study.drawing import kinds
from study.drawing.flow import Span
from study.drawing.style import Drawing, drawn
from study.system.system import System

KINDS = Found(kinds.__name__, kinds.__file__)


def draw(kind: str, system: System, span: Span, size: str = "page") -> Drawing:
    """Draw a system in the house style."""
    return drawn(lambda: KINDS.module(kind).draw(system, span), size)
