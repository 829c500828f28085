# SPDX-License-Identifier: GPL-2.0-only
"""Throughput of the whole job against the receive window, for several ACK latencies: what the
Hawking would gain from either."""

from study.base.units import seconds
from study.catalogue import systems
from study.drawing.curves import Curves, Over, each
from study.scenarios.print_job import cycles

SYSTEM = "hawking-hps1u"
# Beside the measured one: what other devices and firmware might take.
LATENCIES = ["50ms", "20ms", "10ms", "1ms"]
# Halves and whole segments at first, where each one counts, then steps of about a third.
WINDOWS_B = [512, 730, 1024, 1460, 2048, 2920, 4096, 5840, 8760, 11680]
WINDOWS_B += [17520, 23360, 32120, 46720, 65535]
TITLE = (
    "The Hawking's {own:.0f} kB/s become {window:.0f} kB/s with a window of {most} B, or "
    "{latency:.0f} kB/s with an ACK after {ms:.0f} ms"
)
CAPTION = (
    "Throughput of a 22 MB LPR job against the device's receive window, for five ACK latencies. "
    "Markers: simulated jobs; lines: closed form, one window a cycle; star: the Hawking H-PS1U as "
    "measured (source: the trace of the print-server article). Near the line's rate the jobs fall "
    "below the formula: data and ACKs wait for each other on the shared Ethernet."
)

draw = Curves(
    TITLE,
    CAPTION,
    curves=lambda: each(systems[SYSTEM], "ack_latency", ["", *LATENCIES]),
    by="ack_latency",
    name=lambda latency: f"{seconds(latency) * 1000:.4g} ms",
    over=Over("receive_window", WINDOWS_B),
    form=cycles.steady_rate_Bps,
    star="cycle_rate",
    words=lambda kBps: {
        "own": kBps(0, kBps.own),
        "window": kBps(0, WINDOWS_B[-1]),
        "most": WINDOWS_B[-1],
        "latency": kBps(-1, kBps.own),
        "ms": seconds(LATENCIES[-1]) * 1000,
    },
).draw
