# SPDX-License-Identifier: GPL-2.0-only
"""Map of throughput over receive window and ACK latency, with the Hawking on it: which of the two
to change, and by how much."""

from study.catalogue import systems
from study.drawing import marks, style
from study.drawing.contour_map import stairs_map
from study.drawing.job_table import rates, swept
from study.drawing.system_facts import axis_label, kBps, measured, value
from study.programs.labels import spelt
from study.scenarios.print_job import cycles
from study.system.system import System

SYSTEM = "hawking-hps1u"
LATENCIES_MS = [1, 2, 5, 10, 20, 50, 200]  # and the device's own, and half of it
LEVELS_KBPS = [20, 50, 100, 200, 500, 1000]
LARGEST_B = 65535
TITLE = (
    "Instead of its {own:.0f} kB/s the Hawking gives {window:.0f} kB/s with twice the window, "
    "{latency:.0f} kB/s with half the ACK latency"
)
CAPTION = (
    "Throughput (kB/s) of a {size:.0f} MB LPR job to the Hawking H-PS1U over the device's receive "
    "window and its ACK latency. Dots: simulated jobs, at windows of whole segments; between them "
    "the next whole one counts, so shades and solid lines are stairs; dashed: closed form, one "
    "window a cycle. Upwards both are interpolated between the dots. Star: the device as measured "
    "(source: the trace of the print-server article). Along a line doubling the window is worth as "
    "much as halving the cycle. At the lower right, closed form and simulation differ: data and "
    "ACKs wait for each other on the full Ethernet, which the closed form leaves out."
)


def draw() -> style.Drawing:
    """Draw the map and the measured point."""
    system = systems[SYSTEM]
    table = sweep(system)
    mss_B, own_ms = value(system, "mss"), value(system, "ack_latency", "ms")
    figure, axes = style.one(4.2, 3.4)
    stairs_map(axes, table, "receive_window_B", "ack_latency_ms", LEVELS_KBPS, LARGEST_B)
    own_kBps, own_B = kBps(measured(system, "cycle_rate")), value(system, "receive_window")
    label = f"Hawking as measured: {own_kBps:.1f} kB/s"
    marks.star(axes, (own_B, own_ms), label=label)
    figure.legend(loc="outside upper center", ncols=1 if style.narrow() else 3)
    axes.set_ylabel(axis_label(system, "ack_latency", "ms"))
    marks.scales(axes, y=[1, 2, 5, 10, 20, 50, 100, 200], grid=False)
    marks.bytes_across(axes, spelt("receive_window"))
    of = table.set_index(["ack_latency_ms", "receive_window_B"]).throughput_Bps / 1000
    whole_B, twice_B = (size_B // mss_B * mss_B for size_B in (own_B, min(2 * own_B, LARGEST_B)))
    words = {"own": of[own_ms, whole_B], "window": of[own_ms, twice_B]}
    title = TITLE.format(latency=of[own_ms / 2, whole_B], **words)
    caption = CAPTION.format(size=value(system, "job_size") / 1e6)
    return style.Drawing(figure, table, caption, title)


def sweep(system: System) -> style.Table:
    """Run the source's whole job at every whole number of segments."""
    mss_B, own_ms = value(system, "mss"), value(system, "ack_latency", "ms")
    jobs = {
        (ms, window_B): system.with_(receive_window=window_B, ack_latency=f"{ms}ms")
        for ms in sorted([*LATENCIES_MS, own_ms / 2, own_ms])
        for window_B in range(mss_B, LARGEST_B, mss_B)
    }
    names = ("ack_latency_ms", "receive_window_B")
    return swept("map of throughput", names, jobs, rates(cycles.steady_rate_Bps))
