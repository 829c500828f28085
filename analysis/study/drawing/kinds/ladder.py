# SPDX-License-Identifier: GPL-2.0-only
"""Ladder diagram of a system's job: packets as arrows between the two ends, time running down."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from study.base.units import bits_per_second
from study.drawing import style
from study.drawing.arrows import Arrow, arrows, draw_arrows, frame, table
from study.drawing.beside_capture import Captured, both, titles
from study.drawing.flow import (
    BEGINNING,
    Flow,
    Span,
    name_of,
    product_of,
    spelt_s,
    stretch_of,
    title_of,
    titled,
)
from study.kit.quantity import Judges
from study.kit.scenario import judges
from study.programs.segments import Segment
from study.system.system import System

ROW_IN = 0.13  # a line of letters
OVER_IN = 1.2  # what stands over and under the ladder itself
MOST_PACKETS = {"column": 45, "page": 45, "slide": 20}  # what there is room for
# On each side; in a column they stand one above the other.
MOST_BESIDE = MOST_PACKETS | {"column": 17, "page": 43}


def draw(system: System, span: Span = BEGINNING) -> style.Drawing:
    """Draw one ladder; every packet has its line of text beside it."""
    result = system.run(segments=True)
    stretch = stretch_of(result.packets, span, system.name)
    packets, part = _first(stretch, MOST_PACKETS[style.size()])
    # Over another link no frame takes the Ethernet's time, and where none is told there is none.
    is_ethernet = result.parameters.get("link", "ethernet") == "ethernet"
    rate = result.parameters.get("link_rate") if is_ethernet else None
    known = judges(system.scenario)
    side = arrows(packets, bits_per_second(rate) if rate else None, known.ends[0])
    height_in = max(2.5, OVER_IN + 0.4 + ROW_IN * len(side) * 1.2)
    figure, axes = style.one(height_in, height_in)
    over = {titled(title_of(system), part): side}
    _ladders([axes], over, known, figure.get_figheight() - OVER_IN)
    caption = (
        f"Ladder diagram of the simulated job, {product_of(system)}{_shown(part)}; time runs down. "
        f"Stamps are those at the {known.ends[0]}; {_slant(packets, bool(rate))}."
    )
    title = f"{product_of(system)}: {_longest(packets)}"
    drawn = table({"simulated": side}).drop(columns="exchange")
    return style.Drawing(figure, drawn, caption, title)


def beside(system: System, span: Span, captured: Captured) -> style.Drawing:
    """Draw a capture and the simulation: the same stretch, one scale of time."""
    known = judges(system.scenario)
    sides = both(system, span, captured)
    shown = {name: _first(flow, MOST_BESIDE[style.size()]) for name, flow in sides.items()}
    drawn = {name: arrows(packets, None, known.ends[0]) for name, (packets, _) in shown.items()}
    parts = {name: part for name, (_, part) in shown.items()}
    count = max(map(len, drawn.values()))
    height_in = max(2.5, 1.2 + ROW_IN * count * 1.2)
    figure, pair = style.beside(2, height_in, 2 * height_in)
    over = {title: drawn[name] for name, title in titles(captured, parts).items()}
    _ladders(pair, over, known, figure.get_figheight() / (2 if style.narrow() else 1) - 1.0)
    caption = (
        f"Ladder diagrams of a capture, {captured.name}, and of the simulated job, "
        f"{name_of(system)}{_shown(*parts.values())}; time runs down, on one scale. Stamps are "
        f"those at the {known.ends[0]}; {_slants([packets for packets, _ in shown.values()])}."
    )
    waits = {name: _longest(packets) for name, (packets, _) in shown.items()}
    title = "; ".join(f"{name}: {wait}" for name, wait in waits.items())
    return style.Drawing(figure, table(drawn), caption, title)


def _ladders(
    panels: Sequence[style.Axes], over: Mapping[str, list[Arrow]], known: Judges, axes_in: float
) -> None:
    """Draw sides by their titles, on one scale of time."""
    times = [at for side in over.values() for each in side for at in (each.near_ms, each.far_ms)]
    room = (max(times) - min(times)) * 0.03 or 0.1
    for axes, (title, side) in zip(panels, over.items(), strict=True):
        frame(axes, min(times) - room, max(times) + room, known.ends)
        draw_arrows(axes, side, known.ends[0])
        _texts(axes, side, known, axes_in)
        axes.set_title(title, loc="left", pad=18)


def _longest(packets: list[Segment]) -> str:
    """Return what a ladder is looked at for: where nothing moves."""
    if len(packets) < 2:
        return "a single packet"
    before, after = max(pairwise(packets), key=lambda pair: pair[1].time_s - pair[0].time_s)
    wait = spelt_s(after.time_s - before.time_s)
    return f"the longest wait is {wait}, before a packet of the {after.sender}"


def _first(stretch: Flow, most: int) -> tuple[list[Segment], str]:
    """As many packets of the stretch as there is room for, and what of the transfer that is."""
    packets = stretch.shown(stretch.packets)
    if len(packets) <= most:
        return packets, stretch.part
    packets = packets[:most]
    return packets, replace(stretch, end_s=packets[-1].time_s).part


def _shown(*parts: str) -> str:
    """For the caption."""
    told = " and ".join(dict.fromkeys(filter(None, parts)))
    return f", {told}" if told else ""


def _slant(packets: list[Segment], has_rate: bool) -> str:
    """Return what it says, for the caption."""
    if any(packet.far_s is not None for packet in packets):
        lost = any(packet.lost for packet in packets)
        cross = "; a packet that ends in a cross is lost" if lost else ""
        return f"the slant is the time on the path, waiting in its queue included{cross}"
    return "the slant is the frame's transmission time" if has_rate else "the slant means nothing"


def _slants(sides: list[list[Segment]]) -> str:
    """Return the same of a capture and a simulation."""
    measured, simulated = sides
    if not any(packet.far_s is not None for packet in measured):
        return _slant(simulated, False)
    lost = any(packet.lost for side in sides for packet in side)
    return (
        "the slant of the measured is half the shortest round trip, as a capture at one end knows "
        "no more, that of the simulated the time on the path, waiting in its queue included"
        + ("; a packet that ends in a cross is lost" if lost else "")
    )


def _texts(axes: style.Axes, side: list[Arrow], known: Judges, axes_in: float) -> None:
    """Right of the ladder, one line a packet, moved down where two would touch; a thin line leads
    from the arrow's end to it."""
    low, high = sorted(axes.get_ylim())
    least = (high - low) * ROW_IN / axes_in
    downwards = sorted(side, key=lambda arrow: arrow.far_ms)
    levels = spread([arrow.far_ms for arrow in downwards], least, high)
    for level, arrow in zip(levels, downwards, strict=True):
        from_near = arrow.segment.sender == known.ends[0]
        colour = style.DATA if from_near else style.ACK
        line = {"arrowstyle": "-", "linewidth": 0.4, "color": colour, "shrinkA": 0, "shrinkB": 0}
        axes.annotate(
            words(arrow.segment, known),
            (1, arrow.far_ms),
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
    """Return what tcpdump would say of it, without what is the same in every line."""
    if asked := known.asked(packet):
        return asked
    span = f"{packet.seq}:{packet.seq + packet.length}({packet.length})" if packet.length else ""
    flags = "" if packet.flags in (".", "P") else packet.flags
    says_ack = packet.ack is not None and not packet.length
    ack = f"ack {packet.ack} win {packet.window}" if says_ack else ""
    return " ".join(filter(None, [flags, span, ack, "lost" if packet.lost else ""]))
