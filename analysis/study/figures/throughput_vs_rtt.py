# SPDX-License-Identifier: GPL-2.0-only
"""Throughput against the round trip, for several windows: a window goes a round trip, until the
line is full."""

from study.base.units import MEASURED, seconds
from study.catalogue import systems
from study.drawing import marks
from study.drawing.curves import Curves, Over, Read, Up, Words
from study.drawing.style import Axes, Table
from study.drawing.system_facts import listed, said, value
from study.scenarios.print_job import whole_job
from study.system.measured import Measured
from study.system.system import System

SYSTEMS = ("rclone-sftp", "http2-go")
NAMES = {"rclone-sftp": "SFTP", "http2-go": "HTTP/2"}
RTTS_MS = [1, 2, 5, 10, 20, 55, 100, 200, 500]
OTHER_WINDOWS_B = [16 * 2**20, 2**18]  # beside those of the sources: eight times and an eighth
TITLE = "From {near} to {far} ms of round trip {drops}: a window goes a round trip"
CAPTION = (
    "Throughput of a transfer against the propagation there and back, for four windows on a line "
    "of {rate}, nothing lost. Markers: simulated; lines: closed form, slow start's rounds and then "
    "a window a round trip (RFC 7323, 1.1) or what the line carries. Stars: as measured, SFTP with "
    "64 requests of 32 KiB outstanding at 2, 20 and 200 ms (source: pkg/sftp, issue 158; the "
    "line's rate is from the first) and a body over HTTP/2 at 55 ms (source: golang/go, issue "
    "17985; its line was slower, which its window never noticed). At 20 ms, where window and line "
    "meet, SFTP got less than either. Transfers of {large:,.0f} MB, with the smallest window "
    "{small:g} "
    "MB."
)


def curves() -> dict[int, System]:
    """By their windows, the widest first."""
    sftp, http2 = (systems[name] for name in SYSTEMS)
    window_B, small_B = (round(value(system, "receive_window")) for system in (sftp, http2))
    large = {"send_buffer": max(OTHER_WINDOWS_B)}
    return {
        each_B: sftp.with_(receive_window=each_B, **large)
        for each_B in sorted([window_B, *OTHER_WINDOWS_B], reverse=True)
    } | {small_B: http2.with_(path_rate=sftp.settings["path_rate"].text)}


def words(read: Read) -> Words:
    sftp, http2 = (systems[name] for name in SYSTEMS)
    near, far = read.ends
    windows = list(curves())
    drops = listed(
        f"{_size(windows[n])} fall from {read(n, near):.3g} to {read(n, far):.2g} MB/s"
        for n in (0, len(windows) - 1)
    )
    large, small = value(sftp, "job_size") / 1e6, value(http2, "job_size") / 1e6
    rate = said(sftp, "path_rate")
    return {"near": near, "far": far, "drops": drops, "rate": rate, "large": large, "small": small}


def notes(axes: Axes, table: Table) -> None:
    """The measured transfers."""
    for name in SYSTEMS:
        for at in _measured(systems[name]).items():
            marks.star(axes, at)
            marks.note(axes, NAMES[name], at, (-7, -13), ha="right")


def _measured(system: System) -> dict[float, float]:
    """Return the rates in MB/s by the round trip in ms, of the transfers whose system differs in
    nothing else; where a source has a time, too, it is of the same transfer."""
    rates_MBps: dict[float, float] = {}
    for row in system.measured:
        if set(row.with_) <= {"rtt"}:
            ms = seconds(row.with_["rtt"]) * 1000 if row.with_ else value(system, "rtt", "ms")
            rates_MBps.setdefault(ms, _rate_Bps(system, row) / 1e6)
    return rates_MBps


def _rate_Bps(system: System, row: Measured) -> float:
    number = row.value * MEASURED[row.unit]
    return number if row.kind.endswith("rate") else value(system, "job_size") / number


def _size(window_B: int) -> str:
    """As one says it: 64 KiB less one octet is what a field of 16 bits holds."""
    if window_B % 2**10:
        return f"{window_B:,} B"
    return f"{window_B >> 20} MiB" if window_B >= 2**20 else f"{window_B >> 10} KiB"


draw = Curves(
    TITLE,
    CAPTION,
    curves=curves,
    by="receive_window_B",
    name=_size,
    legend="window",
    over=Over("rtt", RTTS_MS, "ms"),
    up=Up("throughput of the transfer", "MB/s", 1e6),
    form=whole_job.whole_job_rate_Bps,
    words=words,
    notes=notes,
).draw
