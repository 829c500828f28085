# SPDX-License-Identifier: GPL-2.0-only
"""Throughput against what may be sent without waiting: a NetWare burst of so many packets, and TCP
with a window of as many octets on the same line."""

from dataclasses import replace

from study.catalogue import systems
from study.drawing import gaps, marks, style
from study.drawing.job_table import line, on_paper, rates, swept
from study.drawing.system_facts import kBps, said, value
from study.scenarios.file_read import formulas as file_read
from study.scenarios.file_read.formulas import FileRead
from study.scenarios.print_job.messages import PrintJob
from study.system.system import Result, System

SYSTEMS = ("netware", "tcp-frame-relay")
BURSTS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 45, 64, 72, 80, 96, 128]
WINDOWS_B = [1460, 2920, 4380, 5840, 8760, 11680, 17520, 23360, 35040, 65535]
FILE_B = 2_000_000
TCP_HEADERS_B = 20 + 20 + 2 + 2 + 2  # IPv4, TCP; Q.922, RFC 2427 for IPv4, check sequence
DROPS = ["retransmissions", "wan_frames_policed", "wan_frames_congested", "router_drops"]
TITLE = (
    "On a line of {rate} one packet per request reads {one:.1f} kB/s, bursts of {count} packets "
    "read {best:.1f} kB/s, and longer bursts lose packets"
)
CAPTION = (
    "Throughput of a 2 MB file read over a 256 kbit/s frame-relay line, against the octets that "
    "may be sent before an answer is needed. Packet burst: one request for a burst of 1 to 128 "
    "packets. Markers are simulated, and the line is the closed form, which has no lost packets. "
    "TCP: the receive window, in the same octets. With a window the sender continues at every ACK,"
    " so it reaches the line's rate as soon as the window covers a round trip. After a burst of "
    "any length the server waits a round trip. The two ceilings differ, because more octets of a "
    "TCP segment are file data. Stars: measured (source: 'It's A Question Of Latency'). The burst "
    "size is not given. It is fitted to the upper star, and the bar shows the sizes that round to "
    "{after:g} kB/s. Bursts of 69 packets or more lose some. This rests on assumed figures: the "
    "contract (Bc + Be) passes the burst, but the network marks what is above Bc. It drops marked "
    "frames while 50 frames wait for the branch's line. Above 100 packets the router's queue drops"
    " others. A lost packet is sent once more: quickly if the burst's last packet has arrived, "
    "else after ReplyTimeout (1 s, also assumed)."
)


def draw() -> style.Drawing:
    """Draw both protocols over one axis of octets, the measured points and the line's ceiling."""
    table = sweep()
    figure, axes = style.one(4.0, 3.4)
    names = {"packet burst": "packet burst of N packets", "TCP": "TCP with a window of W octets"}
    for name, jobs, look in marks.families(table, "protocol"):
        points = (jobs.permitted_B, jobs.throughput_Bps / 1000)
        paper = _closed_form() if name != "TCP" else None
        form = jobs.closed_form_Bps.astype(float) / 1000
        marks.curve(axes, look, points, paper, names[name], form)
    rows = [row for row in systems["netware"].measured if not row.compared]
    before, after = (kBps(row) for row in rows if row.kind == "file_rate")
    _mark(axes, before, after)
    packet_B = value(_burst(), "fragment_size")
    axes.set(
        ylabel="throughput (kB/s)",
        ylim=(0, 34),
    )
    marks.scales(axes, log="x")
    marks.bytes_across(axes, f"burst size x {packet_B} B, or receive window")
    if style.narrow():  # no room beside the curves
        axes.legend(*gaps.entries(axes), loc="lower left", bbox_to_anchor=(0.0, 1.0))
    else:
        axes.legend(*gaps.entries(axes), loc="lower right")
    bursts = table[table.protocol != "TCP"].set_index("burst_size").throughput_Bps / 1000
    words = {"one": bursts[1], "count": bursts.idxmax(), "best": bursts.max()}
    title = TITLE.format(rate=said(systems["netware"], "branch_access_rate"), **words)
    return style.Drawing(figure, table, CAPTION.format(after=after), title)


def sweep() -> style.Table:
    """Run one file with every burst size, and one with every window."""
    tcp = systems["tcp-frame-relay"].with_(job_size=FILE_B)
    jobs = {("packet burst", count): _of_whole_bursts(count) for count in BURSTS}
    jobs |= {("TCP", window_B): tcp.with_(receive_window=window_B) for window_B in WINDOWS_B}
    drops = {name: lambda result, name=name: result.record[name] for name in DROPS}
    read = {"permitted_B": _permitted_B} | rates(_rate_Bps) | drops
    table = swept("throughput against what is permitted", ("protocol", "burst_size"), jobs, read)
    table["burst_size"] = table.burst_size.where(table.protocol != "TCP").astype("Int64")
    first = ["protocol", "burst_size", "permitted_B", "outcome"]
    return table.astype({"permitted_B": int})[[*first, *table.columns.drop(first)]]


def _permitted_B(result: Result) -> float:
    """Return what goes out before an answer has to come."""
    form = on_paper(result)
    return form.receive_window_B if isinstance(form, PrintJob) else file_read.permitted_B(form)


def _rate_Bps(form: object) -> float | None:
    """TCP over frame relay has no closed form."""
    return None if isinstance(form, PrintJob) else file_read.read_rate_Bps(form)


def _burst() -> System:
    return systems["netware"].with_(protocol="packet-burst")


def _of_whole_bursts(count: int) -> System:
    """Return the system with that burst size, and a file of about 2 MB that ends with a whole
    burst."""
    read = on_paper(_burst().run())
    permitted_B = int(file_read.permitted_B(replace(read, burst_size=count)))
    size_B = max(1, round(FILE_B / permitted_B)) * permitted_B
    return _burst().with_(burst_size=count, file_size=size_B)


def _closed_form() -> tuple[list[float], list[float]]:
    counts = range(BURSTS[0], BURSTS[-1] + 1)
    _, permitted_B = line(_burst(), "burst_size", counts, file_read.permitted_B)
    _, rates_kBps = line(_burst(), "burst_size", counts, file_read.read_rate_Bps, per=1000)
    return permitted_B, rates_kBps


def _mark(axes: style.Axes, before: float, after: float) -> None:
    netware = systems["netware"]
    read = on_paper(netware.run())
    burst = replace(read, protocol="packet-burst")
    narrow = style.narrow()
    at = (file_read.permitted_B(read), before)
    text = f"request and reply:\n{before:g} kB/s"
    marks.star(axes, at, text, (18, -12) if narrow else (16, -26))
    at = (file_read.permitted_B(burst), after)
    text = f"packet burst: {after:g} kB/s\n(N = {burst.burst_size:g} fitted)"
    shift = {"column": (-58, -86), "slide": (-60, -60)}.get(style.size(), (-30, -42))
    marks.star(axes, at, text, shift)
    fits = netware.settings["burst_size"].range
    fits_B = [file_read.permitted_B(replace(burst, burst_size=size)) for size in fits]
    axes.plot(fits_B, [after] * 2, color="black", linewidth=1.2, marker="|", zorder=4)
    lost = (179_200, 20.6, "right") if narrow else (140_000, 20.6, "center")
    axes.text(*lost[:2], "DE frames\ndropped", ha=lost[2], va="top")
    tcp, bursts = _tcp_ceiling_Bps(burst) / 1000, file_read.ceiling_Bps(burst) / 1000
    rate = said(netware, "branch_access_rate")
    # TCP's curve passes beside the lower one.
    for ceiling, text, shift, va in (
        (tcp, f"{rate}, TCP: {tcp:.1f} kB/s", 9, "baseline"),
        (bursts, f"bursts: {bursts:.1f}", -4, "top"),
    ):
        axes.axhline(ceiling, color="0.4", linewidth=0.6)
        marks.note(axes, text, (1400, ceiling), (0, shift), va=va)


def _tcp_ceiling_Bps(read: FileRead) -> float:
    """Full segments back to back on the branch's line."""
    segment_B = value(systems["tcp-frame-relay"], "mss")
    bits = (segment_B + TCP_HEADERS_B) * 8 * (1 + read.stuffed_bits) + file_read.FLAG_B * 8
    return segment_B / bits * read.branch_access_rate_bps
