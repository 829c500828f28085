# SPDX-License-Identifier: GPL-2.0-only
"""Contour map of throughput over receive window and ACK latency, with the Hawking on it: which of
the two to change, and by how much."""

from study.catalogue import systems
from study.drawing import marks, style
from study.drawing.contour_map import contour_map
from study.drawing.facts import axis_label, kBps, measured, value
from study.drawing.jobs import rates, swept
from study.scenarios.print_job import cycles

SYSTEM = "hawking-hps1u"
# Whole segments: between them the rate does not change, and a contour would lie.
SEGMENTS = (1, 2, 3, 4, 6, 8, 12, 16, 22, 30, 44)
LATENCIES_MS = [1, 2, 5, 10, 20, 50, 200]  # and the device's own
JOB_B = 2_000_000  # long enough that the dialogue around it takes less than 2 % of the slowest job
LEVELS_KBPS = [20, 50, 100, 200, 500, 1000]
CAPTION = (
    "Throughput (kB/s) of a 2 MB LPR job to the Hawking H-PS1U over the device's receive window "
    "and its ACK latency. Dots: simulated jobs, at windows of whole segments; shades and solid "
    "lines: interpolated between them; dashed: closed form, one window a cycle. Star: the device "
    "as measured (source: the trace of the print-server article). Along a line doubling the window "
    "is worth as much as halving the cycle. Where the two judges part, the congestion window is "
    "still growing in so short a job (upper right), or data and ACKs wait for each other on the "
    "full Ethernet (lower right): the closed form has neither."
)


def draw() -> style.Drawing:
    """The map and the measured point."""
    system = systems[SYSTEM]
    short, own_ms = system.with_(job_size=JOB_B), value(system, "ack_latency", "ms")
    windows_B = [segments * value(system, "mss") for segments in SEGMENTS]
    jobs = {
        (ms, window_B): short.with_(receive_window=window_B, ack_latency=f"{ms}ms")
        for ms in sorted([*LATENCIES_MS, own_ms])
        for window_B in windows_B
    }
    names = ("ack_latency_ms", "receive_window_B")
    table = swept("map of throughput", names, jobs, rates(cycles.steady_rate_Bps))
    figure, axes = style.one(4.2, 3.2)
    contour_map(axes, table, "receive_window_B", "ack_latency_ms", LEVELS_KBPS)
    label = f"Hawking as measured: {kBps(measured(system, 'cycle_rate')):.1f} kB/s"
    marks.star(axes, (value(system, "receive_window"), own_ms), label=label)
    axes.legend(loc="lower right", frameon=True, framealpha=0.9, edgecolor="none")
    axes.set(
        xlabel=axis_label(system, "receive_window"), ylabel=axis_label(system, "ack_latency", "ms")
    )
    ticks = [segments * value(system, "mss") for segments in (1, 2, 4, 8, 16, 44)]
    marks.scales(axes, x=ticks, y=[1, 2, 5, 10, 20, 50, 100, 200], grid=False)
    return style.Drawing(figure, table, CAPTION)
