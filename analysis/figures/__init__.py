# SPDX-License-Identifier: GPL-2.0-only
"""The figures of the study: one module each, with one function draw() -> Drawing, and one entry
here. The module's first words say what the figure shows; SYSTEM, or a tuple SYSTEMS, whom it is
about."""

from importlib import import_module

from analysis.style import Drawing, fit, style

FIGURES = {
    "block-size": "analysis.figures.block_size",
    "burst-size": "analysis.figures.burst_size",
    "committed-rate": "analysis.figures.committed_rate",
    "formula-errors": "analysis.figures.formula_errors",
    "imagen-send-buffer": "analysis.figures.imagen_send_buffer",
    "ladder": "analysis.figures.ladder",
    "limits": "analysis.figures.limits",
    "line-rate": "analysis.figures.line_rate",
    "linksys-pauses": "analysis.figures.linksys_pauses",
    "method": "analysis.figures.method",
    "netgear-ladder": "analysis.figures.netgear_ladder",
    "outstanding": "analysis.figures.outstanding",
    "relook-assumptions": "analysis.figures.relook_assumptions",
    "relook-knees": "analysis.figures.relook_knees",
    "relook-packet": "analysis.figures.relook_packet",
    "request-and-burst": "analysis.figures.request_and_burst",
    "residuals": "analysis.figures.residuals",
    "sensitivity": "analysis.figures.sensitivity",
    "silly-windows": "analysis.figures.silly_windows",
    "slow-device": "analysis.figures.slow_device",
    "telnet-ack-cost": "analysis.figures.telnet_ack_cost",
    "telnet-delayed-ack": "analysis.figures.telnet_delayed_ack",
    "telnet-ladder": "analysis.figures.telnet_ladder",
    "telnet-nagle": "analysis.figures.telnet_nagle",
    "throughput-vs-window": "analysis.figures.throughput_vs_window",
    "time-sequence": "analysis.figures.time_sequence",
    "window-latency-map": "analysis.figures.window_latency_map",
}


def draw(name: str, size: str = "page") -> Drawing:
    """Draw one figure in the house style."""
    with style(size):
        drawing = import_module(FIGURES[name]).draw()
        fit(drawing.figure)
        return drawing


def about(name: str) -> str:
    """What it shows, in one line."""
    return first_words(import_module(FIGURES[name]).__doc__ or "")


def systems_of(name: str) -> tuple[str, ...]:
    """The systems that it is about, as its module says in SYSTEM or SYSTEMS; none for a figure of
    the whole study."""
    module = import_module(FIGURES[name])
    return getattr(module, "SYSTEMS", None) or tuple(filter(None, [getattr(module, "SYSTEM", "")]))


def first_words(text: str) -> str:
    """The first sentence of a docstring, up to a colon, on one line."""
    return " ".join(text.split()).partition(". ")[0].partition(": ")[0].rstrip(".")
