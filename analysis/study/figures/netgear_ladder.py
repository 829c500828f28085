# SPDX-License-Identifier: GPL-2.0-only
"""The Netgear's two ACKs for each segment as a ladder diagram: the source's trace on the left, the
simulation of the same packets on the right."""

from typing import TYPE_CHECKING

from study.catalogue import systems
from study.drawing import style
from study.drawing.arrows import Arrow, arrows, draw_arrows, frame, table
from study.judging import timeline
from study.programs.segments import Segment
from study.scenarios.print_job.formulas import PrintJob

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SYSTEM = "netgear-ps101"
CAPTION = (
    "Three cycles of the Netgear PS101, from its trace (source: the print-server article) and "
    "simulated; time runs down. Each segment is acknowledged with what is left of the "
    "window, and again when the window is whole: into 0 the host may not send, into 16 it will "
    "not. The simulated numbers are shifted to the trace's, which does not show what came before. "
    "Times are stamps at the host; the slant of an arrow is its frame's wire time at 10 Mbit/s."
)


def draw() -> style.Drawing:
    """Both exchanges, whole."""
    system = systems[SYSTEM]
    result = system.run(segments=True)
    job = PrintJob.of(result.parameters)
    fragment = timeline.read(system.trace).packets
    start, simulated = timeline.align(fragment, result.packets)
    sides: dict[str, list[Segment]] = {
        "measured (tcpdump at the host)": [packet.segment for packet in fragment],
        "simulated": simulated[start : start + len(fragment)],
    }
    drawn = {title: arrows(segments, job) for title, segments in sides.items()}
    figure = style.figure(5.0, 8.0)
    rows, columns = (2, 1) if style.size() == "column" else (1, 2)
    for axes, (title, side) in zip(figure.subplots(rows, columns), drawn.items(), strict=True):
        axes.set_title(title, pad=16)
        _exchange(axes, side)
    return style.Drawing(figure, table(drawn), CAPTION)


def _exchange(axes: "Axes", side: list[Arrow]) -> None:
    frame(axes, -1.6, side[-1].host_ms + 1)
    draw_arrows(axes, side)
    for before, arrow in zip([side[0], *side], side, strict=False):
        segment = arrow.segment
        if segment.sender == "host":
            text = f"{segment.seq}:{segment.seq + segment.length}({segment.length})"
            axes.text(0.5, arrow.host_ms + 0.75, text, ha="center", va="top", color=style.DATA)
            continue
        above = arrow.host_ms - 0.2
        text = f"ack {segment.ack} win {segment.window}"
        axes.text(0.5, above, text, ha="center", va="bottom", color=style.ACK)
        waited_ms = arrow.host_ms - before.host_ms
        between = "no room yet" if before.segment.sender == "device" else "waiting for the ACK"
        middle = (arrow.host_ms + before.host_ms) / 2
        if waited_ms > 5:
            middle += 0.4  # clear of the segment's own label
            axes.text(0.07, middle, f"{waited_ms:.2f} ms\n{between}", va="center")
            ends = (before.host_ms + 0.3, arrow.host_ms - 0.3)
            arrow_style = {"arrowstyle": "<->", "linewidth": 0.6}
            axes.annotate("", (0.04, ends[0]), (0.04, ends[1]), arrowprops=arrow_style)
        else:
            axes.text(0.03, middle, f"{waited_ms:.2f} ms", va="center")
