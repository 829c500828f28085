# SPDX-License-Identifier: GPL-2.0-only
"""Contour map of throughput over receive window and ACK latency, with the Hawking on it: which of
the two to change, and by how much."""

from typing import TYPE_CHECKING

from study.catalogue import systems
from study.drawing import style
from study.drawing.contour_map import closed_form_lines, contour_map
from study.runs.batch import run_batch
from study.scenarios.print_job import formulas as print_job
from study.scenarios.print_job.formulas import PrintJob
from study.system.system import System

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

SYSTEM = "hawking-hps1u"
# Whole segments of 1460 bytes: between them the rate does not change, and a contour would lie.
WINDOWS_B = [segments * 1460 for segments in (1, 2, 3, 4, 6, 8, 12, 16, 22, 30, 44)]
LATENCIES_MS = [1, 2, 5, 10, 20, 50, 116.4074, 200]
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
    table = sweep(system)
    figure = style.figure(4.2, 3.2)
    axes = figure.subplots()
    shown = table.assign(kBps=table.throughput_Bps / 1000, closed_kBps=table.closed_form_Bps / 1000)
    place = ("receive_window_B", "ack_latency_ms")
    contour_map(axes, shown, *place, "kBps", LEVELS_KBPS, "kB/s")
    closed_form_lines(axes, shown, *place, "closed_kBps", LEVELS_KBPS)
    _mark_measured(axes, system)
    _label(axes)
    return style.Drawing(figure, table, CAPTION)


def sweep(system: System) -> "pd.DataFrame":
    """One job at every point of the grid."""
    import pandas as pd

    points = [(latency_ms, window_B) for latency_ms in LATENCIES_MS for window_B in WINDOWS_B]
    flags = [
        system.with_(receive_window=window_B, ack_latency=f"{latency_ms}ms", job_size=JOB_B).flags()
        for latency_ms, window_B in points
    ]
    rows = []
    records = run_batch(system.scenario, flags, "map of throughput")
    for (latency_ms, window_B), record in zip(points, records, strict=True):
        result = system.result(record)
        closed_form_Bps = print_job.steady_rate_Bps(PrintJob.of(result.parameters))
        rows.append((latency_ms, window_B, result.outcome, result.throughput_Bps, closed_form_Bps))
    columns = ["ack_latency_ms", "receive_window_B", "outcome", "throughput_Bps"]
    return pd.DataFrame(rows, columns=[*columns, "closed_form_Bps"])


def _mark_measured(axes: "Axes", system: System) -> None:
    rate = next(row for row in system.measured if row.kind == "cycle_rate")
    window_B = int(system.settings["receive_window"].value)
    latency_ms = next(latency for latency in LATENCIES_MS if latency > 100)
    star = {"marker": "*", "markersize": 11, "color": "#F0E442", "markeredgecolor": "black"}
    label = f"Hawking as measured: {rate.value / 1000:.1f} kB/s"
    axes.plot(window_B, latency_ms, linestyle="", zorder=5, label=label, **star)


def _label(axes: "Axes") -> None:
    box = {"frameon": True, "framealpha": 0.9, "edgecolor": "none"}
    axes.legend(loc="lower right", **box)
    axes.set(xlabel="receive window (bytes)", ylabel="ACK latency (ms)")
    ticks = [1460, 2920, 5840, 11680, 23360, 64240]
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    axes.set_xticks([], minor=True)
    axes.set_yticks(
        [1, 2, 5, 10, 20, 50, 100, 200], ["1", "2", "5", "10", "20", "50", "100", "200"]
    )
    axes.set_yticks([], minor=True)
