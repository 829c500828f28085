# SPDX-License-Identifier: GPL-2.0-only
"""Throughput against what may be sent without waiting: a NetWare burst of so many packets, and TCP
with a window of as many octets on the same line."""

from dataclasses import replace
from typing import TYPE_CHECKING

from analysis import style
from analysis.closed_forms import file_read
from analysis.closed_forms.file_read import FileRead
from analysis.runs import run_batch
from analysis.system import System, systems

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

SYSTEMS = ("netware", "tcp-frame-relay")
BURSTS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 44, 64, 96, 128]
WINDOWS_B = [1460, 2920, 4380, 5840, 8760, 11680, 17520, 23360, 35040, 65535]
CAPTION = (
    "Throughput of a file read over a 256 kbit/s frame-relay line against what may be sent before "
    "an answer has to come. Packet burst: one request a burst of 1 to 128 packets (markers: "
    "simulated, line: closed form). TCP: the receive window, in the same octets. A window lets the "
    "sender go on with every ACK, so it reaches the line's rate as soon as it covers a round trip; "
    "a burst waits a round trip after each, however long it is. Stars: as measured (source: 'It's "
    "A Question Of Latency'); the burst's size is not given and is the one number fitted, to the "
    "upper star. Bursts of more than 125 kB exceed what the network takes at once (Bc + Be, "
    "assumed), lose packets and wait for them."
)


def draw() -> style.Drawing:
    """Both protocols over one axis of octets, the measured points and the line's ceiling."""
    table = sweep()
    figure = style.figure(4.0, 3.4)
    axes = figure.subplots()
    names = {"packet burst": "packet burst of N packets", "TCP": "TCP with a window of W octets"}
    for (name, label), (colour, _, marker) in zip(names.items(), style.CURVES, strict=False):
        curve = table[table.protocol == name]
        line = {"linestyle": "", "color": colour, "marker": marker}
        axes.plot(curve.permitted_B, curve.throughput_Bps / 1000, label=label, **line)
    axes.plot(*_closed_form(), color=style.CURVES[0][0], linewidth=0.8)
    tcp = table[table.protocol == "TCP"]
    axes.plot(tcp.permitted_B, tcp.throughput_Bps / 1000, color=style.CURVES[1][0], linewidth=0.5)
    _mark(axes)
    _label(axes)
    return style.Drawing(figure, table, CAPTION)


def sweep() -> "pd.DataFrame":
    """One file with every burst size, and one with every window."""
    import pandas as pd

    rows = []
    bursts = [_of_whole_bursts(count) for count in BURSTS]
    records = run_batch("file-read", [each.flags() for each in bursts], "throughput against burst")
    for count, each, record in zip(BURSTS, bursts, records, strict=True):
        result = each.result(record)
        read = FileRead.of(result.parameters)
        rate_Bps = result.throughput_Bps
        permitted_B = file_read.permitted_B(read)
        closed_Bps = file_read.read_rate_Bps(read)
        rows.append(("packet burst", count, permitted_B, result.outcome, rate_Bps, closed_Bps))
    tcp = systems["tcp-frame-relay"]
    jobs = [tcp.with_(receive_window=window_B) for window_B in WINDOWS_B]
    records = run_batch(tcp.scenario, [job.flags() for job in jobs], "throughput against window")
    for window_B, record in zip(WINDOWS_B, records, strict=True):
        result = tcp.result(record)
        rows.append(("TCP", None, window_B, result.outcome, result.throughput_Bps, None))
    columns = ["protocol", "burst_size", "permitted_B", "outcome", "throughput_Bps"]
    table = pd.DataFrame(rows, columns=[*columns, "closed_form_Bps"])
    return table.astype({"burst_size": "Int64", "permitted_B": int})


def _of_whole_bursts(count: int) -> System:
    """The system with that burst size, and a file of about 2 MB that ends with a whole burst."""
    read = FileRead.of(systems["netware"].with_(protocol="packet-burst").run().parameters)
    permitted_B = int(file_read.permitted_B(replace(read, burst_size=count)))
    size_B = max(1, round(2e6 / permitted_B)) * permitted_B
    return systems["netware"].with_(protocol="packet-burst", burst_size=count, file_size=size_B)


def _closed_form() -> tuple[list[float], list[float]]:
    read = FileRead.of(systems["netware"].with_(protocol="packet-burst").run().parameters)
    bursts = [replace(read, burst_size=count) for count in range(1, 129)]
    return (
        [file_read.permitted_B(each) for each in bursts],
        [file_read.read_rate_Bps(each) / 1000 for each in bursts],
    )


def _mark(axes: "Axes") -> None:
    netware = systems["netware"]
    before, after = (row for row in netware.measured if row.kind == "file_rate")
    read = FileRead.of(netware.run().parameters)
    burst = replace(read, protocol="packet-burst")
    star = {"marker": "*", "markersize": 11, "color": "#F0E442", "markeredgecolor": "black"}
    folded = style.size() == "column"
    thin = {"arrowprops": {"arrowstyle": "-", "linewidth": 0.6}, "textcoords": "offset points"}
    for row, form, text, shift in (
        (before, read, f"request and reply:\n{before.value:g} kB/s", (16, -26)),
        (
            after,
            burst,
            f"packet burst: {after.value:g} kB/s\n(N = {burst.burst_size:g} fitted)",
            {"column": (-84, -78), "slide": (-60, -60)}.get(style.size(), (-30, -42)),
        ),
    ):
        at = (file_read.permitted_B(form), row.value)
        axes.plot(*at, linestyle="", zorder=5, **star)
        axes.annotate(text, at, xytext=shift, **thin)
    beyond = (179_200, 22, "right") if folded else (150_000, 22.4, "center")
    axes.text(*beyond[:2], "more than\nBc + Be", ha=beyond[2], va="top")
    ceiling = file_read.ceiling_Bps(burst) / 1000
    axes.axhline(ceiling, color="0.4", linewidth=0.8)
    back = "" if folded else ", burst packets back to back"
    text = f"256 kbit/s{back}: {ceiling:.1f} kB/s"
    axes.annotate(text, (1400, ceiling), xytext=(0, 9), textcoords="offset points")


def _label(axes: "Axes") -> None:
    fold = "\n" if style.size() == "column" else " "
    axes.set(
        xscale="log",
        ylim=(0, 34),
        xlabel=f"octets sent without waiting:{fold}burst size x 1400, or receive window",
        ylabel="throughput (kB/s)",
    )
    ticks = [1400, 2800, 5600, 11200, 22400, 44800, 89600, 179200]
    axes.set_xticks(ticks, [f"{tick}\n({tick // 1400})" for tick in ticks])
    axes.set_xticks([], minor=True)
    axes.grid(which="major", color="0.9", linewidth=0.5)
    axes.legend(loc="lower right")
