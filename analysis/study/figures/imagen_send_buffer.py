# SPDX-License-Identifier: GPL-2.0-only
"""Throughput against the host's send buffer for the two IMAGEN printers: what the note's patch of
the BSD kernel gains, and what the printer's own fix does."""

from study.catalogue import systems
from study.drawing import marks
from study.drawing.curves import Curves, Over, Read, Words
from study.drawing.style import Axes, Table
from study.drawing.system_facts import value
from study.scenarios.print_job import cycles

PRINTERS = {"imagen-v3": "V3.3", "imagen-v2": "V2.1, V2.2"}
SYSTEMS = ("imagen-v2", "imagen-v3")
# Powers of two, and between 2048 and the window whole segments of 1024 and the threshold's 4608.
BUFFERS_B = [512, 1024, 2048, 3072, 4096, 4608, 5120, 6144, 8192, 16384]
# Long enough that the pause before the last ACK, which half of the jobs end with, does not show.
JOB_B = 10_000_000
FAST = 5  # times the rate of the buffer before: where the jump is
TITLE = (
    "With the host's buffer of {own} B the older IMAGEN takes {slow:.1f} kB/s, from {jump} B on at "
    "least {times:.0f} times as much"
)
CAPTION = (
    "Throughput of a 10 MB job to an IMAGEN printer against the sender's buffer. Markers: "
    "simulated jobs; lines: closed form. While all that the buffer holds is too little for an "
    "ACK, V2.1 and V2.2 take N bytes each half second. Star: a BSD 4.2 host as published (source: "
    "the note in mod.protocols.tcp-ip, 1986). The window and the fraction of it that earns an ACK "
    "are not given: {window_B} bytes and {share:.0f} % are assumed, and with them where the jump "
    "lies; how fast the fast jobs go follows from assumed processing times of a millisecond."
)


def words(read: Read) -> Words:
    """Return where the jump is, and what it brings."""
    old = systems["imagen-v2"]
    older = [read(1, size_B) for size_B in BUFFERS_B]
    place = next(n for n in range(1, len(older)) if older[n] > FAST * older[n - 1])
    slow = read(1, read.own)
    return {
        "own": read.own,
        "slow": slow,
        "jump": BUFFERS_B[place],
        "times": min(older[place:]) / slow,
        "window_B": value(old, "receive_window"),
        "share": value(old, "ack_threshold") * 100,
    }


def notes(axes: Axes, table: Table) -> None:
    """The other of the two buffers that the note's patch exchanges."""
    window_B = value(systems["imagen-v2"], "receive_window")
    axes.axvline(window_B, color="0.4", linewidth=0.8)
    patch = f"N = {window_B} B:\nthe note's patch"
    marks.note(axes, patch, (window_B, 30), (5, 0), va="center")


draw = Curves(
    TITLE,
    CAPTION,
    curves=lambda: {name: systems[name].with_(job_size=JOB_B) for name in PRINTERS},
    by="system",
    name=PRINTERS.__getitem__,
    legend="IMAGEN",
    over=Over("send_buffer", BUFFERS_B),
    form=cycles.steady_rate_Bps,
    star="cycle_rate",
    words=words,
    notes=notes,
).draw
