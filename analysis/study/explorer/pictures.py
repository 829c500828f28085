# SPDX-License-Identifier: GPL-2.0-only
"""The explorer's three pictures, in the colours of the study's figures."""

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from secrets import token_hex

from study.answers import outcome
from study.drawing import style
from study.drawing.arrows import arrows, half_way
from study.drawing.kinds.ladder import spread, words
from study.drawing.kinds.limits import looks
from study.explorer import svg
from study.explorer.curve import Mark, Points
from study.kit import paper
from study.kit.exchange import Repeated
from study.kit.quantity import Judges
from study.programs.labels import spelt
from study.programs.segments import Segment
from study.system.system import Result

WIDTH = 560
BEGINNING, END, NEXT = 12, 6, 2  # so many packets are drawn of a long exchange, and of the next
LEFT, RIGHT, TOP, BOTTOM = 64, WIDTH - 12, 56, 302  # of the curve's axes
GREY, PALE = "#555555", "#e3e3e3"
EDGE = {"stroke": "#000000", "stroke_width": 0.6}
ZERO = 30  # as far from the rest of a logarithmic axis stands a zero
# The line on paper, where it holds and where it does not.
LINES = {True: {"stroke": style.DATA}, False: {"stroke": style.DATA, "stroke_dasharray": "2 4"}}


class _Axis:
    """A logarithmic scale on a stretch of the picture; a zero stands before it, by itself."""

    def __init__(self, numbers: Sequence[float], begin: float, end: float) -> None:
        self._zero = begin if 0 in numbers else None
        if self._zero is not None:
            begin += ZERO
        positive = [number for number in numbers if number > 0] or [1.0]
        self.low, self.high = min(positive), max(positive)
        if self.high / self.low < 4:
            self.low, self.high = self.low / 2, self.high * 2
        self._begin, self._end = begin, end

    def at(self, number: float) -> float:
        if not number and self._zero is not None:
            return self._zero
        share = math.log(max(number, self.low) / self.low) / math.log(self.high / self.low)
        return self._begin + (self._end - self._begin) * min(share, 1.0)

    def ticks(self) -> list[float]:
        """1, 2 and 5 of each power of ten; 1 alone where that would be many. And zero."""
        decades = math.log10(self.high / self.low)
        steps = (1, 2, 5) if decades < 2.2 else (1, 3) if decades < 3.5 else (1,)
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        numbers = [step * 10.0**power for power in powers for step in steps]
        inside = [number for number in numbers if self.low <= number <= self.high]
        return inside if self._zero is None else [0.0, *inside]


def curve(points: Points, result: Result, headline: str) -> str:
    """The figure over one parameter, both logarithmic; what is not there is left out."""
    chosen, formula, measured = points.chosen(result), points.paper(), points.measured()
    simulated = points.simulated()
    ended = [mark for mark in simulated if mark.y]
    marks = [*formula, *ended, *measured, *chosen]
    x = _Axis([mark.x for mark in marks], LEFT, RIGHT)
    y = _Axis([mark.y for mark in marks], BOTTOM, TOP)
    parts = [_grid(x, y, points)]

    def at(mark: Mark) -> svg.Point:
        return x.at(mark.x), y.at(mark.y)

    stretches = list(_stretches(formula, [*simulated, *chosen]))
    for holds, stretch in stretches:
        parts.append(svg.polyline([at(mark) for mark in stretch], **LINES[holds]))
    parts += [_dot(*at(mark), class_="simulated") for mark in ended]
    parts += [_star(*at(mark), class_="measured") for mark in measured]
    parts += [_ring(*at(mark), 7.5, class_="chosen") for mark in chosen]
    parts += [_ring(70, 12, 6), svg.text("chosen", 81, 16)]
    parts += [_dot(142, 12), svg.text("simulated jobs", 150, 16)]
    if measured:
        names = {mark.name for mark in measured}
        which = f": {names.pop()}" if len(names) == 1 else ""
        parts += [_star(255, 12), svg.text(f"measured{which}", 267, 16)]
    if formula:
        parts += [svg.line((64, 29), (84, 29), **LINES[True])]
        parts += [svg.text(f"on paper: {points.paper_note}", 90, 33)]
    if not all(holds for holds, _ in stretches):
        parts += [svg.line((64, 45), (84, 45), **LINES[False])]
        note = f"the same where simulated jobs are more than {paper.CLOSE_PCT:g} % off"
        parts += [svg.text(note, 90, 49)]
    label = f"{points.figure} against {points.label}; chosen: {points.here}, {headline}"
    return svg.picture(WIDTH, BOTTOM + 44, label, *parts)


def _dot(x: float, y: float, **attributes: str) -> str:
    return svg.element("circle", cx=x, cy=y, r=3.2, fill="#000000", **attributes)


def _star(x: float, y: float, **attributes: str) -> str:
    return svg.star(x, y, 9, fill="#F0E442", stroke="#000000", **attributes)


def _ring(x: float, y: float, radius: float, **attributes: str) -> str:
    ring = {"fill": "none", "stroke": "#D55E00", "stroke_width": 2.5}
    return svg.element("circle", cx=x, cy=y, r=radius, **ring, **attributes)


def _stretches(formula: list[Mark], jobs: list[Mark]) -> Iterator[tuple[bool, list[Mark]]]:
    """The line on paper, cut where a simulated job beside it says something else."""
    simulated = {mark.x: mark.y for mark in jobs}
    known = [mark for mark in formula if mark.x in simulated]
    wrong = {
        mark.x
        for mark in known
        if not simulated[mark.x] or not paper.holds(mark.y, simulated[mark.x])
    }
    places = [mark.x for mark in known]

    def holds(pair: tuple[Mark, Mark]) -> bool:
        place = bisect_right(places, pair[0].x)
        return wrong.isdisjoint(places[max(place - 1, 0) : place + 1])

    for same, pairs in groupby(pairwise(formula), holds):
        both = list(pairs)
        yield same, [both[0][0], *(end for _, end in both)]


def _grid(x: _Axis, y: _Axis, points: Points) -> str:
    parts = []
    for number in x.ticks():
        if shown := points.shown(number):
            at = x.at(number)
            parts.append(svg.line((at, TOP), (at, BOTTOM), stroke=PALE))
            parts.append(svg.text(shown, at, BOTTOM + 15, text_anchor="middle", font_size=11))
    for number in y.ticks():
        at = y.at(number)
        parts.append(svg.line((LEFT, at), (RIGHT, at), stroke=PALE))
        parts.append(svg.text(f"{number:g}", LEFT - 6, at + 4, text_anchor="end", font_size=11))
    parts.append(svg.line((LEFT, TOP), (LEFT, BOTTOM), stroke=GREY))
    parts.append(svg.line((LEFT, BOTTOM), (RIGHT, BOTTOM), stroke=GREY))
    middle = {"text_anchor": "middle"}
    parts.append(svg.text(points.label, (LEFT + RIGHT) / 2, BOTTOM + 36, **middle))
    turned = f"translate(14 {(TOP + BOTTOM) / 2:g}) rotate(-90)"
    parts.append(svg.text(points.figure, 0, 0, **middle, transform=turned))
    return "".join(parts)


def ladder(
    exchange: Repeated, packets: Sequence[Segment], known: Judges, rate_bps: float | None
) -> str:
    """What the job repeats, once, and how the next begins; time runs down."""
    row, top, bottom, near, far = 15, 30, 26, 70, 250
    ends = known.ends
    shown, left_out = _shown(exchange, packets)
    drawn = arrows(shown, rate_bps, ends[0])
    times = [time for arrow in drawn for time in (arrow.near_ms, arrow.far_ms)]
    low, high = min(times), max(times) or 1.0
    height = max(300, top + bottom + row * (len(drawn) + 2))

    def y(time_ms: float) -> float:
        return top + 8 + (time_ms - low) / ((high - low) or 1.0) * (height - top - bottom - 16)

    parts = [
        svg.line((x, top), (x, height - bottom), stroke=GREY, stroke_width=1.5) for x in (near, far)
    ]
    for name, x in zip(ends, (near, far), strict=True):
        parts.append(svg.text(name, x, top - 10, text_anchor="middle", font_weight="bold"))
    downwards = sorted(drawn, key=lambda arrow: arrow.far_ms)
    levels = spread([y(arrow.far_ms) for arrow in downwards], row, height - bottom)
    for level, arrow in zip(levels, downwards, strict=True):
        first = arrow.segment.sender == ends[0]
        start, end = (near, y(arrow.near_ms)), (far, y(arrow.far_ms))
        colour, dash = (style.DATA, "none") if first else (style.ACK, "6 3")
        tail = (start, end) if first else (end, start)
        if arrow.segment.lost:
            tail = (start, half_way(start, end))
            parts.append(svg.cross(*tail[1], 5, colour))
        parts.append(svg.arrow(*tail, colour, stroke_width=1.5, stroke_dasharray=dash))
        thin = {"stroke": colour, "stroke_width": 0.5}
        parts.append(svg.line(end, (far + 18, level - 4), **thin))
        parts.append(svg.text(words(arrow.segment, known), far + 22, level, fill=colour))
    parts.append(svg.text("0 ms", near - 6, y(drawn[0].near_ms) + 4, text_anchor="end"))
    last_ms = max(arrow.near_ms for arrow in drawn)
    span = f"{last_ms - drawn[0].near_ms:.4g} ms"
    parts.append(svg.text(span, near - 6, y(last_ms) + 4, text_anchor="end", font_size=11))
    if left_out:
        note = f"{left_out} packets in the middle are left out"
        parts.append(svg.text(note, far + 22, height - 8, font_size=11))
    label = "Ladder diagram of one exchange: " + "; ".join(exchange.lines())
    return svg.picture(WIDTH, height, label, *parts)


def _shown(exchange: Repeated, packets: Sequence[Segment]) -> tuple[list[Segment], int]:
    """What is drawn, and how many packets are not: always its end, and how it goes on."""
    begin_s, next_s = exchange.span_s
    own = [packet for packet in packets if begin_s <= packet.time_s < next_s]
    following = [packet for packet in packets if packet.time_s >= next_s][:NEXT]
    if len(own) <= BEGINNING + END:
        return [*own, *following], 0
    return [*own[:BEGINNING], *own[-END:], *following], len(own) - BEGINNING - END


def bar(result: Result) -> str:
    """The job's time by what it was spent on; the legend names every part from half a percent on,
    in the order of the bar."""
    shares = {key: outcome.share_pct(result.limits_s, key) for key in result.limits_s}
    parts, named, x = [], [], 0.0
    own = token_hex(4)  # another explorer on the page may have other hatches, or be hidden
    for limit, look in looks([key for key, share in shares.items() if share]).items():
        width, name = shares[limit] / 100 * WIDTH, f"hatch-{own}-{limit}"
        parts.append(svg.hatch(name, *look))
        colour = f"url(#{name})"
        box = {"width": width, "height": 34, "fill": colour} | EDGE
        parts.append(svg.element("rect", x=x, y=2, **box, data_limit=limit))
        x += width
        if shares[limit] >= 0.5:
            named.append((f"{spelt(limit)} {shares[limit]:.1f} %", colour))
    for place, (name, colour) in enumerate(named):
        left, top = place % 3 * (WIDTH / 3), 58 + place // 3 * 20
        box = {"width": 20, "height": 12, "fill": colour} | EDGE
        parts.append(svg.element("rect", x=left + 1, y=top - 11, **box))
        parts.append(svg.text(name, left + 26, top, font_size=11))
    height = 66 + (max(len(named), 1) - 1) // 3 * 20
    label = "What the job's time went to: " + ", ".join(name for name, _ in named)
    return svg.picture(WIDTH, height, label, *parts)
