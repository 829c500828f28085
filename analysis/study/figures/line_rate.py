# SPDX-License-Identifier: GPL-2.0-only
"""Throughput against the rate of the branch's line, for both protocols: why four times the line did
not read the file in a quarter of the time."""

from study.catalogue import systems
from study.drawing import marks, style
from study.drawing.curves import Curves, Over, Up, each
from study.drawing.style import Axes, Table
from study.drawing.system_facts import value
from study.scenarios.file_read import formulas as file_read

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


def own_kbps() -> float:
    return value(systems[SYSTEM], "branch_access_rate", "kbit/s")


def notes(axes: Axes, table: Table) -> None:
    """What was expected of the new line, and what it brings."""
    own, narrow, fold = own_kbps(), style.narrow(), style.fold()
    single = table[table.protocol == "request-reply"].set_index("branch_access_rate_kbps")
    before, after = (single.throughput_Bps[kbps] / 1000 for kbps in (BEFORE_KBPS, own))
    expected = before * own / BEFORE_KBPS
    axes.plot([BEFORE_KBPS, own], [before, expected], color="0.4", linestyle="--", linewidth=0.8)
    text = f"expected of {own:g}{fold}instead of {BEFORE_KBPS} kbit/s:\n"
    text += f"{own / BEFORE_KBPS:.1f} times"
    shift = (24, -14) if narrow else (34, -4)
    marks.note(axes, text, (own, expected), shift, **marks.LEADER)
    text = f"simulated, {BEFORE_KBPS} to {own:g} kbit/s:{fold}"
    text += f"{before:.1f} to {after:.1f} kB/s,\n{after / before:.2f} times"
    marks.note(axes, text, (own, after), (30, -34), **marks.LEADER)


draw = Curves(
    TITLE,
    CAPTION,
    curves=lambda: each(systems[SYSTEM], "protocol", PROTOCOLS),
    by="protocol",
    name=PROTOCOLS.__getitem__,
    over=Over(
        "branch_access_rate",
        RATES_KBPS,
        "kbit/s",
        also=("committed_rate",),
        own=True,
    ),
    up=Up("throughput"),
    form=file_read.read_rate_Bps,
    star="file_rate",
    words=lambda kBps: {
        "line": kBps.own / BEFORE_KBPS,
        "single": kBps(0, kBps.own) / kBps(0, BEFORE_KBPS),
        "burst": kBps(1, kBps.own) / kBps(1, BEFORE_KBPS),
    },
    notes=notes,
    heights=(4.0, 3.4),
).draw
