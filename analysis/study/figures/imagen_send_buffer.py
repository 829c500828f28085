# SPDX-License-Identifier: GPL-2.0-only
"""Throughput against the host's send buffer for the two IMAGEN printers: what the note's patch of
the BSD kernel gains, and what the printer's own fix does."""

from study.catalogue import systems
from study.drawing import marks, style
from study.drawing.facts import axis_label, measured, value
from study.drawing.jobs import between, line, rates, swept, whole
from study.scenarios.print_job import cycles

PRINTERS = {"imagen-v3": "V3.3", "imagen-v2": "V2.1, V2.2"}
SYSTEMS = ("imagen-v2", "imagen-v3")
# Powers of two, and between 2048 and the window whole segments of 1024 and the threshold's 4608.
BUFFERS_B = [512, 1024, 2048, 3072, 4096, 4608, 5120, 6144, 8192, 16384]
# Long enough that the pause before the last ACK, which half of the jobs end with, does not show.
JOB_B = 10_000_000
FAST = 5  # times the rate of the buffer before: where the jump is
TITLE = (
    "With the host's buffer of {own} B the older IMAGEN takes {slow:,.0f} B/s, from {jump} B on at "
    "least {times:.0f} times as much"
)
CAPTION = (
    "Throughput of a 10 MB job to an IMAGEN printer against the sender's buffer. Markers: "
    "simulated jobs; lines: closed form. While all that the buffer holds is too little for an "
    "ACK, V2.1 and V2.2 take N bytes each half second. Star: a BSD 4.2 host as published (source: "
    "the note in mod.protocols.tcp-ip, 1986). The window and the share of it that earns an ACK "
    "are not given: {window_B} bytes and {share:.0f} % are assumed, and with them where the jump "
    "lies; how fast the fast jobs go follows from assumed processing times of a millisecond."
)


def draw() -> style.Drawing:
    """Simulated points, the closed form through them, the published point and the two buffers that
    the note's patch exchanges."""
    jobs = {
        (name, buffer_B): systems[name].with_(send_buffer=buffer_B, job_size=JOB_B)
        for name in PRINTERS
        for buffer_B in BUFFERS_B
    }
    names, read = ("system", "send_buffer_B"), rates(cycles.steady_rate_Bps)
    table = swept("throughput against send buffer", names, jobs, read)
    figure, axes = style.one(4.0)
    buffers_B = whole(between(512, 16384, 600))
    for name, rows, look in marks.families(table, "system"):
        paper = line(systems[name], "send_buffer_B", buffers_B, cycles.steady_rate_Bps)
        marks.curve(axes, look, (rows.send_buffer_B, rows.throughput_Bps), paper, PRINTERS[name])
    _mark(axes)
    ticks = [512, 1024, 2048, 4096, *([] if style.narrow() else [6144]), 8192, 16384]
    yticks = {n: f"{n:,.0f}" for n in (1e3, 4096, 1e4, 1e5, 1e6)}
    axes.set(
        xlabel=axis_label(systems["imagen-v2"], "send_buffer").replace(" (", " N ("),
        ylabel="throughput of the job (B/s)",
    )
    marks.scales(axes, log="xy", x=ticks, y=yticks)
    axes.legend(title="IMAGEN", loc="center left", bbox_to_anchor=(0.02, 0.62))
    own = systems["imagen-v2"]
    share = value(own, "ack_threshold") * 100
    caption = CAPTION.format(window_B=value(own, "receive_window"), share=share)
    older = table[table.system == "imagen-v2"].set_index("send_buffer_B").throughput_Bps
    slow = own.with_(job_size=JOB_B).run().throughput_Bps
    fast = older[older.index > (older.index[older > FAST * older.shift()]).min() - 1]
    words = {"own": value(own, "send_buffer"), "slow": slow, "times": fast.min() / slow}
    title = TITLE.format(jump=fast.index.min(), **words)
    return style.Drawing(figure, table, caption, title)


def _mark(axes: style.Axes) -> None:
    system = systems["imagen-v2"]
    rate_Bps = measured(system, "cycle_rate").value
    buffer_B, window_B = value(system, "send_buffer"), value(system, "receive_window")
    text = f"BSD 4.2 as published:\nN = {buffer_B} B, {rate_Bps:.0f} B/s\n"
    text += f"({rate_Bps * 8 / 1024:.0f} kbit/s)"
    marks.star(axes, (buffer_B, rate_Bps), text, (14, -34))
    slope = {"column": (760, 2500, 38), "slide": (760, 2600, 19)}
    at_B, level_Bps, angle = slope.get(style.size(), (760, 2600, 21))
    axes.text(at_B, level_Bps, "2 N per second", rotation=angle, ha="center", va="center")
    axes.axvline(window_B, color="0.4", linewidth=0.8)
    patch = f"N = {window_B} B:\nthe note's patch"
    marks.note(axes, patch, (window_B, 30_000), (5, 0), va="center")
