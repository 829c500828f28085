# SPDX-License-Identifier: GPL-2.0-only
"""Throughput of a print server against what its own processor does for each byte: a cause for a
slow drain that one can turn."""

from typing import TYPE_CHECKING

from study.catalogue import systems
from study.drawing import style
from study.runs.batch import run_batch
from study.scenarios.print_job import formulas as print_job
from study.scenarios.print_job.formulas import PrintJob
from study.system.system import System

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

SYSTEM = "troy-pocketpro-100s"  # of this device no latency is known
JOB_B = 1_000_000
CLOCK_MHZ = 20
CYCLES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
WINDOWS_B = [32120, 1460]
CAPTION = (
    "A 1 MB job to a print server whose processor, at 20 MHz, takes so many cycles to pass a byte "
    "on to the printer's port, and ten to receive one. With a window of many segments receiving "
    "and passing on fill its time, and nothing else counts once it is slower than the line; with a "
    "window of one the host waits for both and for the line in turn. Markers: simulated; "
    "lines: closed form. Nothing here is measured: no source tells a device's clock."
)


def draw() -> style.Drawing:
    """Two windows, and the line's ceiling."""
    system = systems[SYSTEM]
    table = sweep(system)
    figure = style.figure(3.2, 3.0)
    axes = figure.subplots()
    for window_B, (colour, dash, marker) in zip(WINDOWS_B, style.CURVES, strict=False):
        curve = table[table.receive_window_B == window_B]
        closed = curve.closed_form_Bps / 1000
        axes.plot(curve.device_drain_cycles, closed, color=colour, linestyle=dash, linewidth=0.8)
        rates = curve.throughput_Bps / 1000
        look = {"color": colour, "marker": marker, "linestyle": "", "label": f"{window_B} B"}
        axes.plot(curve.device_drain_cycles, rates, **look)
    _label(axes, system)
    return style.Drawing(figure, table, CAPTION)


def sweep(system: System) -> "pd.DataFrame":
    """One job for every cost under both windows."""
    import pandas as pd

    processor = {"device_clock": CLOCK_MHZ, "device_byte_cycles": 10, "port_rate": "100Gbps"}
    base = system.with_(**processor, job_size=JOB_B)
    points = [(window_B, cycles) for window_B in WINDOWS_B for cycles in CYCLES]
    flags = [
        base.with_(receive_window=window_B, device_drain_cycles=cycles).flags()
        for window_B, cycles in points
    ]
    rows = []
    records = run_batch(system.scenario, flags, "rate against a device's cycles")
    for (window_B, cycles), record in zip(points, records, strict=True):
        result = system.result(record)
        closed_form_Bps = print_job.processor_rate_Bps(PrintJob.of(result.parameters))
        rows.append((window_B, cycles, result.outcome, result.throughput_Bps, closed_form_Bps))
    columns = ["receive_window_B", "device_drain_cycles", "outcome", "throughput_Bps"]
    return pd.DataFrame(rows, columns=[*columns, "closed_form_Bps"])


def _label(axes: "Axes", system: System) -> None:
    ceiling = print_job.line_rate_Bps(PrintJob.of(system.run().parameters)) / 1000
    axes.axhline(ceiling, color="0.4", linewidth=0.8)
    narrow = style.size() == "column"
    back = "" if narrow else ", full frames back to back"
    text = f"10 Mbit/s Ethernet{back}: {ceiling:,.0f} kB/s"
    at = {"xytext": (0, 3), "textcoords": "offset points", "ha": "right"}
    axes.annotate(text, (CYCLES[-1], ceiling), **at)
    fold = "\n" if narrow else " "
    axes.set(
        xscale="log",
        yscale="log",
        xlabel=f"cycles of the device's processor{fold}for each byte passed on",
        ylabel="throughput of the job (kB/s)",
    )
    axes.set_xticks(CYCLES, [str(cycles) for cycles in CYCLES])
    axes.set_xticks([], minor=True)
    axes.set_yticks([20, 50, 100, 200, 500, 1000], ["20", "50", "100", "200", "500", "1000"])
    axes.set_yticks([], minor=True)
    axes.grid(which="major", color="0.9", linewidth=0.5)
    axes.legend(title="window", loc="lower left")
