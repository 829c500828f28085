# SPDX-License-Identifier: GPL-2.0-only
"""The figures of the study: one module each, named after its file, with one function draw() ->
Drawing. The module's first words say what the figure shows; SYSTEM, or a tuple SYSTEMS, whom it is
about."""

from study.base.found import Found
from study.drawing.style import Drawing, drawn

FIGURES = Found(__name__, __file__)


def draw(name: str, size: str = "page") -> Drawing:
    """Draw one figure in the house style."""
    return drawn(FIGURES.module(name).draw, size)


def systems_of(name: str) -> tuple[str, ...]:
    """The systems that it is about, as its module says in SYSTEM or SYSTEMS; none for a figure of
    the whole study."""
    module = FIGURES.module(name)
    return getattr(module, "SYSTEMS", None) or tuple(filter(None, [getattr(module, "SYSTEM", "")]))
