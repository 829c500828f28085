# SPDX-License-Identifier: GPL-2.0-only
"""The Netgear's two ACKs for each segment as a ladder diagram: the source's trace on the left, the
simulation of the same packets on the right."""

from itertools import pairwise
from statistics import median

from study.catalogue import systems
from study.drawing import style
from study.drawing.arrows import Arrow, draw_arrows, draw_wait, frame, table
from study.drawing.panels import TITLES, two_sides
from study.judging import alignment, notation

SYSTEM = "netgear-ps101"
TITLE = (
    "The Netgear answers each segment twice, and the host waits {measured:.1f} ms from segment to "
    "segment, measured; {simulated:.1f} ms, simulated"
)
CAPTION = (
    "Three cycles of the Netgear PS101, from its trace (source: the print-server article) and "
    "simulated; time runs down. Each segment is acknowledged with what is left of the "
    "window, and again when the window is whole: into 0 the host may not send, into 16 it will "
    "not. The simulated numbers are shifted to the trace's, which does not show what came before. "
    "Times are stamps at the host; the slant of an arrow is its frame's wire time at 10 Mbit/s."
)


def draw() -> style.Drawing:
    """Draw both exchanges, whole."""
    system = systems[SYSTEM]
    result = system.run(segments=True)
    fragment = notation.read(system.trace).packets
    start, simulated = alignment.align(fragment, result.packets)
    traced = [packet.segment for packet in fragment]
    sides = two_sides(result, traced, simulated[start : start + len(fragment)])
    figure, panels = style.beside(2, 5.0, 8.0)
    for axes, (name, side) in zip(panels, sides.items(), strict=True):
        axes.set_title(TITLES[name], pad=16)
        _exchange(axes, side)
    cycles = {name: median(_cycles_ms(side)) for name, side in sides.items()}
    return style.Drawing(figure, table(sides), CAPTION, TITLE.format(**cycles))


def _cycles_ms(side: list[Arrow]) -> list[float]:
    """From segment to segment."""
    sent = [arrow.near_ms for arrow in side if arrow.segment.sender == "host"]
    return [after - before for before, after in pairwise(sent)]


def _exchange(axes: style.Axes, side: list[Arrow]) -> None:
    frame(axes, -1.6, side[-1].near_ms + 1)
    draw_arrows(axes, side)
    for before, arrow in zip([side[0], *side], side, strict=False):
        segment = arrow.segment
        if segment.sender == "host":
            text = f"{segment.seq}:{segment.seq + segment.length}({segment.length})"
            axes.text(0.5, arrow.near_ms + 0.75, text, ha="center", va="top", color=style.DATA)
            continue
        text = f"ack {segment.ack} win {segment.window}"
        axes.text(0.5, arrow.near_ms - 0.2, text, ha="center", va="bottom", color=style.ACK)
        waited_ms = arrow.near_ms - before.near_ms
        between = "no room yet" if before.segment.sender == "device" else "waiting for the ACK"
        middle = (arrow.near_ms + before.near_ms) / 2
        if waited_ms > 5:
            middle += 0.4  # clear of the segment's own label
            axes.text(0.07, middle, f"{waited_ms:.2f} ms\n{between}", va="center")
            draw_wait(axes, 0.04, before.near_ms + 0.3, arrow.near_ms - 0.3)
        else:
            axes.text(0.03, middle, f"{waited_ms:.2f} ms", va="center")
