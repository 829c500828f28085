# SPDX-License-Identifier: GPL-2.0-only
"""The figures of the study: one module each, with one function draw() -> Drawing, and one entry
here. The module's first words say what the figure shows; SYSTEM, or a tuple SYSTEMS, whom it is
about."""

from importlib import import_module

from study.drawing.style import Drawing, fit, style

FIGURES = {
    "block-size": "study.figures.block_size",
    "burst-size": "study.figures.burst_size",
    "committed-rate": "study.figures.committed_rate",
    "formula-errors": "study.figures.formula_errors",
    "imagen-send-buffer": "study.figures.imagen_send_buffer",
    "ladder": "study.figures.ladder",
    "limits": "study.figures.limits",
    "line-rate": "study.figures.line_rate",
    "linksys-pauses": "study.figures.linksys_pauses",
    "method": "study.figures.method",
    "netgear-ladder": "study.figures.netgear_ladder",
    "outstanding": "study.figures.outstanding",
    "relook-assumptions": "study.figures.relook_assumptions",
    "relook-knees": "study.figures.relook_knees",
    "relook-packet": "study.figures.relook_packet",
    "request-and-burst": "study.figures.request_and_burst",
    "residuals": "study.figures.residuals",
    "sensitivity": "study.figures.sensitivity",
    "silly-windows": "study.figures.silly_windows",
    "slow-device": "study.figures.slow_device",
    "telnet-ack-cost": "study.figures.telnet_ack_cost",
    "telnet-delayed-ack": "study.figures.telnet_delayed_ack",
    "telnet-ladder": "study.figures.telnet_ladder",
    "telnet-nagle": "study.figures.telnet_nagle",
    "throughput-vs-window": "study.figures.throughput_vs_window",
    "time-sequence": "study.figures.time_sequence",
    "window-latency-map": "study.figures.window_latency_map",
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
