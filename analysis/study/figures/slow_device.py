# SPDX-License-Identifier: GPL-2.0-only
"""Throughput of a print server against what its own processor does for each byte: a cause for a
slow drain that one can change."""

from study.catalogue import systems
from study.drawing.curves import Curves, Over, each
from study.drawing.levels import ceiling
from study.scenarios.print_job import cycles
from study.system.system import System

SYSTEM = "troy-pocketpro-100s"  # of this device no latency is known
JOB_B = 1_000_000
CLOCK_MHZ = 20
CYCLES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
WINDOWS_B = [32120, 1460]
TITLE = (
    "A processor that takes {cycles} cycles a byte gives {rate:.0f} kB/s of the line's "
    "{line:,.0f}, and a window {times:.0f} times as large brings {gain:.0f} % more"
)
CAPTION = (
    "A 1 MB job to a print server whose processor, at 20 MHz, takes so many cycles to pass a byte "
    "on to the printer's port, and ten to receive one. With a window of many segments receiving "
    "and passing on fill its time, and nothing else counts once it is slower than the line; with a "
    "window of one the host waits for both and for the line in turn. Markers: simulated; "
    "lines: closed form. Nothing here is measured: no source tells a device's clock."
)


def slow() -> System:
    processor = {"device_clock": CLOCK_MHZ, "device_byte_cycles": 10, "port_rate": "none"}
    return systems[SYSTEM].with_(**processor, job_size=JOB_B)


draw = Curves(
    TITLE,
    CAPTION,
    curves=lambda: each(slow(), "receive_window", WINDOWS_B),
    by="receive_window_B",
    over=Over("device_drain_cycles", CYCLES, ticks=CYCLES),
    form=cycles.processor_rate_Bps,
    words=lambda kBps: {
        "cycles": CYCLES[-1],
        "rate": kBps(1, CYCLES[-1]),
        "line": ceiling([slow()])[0] / 1000,
        "times": WINDOWS_B[0] / WINDOWS_B[1],
        "gain": 100 * (kBps(0, CYCLES[-1]) / kBps(1, CYCLES[-1]) - 1),
    },
    heights=(3.2, 3.0),
).draw
