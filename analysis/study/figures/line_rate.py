# SPDX-License-Identifier: GPL-2.0-only
"""Throughput against the rate of the branch's line, for both protocols: why four times the line did
not read the file in a quarter of the time."""

from study.catalogue import systems
from study.drawing import marks, style
from study.drawing.facts import axis_label, kBps, value
from study.drawing.jobs import between, line, rates, swept
from study.scenarios.file_read import formulas as file_read
from study.system.system import System

SYSTEM = "netware"
PROTOCOLS = {"request-reply": "request and reply", "packet-burst": "packet burst"}
BEFORE_KBPS = 56  # the line that the customer had
RATES_KBPS = [9.6, 19.2, BEFORE_KBPS, 128, 512, 1024, 2048, 10000]  # and the one they have
TITLE = (
    "A line {line:.1f} times as fast reads a file {single:.2f} times as fast by request and reply, "
    "{burst:.1f} times by bursts"
)
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
    system = systems[SYSTEM]
    own = value(system, "branch_access_rate", "kbit/s")
    rates_kbps = sorted({*RATES_KBPS, own})
    simulated = {(name, kbps): _at(name, kbps) for name in PROTOCOLS for kbps in rates_kbps}
    names = ("protocol", "branch_access_rate_kbps")
    table = swept("throughput against line", names, simulated, rates(file_read.read_rate_Bps))
    figure, axes = style.one(4.0, 3.4)
    kbps = between(9.6, 10000, 200)
    for name, jobs, look in marks.families(table, "protocol"):
        at = ("branch_access_rate_bps", kbps, file_read.read_rate_Bps)
        paper = line(_at(name, own), *at, per=1000, each=1e3)
        points = (jobs.branch_access_rate_kbps, jobs.throughput_Bps / 1000)
        marks.curve(axes, look, points, paper, PROTOCOLS[name])
    _mark(axes, table, system, own)
    axes.set(xlabel=axis_label(system, "branch_access_rate", "kbit/s"), ylabel="throughput (kB/s)")
    ticks = [9.6, BEFORE_KBPS, own, 1024, 10000] if style.narrow() else rates_kbps
    marks.scales(axes, log="xy", x=ticks, y=[1, 2, 4, 8, 16, 28, 64, 128])
    axes.legend(loc="upper left")
    rates_Bps = table.set_index(["protocol", "branch_access_rate_kbps"]).throughput_Bps
    gains = [rates_Bps[name, own] / rates_Bps[name, BEFORE_KBPS] for name in PROTOCOLS]
    title = TITLE.format(line=own / BEFORE_KBPS, single=gains[0], burst=gains[1])
    return style.Drawing(figure, table, CAPTION, title)


def _at(protocol: str, kbps: float) -> System:
    rate = f"{kbps:g}kbps"
    return systems[SYSTEM].with_(protocol=protocol, branch_access_rate=rate, committed_rate=rate)


def _mark(axes: style.Axes, table: style.Table, system: System, own_kbps: float) -> None:
    single = table[table.protocol == "request-reply"].set_index("branch_access_rate_kbps")
    before, after = (single.throughput_Bps[kbps] / 1000 for kbps in (BEFORE_KBPS, own_kbps))
    expected = before * own_kbps / BEFORE_KBPS
    ends = [BEFORE_KBPS, own_kbps], [before, expected]
    axes.plot(*ends, color="0.4", linestyle="--", linewidth=0.8)
    narrow, fold = style.narrow(), style.fold()
    text = f"expected of {own_kbps:g}{fold}instead of {BEFORE_KBPS} kbit/s:\n"
    text += f"{own_kbps / BEFORE_KBPS:.1f} times"
    shift = (24, -14) if narrow else (34, -4)
    marks.note(axes, text, (own_kbps, expected), shift, **marks.LEADER)
    text = f"simulated, {BEFORE_KBPS} to {own_kbps:g} kbit/s:{fold}"
    text += f"{before:.1f} to {after:.1f} kB/s,\n{after / before:.2f} times"
    shift = (24, -44) if narrow else (30, -34)
    marks.note(axes, text, (own_kbps, after), shift, **marks.LEADER)
    rows = [row for row in system.measured if row.kind == "file_rate"]
    for number, row in enumerate(rows):
        label = "_" if number else "as measured"
        marks.star(axes, (own_kbps, kBps(row)), label=label)
