# SPDX-License-Identifier: GPL-2.0-only
"""Ladder diagram of a system's job: packets as arrows between the two ends, time running down."""

from typing import TYPE_CHECKING

from study.base.units import bits_per_second
from study.drawing import style
from study.drawing.arrows import Arrow, draw_arrows
from study.drawing.flow import Span, flow, name_of
from study.kit.quantity import Judges
from study.kit.scenario import judges
from study.kit.wire import wire_time_s
from study.programs.segments import Segment
from study.system.system import System

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

ROW_IN = 0.13  # a line of letters
MOST_PACKETS = {"column": 45, "page": 45, "slide": 20}  # what there is room for


def draw(system: System, span: Span) -> style.Drawing:
    """One ladder; every packet has its line of text beside it."""
    result = system.run(segments=True)
    stretch = flow(system, result, span)
    packets = stretch.shown(stretch.packets)[: MOST_PACKETS[style.size()]]
    rate = result.parameters.get("link_rate")
    ends = judges(system.scenario).ends
    arrows = wire_arrows(packets, bits_per_second(rate) if rate else None, ends)
    height_in = max(2.5, 1.2 + ROW_IN * len(arrows) * 1.2)
    figure = style.figure(height_in, height_in)
    axes = figure.subplots()
    _frame(axes, arrows, ends)
    draw_arrows(axes, arrows, ends[0])
    _texts(axes, arrows, judges(system.scenario), figure.get_figheight() - 1.0)
    axes.set_title(name_of(system), loc="left", pad=18)
    slant = "the slant is the frame's time on the wire" if rate else "the slant means nothing"
    caption = (
        f"Ladder diagram of the simulated job, {name_of(system)}; time runs down. Stamps are those "
        f"at the {ends[0]}; {slant}."
    )
    return style.Drawing(figure, _table(arrows), caption)


def wire_arrows(
    packets: list[Segment], rate_bps: float | None, ends: tuple[str, str]
) -> list[Arrow]:
    """Wire time added to each stamp, as in arrows.py, where the scenario has one link."""
    arrows, free_s = [], 0.0
    for packet in packets:
        wire_s = wire_time_s(packet.length, rate_bps) if rate_bps else 0.0
        if packet.sender == ends[0]:
            free_s = far_s = max(packet.time_s, free_s) + wire_s
        else:
            far_s = packet.time_s - wire_s
        arrows.append(Arrow(packet, packet.time_s * 1000, far_s * 1000))
    return arrows


def _frame(axes: "Axes", arrows: list[Arrow], ends: tuple[str, str]) -> None:
    times = [time for arrow in arrows for time in (arrow.host_ms, arrow.device_ms)]
    room = (max(times) - min(times)) * 0.03 or 0.1
    axes.set(xlim=(0, 1), ylim=(max(times) + room, min(times) - room), ylabel="time (ms)")
    axes.spines["right"].set_visible(True)
    axes.spines["bottom"].set_visible(False)
    axes.set_xticks([0, 1], ends)
    axes.tick_params(axis="x", length=0, labeltop=True, labelbottom=False)


def _texts(axes: "Axes", arrows: list[Arrow], known: Judges, axes_in: float) -> None:
    """Right of the ladder, one line a packet, moved down where two would touch; a thin line leads
    from the arrow's end to it."""
    low, high = sorted(axes.get_ylim())
    least = (high - low) * ROW_IN / axes_in
    levels = [arrow.device_ms for arrow in arrows]
    order = sorted(range(len(arrows)), key=lambda place: levels[place])
    at = spread([levels[place] for place in order], least, high)
    for level, place in zip(at, order, strict=True):
        arrow = arrows[place]
        from_near = arrow.segment.sender == known.ends[0]
        colour = style.DATA if from_near else style.ACK
        line = {"arrowstyle": "-", "linewidth": 0.4, "color": colour, "shrinkA": 0, "shrinkB": 0}
        axes.annotate(
            words(arrow.segment, known),
            (1, arrow.device_ms),
            xytext=(1.06, level),
            va="center",
            fontsize=7,
            color=colour,
            annotation_clip=False,
            arrowprops=line | {"relpos": (0, 0.5)},
        )


def spread(levels: list[float], least: float, high: float) -> list[float]:
    """Ascending levels moved apart to at least that distance, down first, then up from the end."""
    moved: list[float] = []
    for level in levels:
        moved.append(max(level, moved[-1] + least) if moved else level)
    limit = high
    for place in range(len(moved) - 1, -1, -1):
        moved[place] = min(moved[place], limit)
        limit = moved[place] - least
    return moved


def words(packet: Segment, known: Judges) -> str:
    """What tcpdump would say of it, without what is the same in every line."""
    if asked := known.asked(packet):
        return asked
    span = f"{packet.seq}:{packet.seq + packet.length}({packet.length})" if packet.length else ""
    flags = "" if packet.flags in (".", "P") else packet.flags
    ack = "" if packet.ack is None else f"ack {packet.ack} win {packet.window}"
    if packet.length:
        ack = ""
    return " ".join(filter(None, [flags, span, ack]))


def _table(arrows: list[Arrow]) -> "pd.DataFrame":
    import pandas as pd

    rows = [(f"{arrow.host_ms:.6f}", *arrow.segment[1:7]) for arrow in arrows]
    columns = ["time_ms", "sender", "seq", "length", "ack", "window", "flags"]
    return pd.DataFrame(rows, columns=columns).astype({"ack": "Int64"})
