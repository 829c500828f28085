# SPDX-License-Identifier: GPL-2.0-only
"""The house style, what figures of the study share, and in kinds/ what can be drawn of any
system."""

from study.base.errors import StudyError
from study.base.found import Found
from study.drawing import kinds
from study.drawing.captured import Captured
from study.drawing.flow import Span
from study.drawing.style import Drawing, drawn
from study.system.system import System

KINDS = Found(kinds.__name__, kinds.__file__)


def draw(
    kind: str, system: System, span: Span, size: str = "page", captured: Captured | None = None
) -> Drawing:
    """Draw a system in the house style; beside a capture, if the kind can be."""
    module = KINDS.module(kind)
    if captured is None:
        return drawn(lambda: module.draw(system, span), size)
    if not hasattr(module, "beside"):
        can = [name for name in KINDS if hasattr(KINDS.module(name), "beside")]
        raise StudyError(f"--capture: {kind} has one side; {' and '.join(can)} have two")
    return drawn(lambda: module.beside(system, span, captured), size)
