# SPDX-License-Identifier: GPL-2.0-only
"""Stills of a film: the packets in flight at three moments of an exchange, the outstanding
bytes, and each end's wait. The class page plays them as a film; a notebook can print them."""

from collections.abc import Sequence
from dataclasses import dataclass

from study.base.units import bits_per_second, seconds
from study.drawing import style
from study.drawing.arrows import arrows
from study.drawing.flow import name_of, spelt_s
from study.drawing.kinds.limits import looks
from study.drawing.style import Drawing
from study.front import words
from study.kit.quantity import Judges
from study.kit.scenario import judges
from study.notebooks.pictures import Picture
from study.programs.segments import Segment
from study.system.system import Result, System

ROW_IN = 1.25  # height of a moment in inches
SPAN = 40  # number of packets in which to find the longest silence
LEFT, RIGHT = 0.1, 0.9  # inner sides of the ends, as fractions of the width
TRACKS = (0.84, 0.6)  # heights of the tracks: from the near end, and to it
LONG, HIGH = (0.05, 0.022), 0.07  # lengths of a packet with data and without; half its height
WORD_GAP = 0.12  # least distance between two packets' labels


@dataclass(frozen=True)
class Seen:
    """A packet with its times at both ends."""

    packet: Segment
    sent_s: float
    came_s: float
    is_near: bool  # whether the near end sent it


@dataclass(frozen=True)
class Moment:
    """An instant of the job."""

    at_s: float
    moving: Sequence[Seen]
    in_flight_B: int
    window_B: int
    waits: str  # the limit's name, or empty
    end: str  # the end that waits


def moments(system: System, begin: str = "0s") -> Picture:
    """Draw three moments of a job after `begin`: a data packet in flight, the longest silence after
    it, and the packet that ends the silence."""
    result = system.run(segments=True, waits=True)
    ends = judges(system.scenario).ends
    seen = _seen(result, ends[0])
    told = [_moment(result, seen, at_s) for at_s in _instants(seen, seconds(begin))]
    with style.house():
        return Picture(_drawn(system, told, judges(system.scenario)))


def _seen(result: Result, near: str) -> list[Seen]:
    """Return every packet with both times. If the link does not report arrivals, they are computed
    from transmission time and delay."""
    told = result.parameters
    is_told = any(packet.far_s is not None for packet in result.packets)
    rate_bps = None if is_told else bits_per_second(told["link_rate"])
    delay_s = 0.0 if is_told else seconds(told["link_delay"])
    found = []
    for arrow in arrows(result.packets, rate_bps, near):
        is_near = arrow.segment.sender == near
        far_s = arrow.far_ms / 1000 + (delay_s if is_near else -delay_s)
        times_s = [arrow.segment.time_s, far_s]
        found.append(Seen(arrow.segment, *(times_s if is_near else times_s[::-1]), is_near))
    return found


def _instants(seen: Sequence[Seen], from_s: float) -> list[float]:
    data = [each for each in seen if each.sent_s >= from_s and each.packet.length]
    first = min(data or seen[-1:], key=lambda each: each.sent_s)
    later = sorted((each for each in seen if each.sent_s >= first.sent_s), key=lambda e: e.sent_s)
    arrived, gaps = first.came_s, []
    for each in later[1:SPAN]:
        gaps.append((each.sent_s - arrived, arrived, each))
        arrived = max(arrived, each.came_s)
    if not gaps:
        return [_half_way(first)]
    silence_s, since_s, ends_it = max(gaps, key=lambda gap: gap[0])
    before = [each for each in later if each.came_s <= since_s] or [first]
    last = max(before, key=lambda each: each.came_s)
    if silence_s <= 0:
        return [_half_way(first)]
    return [_half_way(last), since_s + silence_s / 2, _half_way(ends_it)]


def _sends_data(seen: Sequence[Seen]) -> bool:
    """Return whether the near end sends most of the data."""
    lengths = [each.packet.length * (1 if each.is_near else -1) for each in seen]
    return sum(lengths) >= 0


def _half_way(each: Seen) -> float:
    return (each.sent_s + each.came_s) / 2


def _moment(result: Result, seen: Sequence[Seen], at_s: float) -> Moment:
    near = _sends_data(seen)
    sent, acked, permitted = _known(
        [each for each in seen if (each.sent_s if each.is_near == near else each.came_s) <= at_s],
        near,
    )
    moving = [each for each in seen if each.sent_s <= at_s <= each.came_s]
    wait = next((each for each in reversed(result.waits) if each.from_s <= at_s), None)
    limit, end = (wait.limit, wait.end) if wait else ("", "")
    return Moment(at_s, moving, max(0, sent - acked), permitted - acked, limit, end)


def _known(before: Sequence[Seen], near: bool) -> list[int]:
    """Return for one end the end of its sent data, the highest ACK that it has received, and the
    right edge of the window."""
    own = [each.packet for each in before if each.is_near == near]
    heard = [
        (each.came_s, each.packet.ack, each.packet.window)
        for each in before
        if each.is_near != near and each.packet.ack is not None and not each.packet.lost
    ]
    sent = max((p.seq + p.length for p in own if p.length), default=0)
    acked = max((ack for _, ack, _ in heard), default=0)
    windows = [ack + window for _, ack, window in sorted(heard) if ack == acked]
    return [sent, acked, windows[-1] if windows else 0]


def _drawn(system: System, told: Sequence[Moment], known: Judges) -> Drawing:
    import pandas as pd

    figure = style.figure(ROW_IN * len(told) + 0.1)
    rows = figure.subplots(len(told), 1, squeeze=False)[:, 0]
    most_B = max(max(each.in_flight_B, each.window_B) for each in told) or 1
    for n, (axes, moment) in enumerate(zip(rows, told, strict=True)):
        axes.set(xlim=(0, 1), ylim=(0, 1))
        axes.set_axis_off()
        since_s = moment.at_s - told[n - 1].at_s if n else None
        _stage(axes, moment, known, since_s)
        _below(axes, moment, most_B, known)
    table = pd.DataFrame(
        [
            (each.at_s, len(each.moving), each.in_flight_B, each.window_B, each.waits, each.end)
            for each in told
        ],
        columns=["at_s", "packets_moving", "in_flight_B", "window_B", "waits_for", "who_waits"],
    )
    count = {1: "One moment", 3: "Three moments"}[len(told)]
    caption = (
        f"{count} of the simulated job, {name_of(system)}: what is in flight, how much of what "
        "the receiver permits is in flight, and who waits for what. The classroom page plays it."
    )
    return Drawing(figure, table, caption)


def _stage(axes: style.Axes, moment: Moment, known: Judges, since_s: float | None) -> None:
    ends = known.ends
    for x, name in ((0, ends[0]), (RIGHT, ends[1])):
        box = {"width": LEFT, "height": 0.5, "fill": False, "edgecolor": "0.4", "linewidth": 0.8}
        axes.add_patch(_patches().Rectangle((x, 0.48), **box))
        axes.text(x + LEFT / 2, 0.73, name, ha="center", va="center", weight="bold", fontsize=7)
    for y in TRACKS:
        axes.plot([LEFT, RIGHT], [y, y], color="0.8", linewidth=0.8, zorder=0)
    written: list[float] = []  # positions of labels, in each direction
    for each in moment.moving:
        _packet(axes, each, moment.at_s, known, written)
    if not moment.moving:
        axes.text(0.5, 0.72, "nothing moves", ha="center", va="center", color="0.3")
    axes.text(0, 0.3, f"{moment.at_s:.4f} s", va="center", weight="bold")
    if since_s is not None:
        axes.text(0, 0.08, f"{spelt_s(since_s)} later", va="center")


def _packet(axes: style.Axes, each: Seen, at_s: float, known: Judges, written: list[float]) -> None:
    part = (at_s - each.sent_s) / ((each.came_s - each.sent_s) or 1)
    ahead, y = (1, TRACKS[0]) if each.is_near else (-1, TRACKS[1])
    long = LONG[0 if each.packet.length else 1]
    way = RIGHT - LEFT - long
    tail = LEFT + part * way if each.is_near else RIGHT - part * way
    tip = tail + ahead * long
    corners = [(tail, y - HIGH), (tip - ahead * 0.01, y - HIGH), (tip, y)]
    corners += [(tip - ahead * 0.01, y + HIGH), (tail, y + HIGH)]
    colour = style.DATA if each.packet.length else style.ACK
    axes.add_patch(_patches().Polygon(corners, facecolor=colour, edgecolor="white", linewidth=0.4))
    middle = ahead * (tail + tip) / 2  # positions in one of the two directions are negative
    if any(abs(middle - other) < WORD_GAP for other in written):
        return
    written.append(middle)
    said = f"{each.packet.length:,} B" if each.packet.length else _answer(each, known)
    above = {"va": "bottom"} if each.is_near else {"va": "top"}
    at = (abs(middle), y + ahead * (HIGH + 0.02))
    axes.text(*at, said, ha="center", color=colour, fontsize=7, **above)


def _answer(each: Seen, known: Judges) -> str:
    if known.asked(each.packet):
        return words.text("film.request", f"{each.packet.window:,} B")
    return each.packet.control if each.packet.ack is None else f"ACK {each.packet.ack:,}"


def _below(axes: style.Axes, moment: Moment, most_B: int, known: Judges) -> None:
    left, width = 0.24, 0.3
    bar = {"height": 0.13, "linewidth": 0.6}
    room, own = (width * part / most_B for part in (moment.window_B, moment.in_flight_B))
    rectangle = _patches().Rectangle
    axes.add_patch(rectangle((left, 0.24), room, facecolor="0.9", edgecolor="0.3", **bar))
    axes.add_patch(rectangle((left, 0.24), own, facecolor=style.DATA, **bar))
    axes.text(left - 0.015, 0.3, words.text("player.inFlight"), ha="right", va="center")
    level = words.text(
        "player.windowOf",
        f"{moment.in_flight_B:,} B",
        f"{moment.window_B:,} B",
        words.text("player.asked" if known.asks else "player.window"),
    )
    axes.text(left + width + 0.015, 0.3, level, va="center")
    if moment.waits:
        colour, hatch = looks([moment.waits])[moment.waits]
        swatch = {"facecolor": colour, "hatch": hatch, "edgecolor": "black", **bar}
        axes.add_patch(rectangle((left, 0.02), 0.03, **swatch))
        said = words.text(f"limits.{moment.waits}")
        who = f"{moment.end}: " if moment.end else ""
        axes.text(left + 0.045, 0.08, f"{who}{said}", va="center", weight="bold")


def _patches():
    from matplotlib import patches

    return patches
