# SPDX-License-Identifier: GPL-2.0-only
"""One Telnet command as a ladder diagram, simulated: as it was on the left, with Nagle's algorithm
off at both ends on the right; the stall is drawn in. Time runs down, but not to scale: 15 us and
200 ms would not fit one."""

from itertools import pairwise

from study.catalogue import systems
from study.drawing import style
from study.drawing.arrows import arrows, draw_arrow, name_ends, table
from study.drawing.system_facts import value
from study.programs.segments import Segment
from study.system.system import System

SYSTEM = "telnet-xp"
PAUSE_S = 1e-3  # what is longer is drawn as a gap with a name
TITLE = (
    "The server's second write waits {pause:.0f} ms for an ACK that the client withholds; without "
    "Nagle's algorithm it does not wait"
)
CAPTION = (
    "One command of the Telnet test from Windows XP, simulated: as it was, and with "
    "Nagle's algorithm off at both ends. Time runs down, not to scale; the numbers beside "
    "the client are its stamps. With it on, the server may not send the second part of its "
    "reply before the first is acknowledged, and the client delays that ACK by 200 ms. "
    "Source of the delay: the note on Telnet from Windows XP; it prints no packets, so echo, "
    "sizes and the two parts of the reply are assumed."
)
SIDES = {
    "Nagle on at both ends, simulated": {},
    "Nagle off at both ends, simulated": {"client_nagle": False, "server_nagle": False},
}


def draw() -> style.Drawing:
    """Draw both exchanges, packet by packet."""
    sides = {title: _command(systems[SYSTEM].with_(**changes)) for title, changes in SIDES.items()}
    figure = style.figure(4.4, 7.2)
    ends = [_heights(packets)[-1] + 1 for packets in sides.values()]
    if style.narrow():
        panels = figure.subplots(2, 1, height_ratios=ends)
    else:
        panels, ends = figure.subplots(1, 2), [max(ends)] * 2
    for axes, (title, packets), lowest in zip(panels, sides.items(), ends, strict=True):
        axes.set_title(title, pad=16)
        _exchange(axes, packets, lowest)
    drawn = {title: arrows(side, None, origin_s=side[0].time_s) for title, side in sides.items()}
    stalled = next(iter(sides.values()))
    pause_s = max(after.time_s - before.time_s for before, after in pairwise(stalled))
    return style.Drawing(figure, table(drawn), CAPTION, TITLE.format(pause=pause_s * 1000))


def _command(system: System) -> list[Segment]:
    """Return the packets from a command's text to the next command's, the first left out: its
    connection is new."""
    packets = system.with_(commands=3).run(segments=True).packets
    size_B = value(system, "command_text") + value(system, "command_end")
    first, last = 1 + size_B, 1 + 2 * size_B
    begin, end = (
        next(i for i, p in enumerate(packets) if p.sender == "client" and p.seq == seq and p.length)
        for seq in (first, last)
    )
    return packets[begin : end + 1]


def _heights(packets: list[Segment]) -> list[float]:
    """Return one step down a packet, three more where there is a pause."""
    heights = [0.0]
    for before, packet in pairwise(packets):
        pause = packet.time_s - before.time_s > PAUSE_S
        heights.append(heights[-1] + (4 if pause else 1.15))
    return heights


def _exchange(axes: style.Axes, packets: list[Segment], lowest: float) -> None:
    heights, start_s = _heights(packets), packets[0].time_s
    axes.set(xlim=(-0.32, 1.08), ylim=(lowest, -0.8))
    name_ends(axes, ["client (Windows XP)", "server"])
    axes.set_yticks([])
    for spine in axes.spines.values():
        spine.set_visible(False)
    for x in (0, 1):
        axes.axvline(x, color="black", linewidth=0.8)
    for number, (packet, height) in enumerate(zip(packets, heights, strict=True)):
        _arrow(axes, packet, height)
        stamp_ms = (packet.time_s - start_s) * 1000
        axes.text(-0.03, height, f"{stamp_ms:.3f} ms", ha="right", va="center", fontsize=7)
        if number and height - heights[number - 1] > 2:
            pause_ms = (packet.time_s - packets[number - 1].time_s) * 1000
            _pause(axes, packet, pause_ms, heights[number - 1], height)


def _arrow(axes: style.Axes, packet: Segment, height: float) -> None:
    """A frame leaves or arrives at the client at its stamp, half a step from the other side."""
    start, end = (0, height), (1, height + 0.55)
    if packet.sender != "client":
        start, end = (1, height - 0.55), (0, height)
    colour = style.DATA if packet.length else style.ACK
    draw_arrow(axes, start, end, colour, dashed=not packet.length)
    place = f"{packet.seq}:{packet.seq + packet.length}({packet.length}) " if packet.length else ""
    middle = (start[1] + end[1]) / 2 - 0.1
    axes.text(0.5, middle, f"{place}ack {packet.ack}", ha="center", va="bottom", color=colour)


def _pause(axes: style.Axes, packet: Segment, pause_ms: float, top: float, bottom: float) -> None:
    """Who is waited for, on that side; a wait for the client's ACK is the stall."""
    stall = packet.sender == "client"
    x, inwards, side, colour = (
        (0, 0.06, "left", "#D55E00") if stall else (1, -0.06, "right", "0.75")
    )
    ends = (top + 0.7, bottom - (0.2 if stall else 0.8))
    axes.plot([x, x], ends, color=colour, linewidth=5, solid_capstyle="butt", zorder=0)
    text = f"{pause_ms:.1f} ms: the server works"
    if stall:
        text = f"{pause_ms:.0f} ms: the client withholds its ACK,\n"
        text += "and Nagle the server's second write"
    axes.text(x + inwards, sum(ends) / 2, text, ha=side, va="center")
