# SPDX-License-Identifier: GPL-2.0-only
"""Throughput against the host's send buffer for the two IMAGEN printers: what the note's patch of
the BSD kernel gains, and what the printer's own fix does."""

from dataclasses import replace
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

PRINTERS = {"imagen-v3": "V3.3", "imagen-v2": "V2.1, V2.2"}
SYSTEMS = ("imagen-v2", "imagen-v3")
# Powers of two, and between 2048 and the window whole segments of 1024 and the threshold's 4608.
BUFFERS_B = [512, 1024, 2048, 3072, 4096, 4608, 5120, 6144, 8192, 16384]
# Long enough that the pause before the last ACK, which half of the jobs end with, does not show.
JOB_B = 10_000_000
CAPTION = (
    "Throughput of a 10 MB job to an IMAGEN printer against the sender's buffer. Markers: "
    "simulated jobs; lines: closed form. While all that the buffer holds is too little for an ACK, "
    "V2.1 and V2.2 take N bytes each half second. Star: a BSD 4.2 host as published (source: the "
    "note in mod.protocols.tcp-ip, 1986). The window and the share of it that earns an ACK are "
    "not given: 6144 bytes and 75 % are assumed, and with them where the jump lies; how fast the "
    "fast jobs go follows from assumed processing times of a millisecond."
)


def draw() -> style.Drawing:
    """Simulated points, the closed form through them, the published point and the two buffers that
    the note's patch exchanges."""
    table = sweep()
    figure = style.figure(4.0)
    axes = figure.subplots()
    for (name, label), (colour, dash, marker) in zip(PRINTERS.items(), style.CURVES, strict=False):
        curve = table[table.system == name]
        axes.plot(*_closed_form(systems[name]), color=colour, linestyle=dash, linewidth=0.8)
        axes.plot(
            curve.send_buffer_B,
            curve.throughput_Bps,
            color=colour,
            marker=marker,
            linestyle="",
            label=label,
        )
    _mark(axes)
    _label(axes)
    return style.Drawing(figure, table, CAPTION)


def sweep() -> "pd.DataFrame":
    """One job to each printer with every buffer."""
    import pandas as pd

    points = [(name, buffer_B) for name in PRINTERS for buffer_B in BUFFERS_B]
    flags = [
        systems[name].with_(send_buffer=buffer_B, job_size=JOB_B).flags()
        for name, buffer_B in points
    ]
    scenario = systems["imagen-v2"].scenario
    rows = []
    records = run_batch(scenario, flags, "throughput against send buffer")
    for (name, buffer_B), record in zip(points, records, strict=True):
        result = systems[name].result(record)
        closed_form_Bps = print_job.steady_rate_Bps(PrintJob.of(result.parameters))
        rows.append((name, buffer_B, result.outcome, result.throughput_Bps, closed_form_Bps))
    columns = ["system", "send_buffer_B", "outcome", "throughput_Bps", "closed_form_Bps"]
    return pd.DataFrame(rows, columns=columns)


def _closed_form(system: System) -> tuple[list[int], list[float]]:
    job = PrintJob.of(system.run().parameters)
    buffers_B = sorted({round(512 * 32 ** (step / 600)) for step in range(601)})
    rates = [
        print_job.steady_rate_Bps(replace(job, send_buffer_B=buffer_B)) for buffer_B in buffers_B
    ]
    return buffers_B, rates


def _mark(axes: "Axes") -> None:
    rate = next(row for row in systems["imagen-v2"].measured if row.kind == "cycle_rate")
    star = {"marker": "*", "markersize": 11, "color": "#F0E442", "markeredgecolor": "black"}
    axes.plot(2048, rate.value, linestyle="", zorder=5, **star)
    thin = {"arrowstyle": "-", "linewidth": 0.6}
    text = f"BSD 4.2 as published:\nN = 2048 B, {rate.value:.0f} B/s\n(32 kbit/s)"
    at = {"xytext": (14, -34), "textcoords": "offset points"}
    axes.annotate(text, (2048, rate.value), arrowprops=thin, **at)
    slope = {"column": (760, 2500, 38), "slide": (760, 2600, 19)}
    at_B, level_Bps, angle = slope.get(style.size(), (760, 2600, 21))
    axes.text(at_B, level_Bps, "2 N per second", rotation=angle, ha="center", va="center")
    axes.axvline(6144, color="0.4", linewidth=0.8)
    text = "N = 6144 B:\nthe note's patch"
    axes.annotate(text, (6144, 30_000), xytext=(5, 0), textcoords="offset points", va="center")


def _label(axes: "Axes") -> None:
    axes.set(
        xscale="log",
        yscale="log",
        xlabel="send buffer N (bytes)",
        ylabel="throughput of the job (B/s)",
    )
    ticks = [512, 1024, 2048, 4096, 6144, 8192, 16384]
    if style.size() == "column":
        ticks = [512, 1024, 2048, 4096, 8192, 16384]
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    axes.set_xticks([], minor=True)
    yticks = [1e3, 4096, 1e4, 1e5, 1e6]
    axes.set_yticks(yticks, ["1,000", "4,096", "10,000", "100,000", "1,000,000"])
    axes.set_yticks([], minor=True)
    axes.grid(which="major", color="0.9", linewidth=0.5)
    axes.legend(title="IMAGEN", loc="center left", bbox_to_anchor=(0.02, 0.62))
