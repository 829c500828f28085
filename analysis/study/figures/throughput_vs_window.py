# SPDX-License-Identifier: GPL-2.0-only
"""Throughput of the whole job against the receive window, for several ACK latencies: what the
Hawking would gain from either."""

from dataclasses import replace
from typing import TYPE_CHECKING

from study.base.units import seconds
from study.catalogue import systems
from study.drawing import style
from study.runs.batch import run_batch
from study.scenarios.print_job import formulas as print_job
from study.scenarios.print_job.formulas import PrintJob
from study.system.system import System

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

SYSTEM = "hawking-hps1u"
# Beside the measured one: what other devices and firmware might take.
LATENCIES = ["50ms", "20ms", "10ms", "1ms"]
# Halves and whole segments at first, where each one counts, then steps of about a third.
WINDOWS_B = [512, 730, 1024, 1460, 2048, 2920, 4096, 5840, 8760, 11680]
WINDOWS_B += [17520, 23360, 32120, 46720, 65535]


def draw() -> style.Drawing:
    """Simulated points of full jobs, the closed form through them, the measured point, and the
    line's ceiling."""
    system = systems[SYSTEM]
    own = f"{system.settings['ack_latency'].value}{system.settings['ack_latency'].unit}"
    table = sweep(system, [own, *LATENCIES])
    figure = style.figure(4.0)
    axes = figure.subplots()
    for latency, (colour, dash, marker) in zip([own, *LATENCIES], style.CURVES, strict=True):
        curve = table[table.ack_latency == latency]
        label = f"{seconds(latency) * 1000:.4g} ms" + (" (Hawking)" if latency == own else "")
        windows_B, rates_kBps = _closed_form(system.with_(ack_latency=latency))
        axes.plot(windows_B, rates_kBps, color=colour, linestyle=dash, linewidth=0.8)
        axes.plot(
            curve.receive_window_B,
            curve.throughput_Bps / 1000,
            color=colour,
            marker=marker,
            linestyle="",
            label=label,
        )
    _mark_measured(axes, system)
    _mark_ceiling(axes, system)
    _label(axes)
    return style.Drawing(figure, table, CAPTION)


CAPTION = (
    "Throughput of a 22 MB LPR job against the device's receive window, for five ACK latencies. "
    "Markers: simulated jobs; lines: closed form, one window a cycle; star: the Hawking H-PS1U as "
    "measured (source: the trace of the print-server article). Near the line's rate the jobs fall "
    "below the formula: data and ACKs wait for each other on the shared Ethernet."
)


def sweep(system: System, latencies: list[str]) -> "pd.DataFrame":
    """One full job at every window and latency."""
    import pandas as pd

    points = [(latency, window_B) for latency in latencies for window_B in WINDOWS_B]
    flags = [
        system.with_(receive_window=window, ack_latency=latency).flags()
        for latency, window in points
    ]
    records = run_batch(system.scenario, flags, "throughput against window")
    rows = []
    for (latency, window_B), record in zip(points, records, strict=True):
        result = system.result(record)
        closed_form_Bps = print_job.steady_rate_Bps(PrintJob.of(result.parameters))
        rows.append((latency, window_B, result.outcome, result.throughput_Bps, closed_form_Bps))
    columns = ["ack_latency", "receive_window_B", "outcome", "throughput_Bps", "closed_form_Bps"]
    return pd.DataFrame(rows, columns=columns)


def _closed_form(system: System) -> tuple[list[int], list[float]]:
    """The curve between the points: it has a step wherever one more whole segment fits into the
    window."""
    job = PrintJob.of(system.run().parameters)
    windows_B = sorted({round(512 * 128 ** (step / 800)) for step in range(800)} | {65535})
    rates = [
        print_job.steady_rate_Bps(replace(job, receive_window_B=window_B)) for window_B in windows_B
    ]
    return windows_B, [rate / 1000 for rate in rates]


def _mark_measured(axes: "Axes", system: System) -> None:
    rate = next(row for row in system.measured if row.kind == "cycle_rate")
    window_B = int(system.settings["receive_window"].value)
    kBps = rate.value / 1000
    axes.plot(
        window_B,
        kBps,
        marker="*",
        markersize=11,
        color="#F0E442",
        markeredgecolor="black",
        linestyle="",
        zorder=5,
    )
    axes.annotate(
        f"Hawking H-PS1U as measured:\n{window_B} B, {kBps:.1f} kB/s",
        (window_B, kBps),
        xytext=(14, -20),
        textcoords="offset points",
        arrowprops={"arrowstyle": "-", "linewidth": 0.6},
    )


def _mark_ceiling(axes: "Axes", system: System) -> None:
    job = PrintJob.of(system.run().parameters)
    ceiling = print_job.line_rate_Bps(job) / 1000
    axes.axhline(ceiling, color="0.4", linewidth=0.8)
    full = "" if style.size() == "column" else ", full frames back to back"
    axes.annotate(
        f"10 Mbit/s Ethernet{full}: {ceiling:,.0f} kB/s",
        (WINDOWS_B[0], ceiling),
        xytext=(0, 3),
        textcoords="offset points",
    )


def _label(axes: "Axes") -> None:
    axes.set(
        xscale="log",
        yscale="log",
        xlabel="receive window (bytes)",
        ylabel="throughput of the job (kB/s)",
    )
    narrow = style.size() == "column"
    ticks = [512, 1460, 2920, 5840, 11680, 23360, 65535]
    if not narrow:
        ticks.insert(1, 1024)
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    axes.set_xticks([], minor=True)
    axes.set_yticks([3, 10, 30, 100, 300, 1000], ["3", "10", "30", "100", "300", "1000"])
    axes.set_yticks([], minor=True)
    axes.grid(which="major", color="0.9", linewidth=0.5)
    if narrow:
        axes.figure.legend(title="ACK latency", loc="outside upper center", ncols=2)
    else:
        axes.legend(title="ACK latency", loc="lower right", bbox_to_anchor=(1.0, 0.02))
