# SPDX-License-Identifier: GPL-2.0-only
"""The figures of the study: one module each, with one function draw() -> Drawing, and one entry
here."""

from importlib import import_module

from analysis.style import Drawing, style

FIGURES = {
    "formula-errors": "analysis.figures.formula_errors",
    "imagen-send-buffer": "analysis.figures.imagen_send_buffer",
    "ladder": "analysis.figures.ladder",
    "linksys-pauses": "analysis.figures.linksys_pauses",
    "netgear-ladder": "analysis.figures.netgear_ladder",
    "silly-windows": "analysis.figures.silly_windows",
    "throughput-vs-window": "analysis.figures.throughput_vs_window",
}


def draw(name: str) -> Drawing:
    """Draw one figure in the house style."""
    with style():
        return import_module(FIGURES[name]).draw()
