# SPDX-License-Identifier: GPL-2.0-only
"""The figures of the study: one module each, with one function draw() -> Drawing, and one entry
here."""

from importlib import import_module

from analysis.style import Drawing, style

FIGURES = {
    "block-size": "analysis.figures.block_size",
    "burst-size": "analysis.figures.burst_size",
    "committed-rate": "analysis.figures.committed_rate",
    "imagen-send-buffer": "analysis.figures.imagen_send_buffer",
    "ladder": "analysis.figures.ladder",
    "line-rate": "analysis.figures.line_rate",
    "linksys-pauses": "analysis.figures.linksys_pauses",
    "netgear-ladder": "analysis.figures.netgear_ladder",
    "relook-assumptions": "analysis.figures.relook_assumptions",
    "relook-knees": "analysis.figures.relook_knees",
    "relook-packet": "analysis.figures.relook_packet",
    "request-and-burst": "analysis.figures.request_and_burst",
    "silly-windows": "analysis.figures.silly_windows",
    "slow-device": "analysis.figures.slow_device",
    "telnet-ack-cost": "analysis.figures.telnet_ack_cost",
    "telnet-delayed-ack": "analysis.figures.telnet_delayed_ack",
    "telnet-ladder": "analysis.figures.telnet_ladder",
    "telnet-nagle": "analysis.figures.telnet_nagle",
    "throughput-vs-window": "analysis.figures.throughput_vs_window",
}


def draw(name: str) -> Drawing:
    """Draw one figure in the house style."""
    with style():
        return import_module(FIGURES[name]).draw()
