# SPDX-License-Identifier: GPL-2.0-only
"""Rate of the whole job to the Linksys against how often its port pauses, which the source does not
tell."""

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

SYSTEM = "linksys-ppsx1"
EVERY_B = [10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000]
EVERY_B += [5_000_000, 10_000_000, 20_000_000]
LIMITS_B = (8_000, 40_000_000)
CAPTION = (
    "Rate of a 22 MB LPR job to the Linksys PPSX1 against the bytes between two pauses of its "
    "port, each two seconds long as in the trace. Markers: simulated jobs; line: closed form. "
    "Grey: without pauses, simulated. Star: between stalls, as measured (source: the trace of the "
    "print-server article). How often the pauses come is not in the source: the open marker is "
    "what the system file assumes."
)


def draw() -> style.Drawing:
    """Simulated jobs, the closed form through them, and the same job without pauses."""
    system = systems[SYSTEM]
    table = sweep(system)
    figure = style.figure(3.4)
    axes = figure.subplots()
    without, pausing = table[table.drain_pause_every_B == 0], table[table.drain_pause_every_B > 0]
    axes.plot(*_closed_form(system), color=style.DATA, linewidth=0.8)
    axes.plot(
        pausing.drain_pause_every_B,
        pausing.throughput_Bps / 1000,
        color=style.DATA,
        marker="o",
        linestyle="",
    )
    assumed_B = int(system.settings["drain_pause_every"].value)
    assumed = pausing[pausing.drain_pause_every_B == assumed_B].throughput_Bps.item() / 1000
    hollow = {"marker": "o", "color": "white", "markeredgecolor": style.DATA, "markersize": 6}
    axes.plot(assumed_B, assumed, linestyle="", zorder=4, **hollow)
    fold = "\n" if style.size() == "column" else " "
    text = f"assumed: a pause{fold}every {assumed_B / 1e6:.0f} MB,\n{assumed:.0f} kB/s"
    _note(axes, text, (assumed_B, assumed), (12, -38 if fold == "\n" else -30))
    _mark_between_stalls(axes, system, without.throughput_Bps.item() / 1000)
    _label(axes)
    return style.Drawing(figure, table, CAPTION)


def sweep(system: System) -> "pd.DataFrame":
    """One whole job for every interval; 0 is without pauses."""
    import pandas as pd

    intervals = [0, *EVERY_B]
    flags = [system.with_(drain_pause_every=every_B).flags() for every_B in intervals]
    rows = []
    records = run_batch(system.scenario, flags, "rate against pauses")
    for every_B, record in zip(intervals, records, strict=True):
        result = system.result(record)
        job = PrintJob.of(result.parameters)
        closed_form_Bps = print_job.job_bytes_B(job) / print_job.whole_job_s(job)
        rows.append((every_B, result.outcome, result.throughput_Bps, closed_form_Bps))
    columns = ["drain_pause_every_B", "outcome", "throughput_Bps", "closed_form_Bps"]
    return pd.DataFrame(rows, columns=columns)


def _closed_form(system: System) -> tuple[list[float], list[float]]:
    job = PrintJob.of(system.run().parameters)
    intervals_B = [EVERY_B[0] * 2000 ** (step / 800) for step in range(801)]
    jobs = [replace(job, drain_pause_every_B=every_B) for every_B in intervals_B]
    rates = [print_job.job_bytes_B(job) / print_job.whole_job_s(job) / 1000 for job in jobs]
    return intervals_B, rates


def _mark_between_stalls(axes: "Axes", system: System, without: float) -> None:
    rate = next(row for row in system.measured if row.kind == "cycle_rate")
    axes.axhline(without, color="0.4", linewidth=0.8)
    text = f"without pauses: {without:.0f} kB/s"
    at = {"xytext": (0, -4), "textcoords": "offset points", "va": "top"}
    axes.annotate(text, (EVERY_B[0], without), **at)
    star = {"marker": "*", "markersize": 11, "color": "#F0E442", "markeredgecolor": "black"}
    axes.plot(LIMITS_B[1], rate.value, linestyle="", zorder=5, clip_on=False, **star)
    fold = "\n" if style.size() == "column" else " "
    text = f"between stalls{fold}as measured: {rate.value:.1f} kB/s"
    at = {"xytext": (-8, 4), "textcoords": "offset points", "ha": "right"}
    axes.annotate(text, (LIMITS_B[1], rate.value), **at)


def _note(axes: "Axes", text: str, at: tuple[float, float], offset: tuple[int, int]) -> None:
    thin = {"arrowstyle": "-", "linewidth": 0.6}
    axes.annotate(text, at, xytext=offset, textcoords="offset points", arrowprops=thin)


def _label(axes: "Axes") -> None:
    axes.set(
        xscale="log",
        xlim=LIMITS_B,
        ylim=(0, 200 if style.size() == "column" else 180),
        xlabel="data between two pauses (bytes)",
        ylabel="rate of the job (kB/s)",
    )
    ticks = [10_000, 100_000, 1_000_000, 10_000_000]
    axes.set_xticks(ticks, ["10 k", "100 k", "1 M", "10 M"])
    axes.set_xticks([], minor=True)
    axes.grid(which="major", color="0.9", linewidth=0.5)
