# SPDX-License-Identifier: GPL-2.0-only
"""Throughput against the rate of the branch's line, for both protocols: why four times the line did
not read the file in a quarter of the time."""

from dataclasses import replace
from typing import TYPE_CHECKING

from study.catalogue import systems
from study.drawing import style
from study.runs.batch import run_batch
from study.scenarios.file_read import formulas as file_read
from study.scenarios.file_read.formulas import FileRead
from study.system.system import System

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

SYSTEM = "netware"
PROTOCOLS = {"request-reply": "request and reply", "packet-burst": "packet burst"}
RATES_KBPS = [9.6, 19.2, 56, 128, 256, 512, 1024, 2048, 10000]
CAPTION = (
    "Throughput of a file read against the rate of the branch's access line (markers: simulated, "
    "lines: closed form), headquarters' line staying at 1 Mbit/s. Dashed: what the customer "
    "expected, a rate that grows with the line. Stars: as measured at 256 kbit/s (source: 'It's A "
    "Question Of Latency'). What the line carried at 56 kbit/s is not given; only that the change "
    "did not bring a fourfold. The committed rate follows the line; the workstation waits two "
    "round trips of the idle path, at least 1 s, before it asks again."
)


def draw() -> style.Drawing:
    """Both curves, the proportional line through the rate at 56 kbit/s, and the measured points."""
    table = sweep()
    figure = style.figure(4.0, 3.4)
    axes = figure.subplots()
    for (name, label), (colour, dash, marker) in zip(PROTOCOLS.items(), style.CURVES, strict=False):
        curve = table[table.protocol == name]
        axes.plot(*_closed_form(name), color=colour, linestyle=dash, linewidth=0.8)
        points = {"linestyle": "", "color": colour, "marker": marker, "label": label}
        axes.plot(curve.branch_access_rate_kbps, curve.throughput_Bps / 1000, **points)
    _mark(axes, table)
    axes.set(
        xscale="log",
        yscale="log",
        xlabel="branch access rate (kbit/s)",
        ylabel="throughput (kB/s)",
    )
    ticks = [9.6, 56, 256, 1024, 10000] if style.size() == "column" else RATES_KBPS
    axes.set_xticks(ticks, [f"{rate:g}" for rate in ticks])
    axes.set_xticks([], minor=True)
    axes.set_yticks([1, 2, 4, 8, 16, 28, 64, 128], ["1", "2", "4", "8", "16", "28", "64", "128"])
    axes.set_yticks([], minor=True)
    axes.grid(which="major", color="0.9", linewidth=0.5)
    axes.legend(loc="upper left")
    return style.Drawing(figure, table, CAPTION)


def sweep() -> "pd.DataFrame":
    """One file at every rate with each protocol."""
    import pandas as pd

    points = [(name, kbps) for name in PROTOCOLS for kbps in RATES_KBPS]
    reads = [_at(name, kbps) for name, kbps in points]
    records = run_batch("file-read", [each.flags() for each in reads], "throughput against line")
    rows = []
    for (name, kbps), each, record in zip(points, reads, records, strict=True):
        result = each.result(record)
        closed_form_Bps = file_read.read_rate_Bps(FileRead.of(result.parameters))
        rows.append((name, kbps, result.outcome, result.throughput_Bps, closed_form_Bps))
    columns = ["protocol", "branch_access_rate_kbps", "outcome", "throughput_Bps"]
    return pd.DataFrame(rows, columns=[*columns, "closed_form_Bps"])


def _at(protocol: str, kbps: float) -> System:
    rate = f"{kbps:g}kbps"
    return systems["netware"].with_(protocol=protocol, branch_access_rate=rate, committed_rate=rate)


def _closed_form(protocol: str) -> tuple[list[float], list[float]]:
    read = FileRead.of(_at(protocol, 256).run().parameters)
    rates = [9.6 * (10000 / 9.6) ** (step / 200) for step in range(201)]
    return rates, [
        file_read.read_rate_Bps(replace(read, branch_access_rate_bps=kbps * 1e3)) / 1000
        for kbps in rates
    ]


def _mark(axes: "Axes", table: "pd.DataFrame") -> None:
    single = table[table.protocol == "request-reply"].set_index("branch_access_rate_kbps")
    before, after = (single.throughput_Bps[kbps] / 1000 for kbps in (56, 256))
    expected = before * 256 / 56
    axes.plot([56, 256], [before, expected], color="0.4", linestyle="--", linewidth=0.8)
    narrow = style.size() == "column"
    fold = "\n" if narrow else " "
    note = {"textcoords": "offset points", "arrowprops": {"arrowstyle": "-", "linewidth": 0.6}}
    axes.annotate(
        f"expected of 256{fold}instead of 56 kbit/s:\n{256 / 56:.1f} times",
        (256, expected),
        xytext=(24 if narrow else 34, -14 if narrow else -4),
        **note,
    )
    axes.annotate(
        f"simulated:{fold}{before:.1f} to {after:.1f} kB/s,\n{after / before:.2f} times",
        (256, after),
        xytext=(24 if narrow else 30, -44 if narrow else -34),
        **note,
    )
    star = {"marker": "*", "markersize": 11, "color": "#F0E442", "markeredgecolor": "black"}
    for row in systems["netware"].measured:
        if row.kind == "file_rate":
            axes.plot(256, row.value, linestyle="", zorder=5, **star)
