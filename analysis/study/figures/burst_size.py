# SPDX-License-Identifier: GPL-2.0-only
"""Throughput against what may be sent without waiting: a NetWare burst of so many packets, and TCP
with a window of as many octets on the same line."""

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

SYSTEMS = ("netware", "tcp-frame-relay")
BURSTS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 45, 64, 72, 80, 96, 128]
WINDOWS_B = [1460, 2920, 4380, 5840, 8760, 11680, 17520, 23360, 35040, 65535]
FILE_B = 2_000_000
SEGMENT_B = 1460
TCP_HEADERS_B = 20 + 20 + 2 + 2 + 2  # IPv4, TCP; Q.922, RFC 2427 for IPv4, check sequence
LARGEST_LOSSLESS = 68  # packets of a burst of which none is lost; simulated
DROPS = ["retransmissions", "wan_frames_policed", "wan_frames_congested", "router_drops"]
CAPTION = (
    "Throughput of a file of 2 MB read over a 256 kbit/s frame-relay line against what may be sent "
    "before an answer has to come. Packet burst: one request a burst of 1 to 128 packets (markers: "
    "simulated, line: closed form, dashed where packets are lost, which it leaves out). TCP: the "
    "receive window, in the same octets. A window lets the sender go on with every ACK, so it "
    "reaches the line's rate as soon as it covers a round trip; a burst waits a round trip after "
    "each, however long it is. Each has its own ceiling, as more octets of a TCP segment are the "
    "file's. Stars: as measured (source: 'It's A Question Of Latency'); the burst's size is not "
    "given and is fitted to the upper star: the bar is what rounds to 28 kB/s. A burst of 69 "
    "packets or more loses some, all by assumed figures: the network's contract (Bc + Be) would "
    "pass them, but marks what is above Bc and drops the marked while 50 frames wait for the "
    "branch's line; above 100 the router's queue drops others. What is lost comes once more, "
    "quickly if the burst's last packet has come, or after ReplyTimeout (1 s, assumed too)."
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
    line = {"color": style.CURVES[0][0], "linewidth": 0.8}
    lossless = range(1, LARGEST_LOSSLESS + 1)
    axes.plot(*_closed_form(lossless), label="packet burst, closed form", **line)
    axes.plot(*_closed_form(range(LARGEST_LOSSLESS, 129)), linestyle=(0, (2, 2)), **line)
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
        drops = [record[name] for name in DROPS]
        rows.append(
            ("packet burst", count, permitted_B, result.outcome, rate_Bps, closed_Bps, *drops)
        )
    tcp = systems["tcp-frame-relay"]
    jobs = [tcp.with_(receive_window=window_B, job_size=FILE_B) for window_B in WINDOWS_B]
    records = run_batch(tcp.scenario, [job.flags() for job in jobs], "throughput against window")
    for window_B, record in zip(WINDOWS_B, records, strict=True):
        result = tcp.result(record)
        drops = [record[name] for name in DROPS]
        rows.append(("TCP", None, window_B, result.outcome, result.throughput_Bps, None, *drops))
    columns = ["protocol", "burst_size", "permitted_B", "outcome", "throughput_Bps"]
    table = pd.DataFrame(rows, columns=[*columns, "closed_form_Bps", *DROPS])
    return table.astype({"burst_size": "Int64", "permitted_B": int})


def _of_whole_bursts(count: int) -> System:
    """The system with that burst size, and a file of about 2 MB that ends with a whole burst."""
    read = FileRead.of(systems["netware"].with_(protocol="packet-burst").run().parameters)
    permitted_B = int(file_read.permitted_B(replace(read, burst_size=count)))
    size_B = max(1, round(FILE_B / permitted_B)) * permitted_B
    return systems["netware"].with_(protocol="packet-burst", burst_size=count, file_size=size_B)


def _closed_form(counts: range) -> tuple[list[float], list[float]]:
    read = FileRead.of(systems["netware"].with_(protocol="packet-burst").run().parameters)
    bursts = [replace(read, burst_size=count) for count in counts]
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
        (
            before,
            read,
            f"request and reply:\n{before.value:g} kB/s",
            (18, -12) if folded else (16, -26),
        ),
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
    setting = netware.settings["burst_size"]
    fits_B = [file_read.permitted_B(replace(burst, burst_size=size)) for size in setting.range]
    axes.plot(fits_B, [after.value] * 2, color="black", linewidth=1.2, marker="|", zorder=4)
    lost = (179_200, 20.6, "right") if folded else (140_000, 20.6, "center")
    axes.text(*lost[:2], "DE frames\ndropped", ha=lost[2], va="top")
    ceilings = {
        "TCP": (_tcp_ceiling_Bps(burst) / 1000, 9),
        "bursts": (file_read.ceiling_Bps(burst) / 1000, -4),
    }
    for name, (ceiling, shift) in ceilings.items():
        axes.axhline(ceiling, color="0.4", linewidth=0.6)
        # TCP's curve passes beside the lower one.
        text = f"256 kbit/s, {name}: {ceiling:.1f} kB/s" if shift > 0 else f"{name}: {ceiling:.1f}"
        place = {"xytext": (0, shift), "textcoords": "offset points"}
        axes.annotate(text, (1400, ceiling), va="baseline" if shift > 0 else "top", **place)


def _tcp_ceiling_Bps(read: FileRead) -> float:
    """Full segments back to back on the branch's line."""
    bits = (SEGMENT_B + TCP_HEADERS_B) * 8 * (1 + read.stuffed_bits) + file_read.FLAG_B * 8
    return SEGMENT_B / bits * read.branch_access_rate_bps


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
    if style.size() == "column":  # no room beside the curves
        axes.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0))
    else:
        axes.legend(loc="lower right")
