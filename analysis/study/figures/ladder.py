# SPDX-License-Identifier: GPL-2.0-only
"""Three steady cycles of the Hawking as a ladder diagram: the source's trace on the left, the
simulation of the same packets on the right."""

from itertools import pairwise
from statistics import median

from study.catalogue import systems
from study.drawing import style
from study.drawing.arrows import Arrow, draw_arrows, draw_wait, frame, table
from study.drawing.panels import TITLES, two_sides
from study.judging import notation
from study.programs.segments import Segment

SYSTEM = "hawking-hps1u"
FIRST_SEQ, LAST_ACK = 20120, 28880  # three of the steady cycles that the source shows without a gap
ZOOM_MS = (-0.3, 3.2)  # the first pair, where 7 us and 1.2 ms can be told apart
TITLE = (
    "The host sends two segments and waits {measured:.0f} ms for their ACK, measured; "
    "{simulated:.0f} ms, simulated"
)
CYCLES = (
    "Three steady cycles of the Hawking H-PS1U, from its trace (source: the print-server article) "
    "and simulated; time runs down."
)
STAMPS = (
    "Times are stamps at the host; the trace has no others, so the slant of an arrow is its "
    "frame's wire time at 10 Mbit/s."
)
CAPTION = (
    f"{CYCLES} Below, the first 3 ms magnified: two frames handed down 7 µs apart leave one after "
    f"the other, then nothing moves until the ACK. {STAMPS}"
)
WITHOUT_ZOOM = f"{CYCLES} {STAMPS}"


def draw() -> style.Drawing:
    """Draw both exchanges twice: whole cycles, and the first pair magnified."""
    system = systems[SYSTEM]
    result = system.run(segments=True)
    sides = two_sides(result, _traced(notation.read(system.trace)), _stretch(result.packets))
    if style.size() == "page":
        figure = style.figure(6.6)
        whole, zoomed = figure.subplots(2, 2, height_ratios=[2.2, 1], gridspec_kw={"wspace": 0.04})
    else:  # no room to magnify the first pair
        (figure, whole), zoomed = style.beside(2, 6.6, 7.0), ()
    for axes, (name, side) in zip(whole, sides.items(), strict=True):
        axes.set_title(TITLES[name], pad=16)
        _whole(axes, side)
    for axes, side in zip(zoomed, sides.values(), strict=False):
        _zoomed(axes, side)
    waits = {name: median(_waits_ms(side)) for name, side in sides.items()}
    caption = CAPTION if len(zoomed) else WITHOUT_ZOOM
    return style.Drawing(figure, table(sides), caption, TITLE.format(**waits))


def _waits_ms(side: list[Arrow]) -> list[float]:
    """From each segment to the ACK behind it."""
    return [
        after.near_ms - before.near_ms
        for before, after in pairwise(side)
        if before.segment.sender == "host" and after.segment.sender == "device"
    ]


def _traced(exchange: notation.Timeline) -> list[Segment]:
    """Return the source's packets of the stretch; their stamps count from the start of the
    fragment."""
    fragment = next(p.fragment for p in exchange.packets if p.segment.seq == FIRST_SEQ)
    return _stretch([p.segment for p in exchange.packets if p.fragment == fragment])


def _stretch(segments: list[Segment]) -> list[Segment]:
    """From the first data segment drawn to the last ACK drawn."""
    begin = next(i for i, s in enumerate(segments) if s.sender == "host" and s.seq == FIRST_SEQ)
    end = next(i for i, s in enumerate(segments) if s.sender == "device" and s.ack == LAST_ACK)
    return segments[begin : end + 1]


def _whole(axes: style.Axes, side: list[Arrow]) -> None:
    end_ms = side[-1].near_ms
    frame(axes, -14, end_ms + 14)
    draw_arrows(axes, side)
    sent_ms = 0.0
    for number, arrow in enumerate(side):
        text = notation.tcpdump(arrow.segment).removeprefix("P ").removeprefix(". ")
        text = text.removesuffix(" ack 3 win 32120")
        if arrow.segment.sender == "device":
            waited = f"{arrow.near_ms - sent_ms:.1f} ms\nwaiting for the ACK"
            middle_ms = (sent_ms + arrow.near_ms) / 2
            draw_wait(axes, 0.06, sent_ms + 2, arrow.near_ms - 2)
            axes.text(0.1, middle_ms, waited, va="center")
            axes.text(0.5, arrow.near_ms - 3, text, ha="center", va="bottom", color=style.ACK)
            continue
        sent_ms = arrow.near_ms
        follows = number and side[number - 1].segment.sender == "host"
        second_ms = 15 if style.size() == "page" else 19
        shift_ms = second_ms if follows else 4  # two frames 7 us apart would be one line of text
        axes.text(0.97, arrow.near_ms + shift_ms, text, ha="right", va="top", color=style.DATA)


def _zoomed(axes: style.Axes, side: list[Arrow]) -> None:
    low_ms, high_ms = ZOOM_MS
    frame(axes, low_ms, high_ms)
    pair = side[:2]
    draw_arrows(axes, pair)
    gap_us = (pair[1].near_ms - pair[0].near_ms) * 1000
    for arrow, level in zip(pair, (0.25, 0.55), strict=True):
        at_ms = arrow.near_ms + (arrow.far_ms - arrow.near_ms) * level
        text = f"{arrow.segment.seq}:{arrow.segment.seq + arrow.segment.length}"
        axes.text(level + 0.03, at_ms - 0.05, text, ha="left", va="bottom", color=style.DATA)
    axes.text(0.02, 1.5, f"handed down\n{gap_us:.0f} µs apart", ha="left", va="center")
    thin = {"arrowstyle": "->", "linewidth": 0.6}
    axes.annotate("", (0.005, 0.05), (0.06, 1.15), arrowprops=thin)
