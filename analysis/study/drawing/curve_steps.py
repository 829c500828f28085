# SPDX-License-Identifier: GPL-2.0-only
"""Further jobs where a curve goes in steps: each step is narrowed until the last job before it and
the first after it are known."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from math import log

from study.drawing.gaps import Gap, gaps
from study.drawing.lists import Jobs, Point, number_of
from study.kit.chance import drawn
from study.programs import values
from study.programs.declaration import Parameter, declaration
from study.runs.batch import try_batch
from study.runs.profiles import HOST
from study.runs.workers import Failure

JUMP = log(1.05)  # between two jobs; a smaller one is not looked into
SMOOTH = 0.1  # of a jump: as near to a straight line the job between is no step
FIRST_SPLIT = 0.38  # not in the middle, where two equal steps would look like a straight line
SAME = 1.005  # times and rates as near to each other as this are taken for one place
MOST_ADDED = 240  # jobs of a figure


@dataclass(frozen=True)
class _Stretch:
    """Two neighbouring jobs between which there may be a step."""

    low: Point
    high: Point
    gap: Gap
    is_split: bool = False

    @property
    def jump(self) -> float:
        first, last = self.gap.ends[1]
        return abs(log(last / first)) if first > 0 and last > 0 else 0.0


def refined(found: Jobs) -> Jobs:
    """Add jobs to curves over a number until both sides of each step are known, or MOST_ADDED of
    them were run. A curve that chance has a part in stays as it is."""
    (key,) = found.vary
    if key == HOST:
        return found
    parameter = declaration(found.system.scenario).parameter(key)
    if not values.is_number(parameter) or _by_chance(found.points):
        return found
    column = list(found.points[0].at)[-1]
    added: list[Point] = []
    open_: list[_Stretch] = []
    for curve in _curves(found):
        beyond = [
            (each, text)
            for each in _stretches(found, curve, column)
            if each.gap.has_form
            for text in _beyond(found, parameter, each, column)
        ]
        points = _run(found, key, column, beyond)
        added += points
        ended = [each for each in points if each.result and number_of(each.result, found.y)]
        parts = _stretches(found, [*curve, *ended], column)
        open_ += [each for each in parts if each.jump > JUMP and not each.gap.has_form]
    while open_ and len(added) < MOST_ADDED:
        open_.sort(key=lambda each: -each.jump)
        wanted = []
        for each in open_[: MOST_ADDED - len(added)]:
            if text := _between(parameter, each, key):
                wanted.append((each, text))
        points = _run(found, key, column, wanted)
        added += points
        open_ = [
            part
            for (stretch, _), point in zip(wanted, points, strict=True)
            for part in _halves(found, stretch, point, column)
        ]
    return replace(found, points=(*found.points, *added))


def _by_chance(points: Iterable[Point]) -> bool:
    return any(drawn(each.system, each.result.record) for each in points if each.result)


def _curves(found: Jobs) -> Iterable[list[Point]]:
    """Yield the finished jobs of each curve."""

    def curve(point: Point) -> tuple:
        return tuple(list(point.at.values())[:-1])

    ended = [each for each in found.points if each.result and number_of(each.result, found.y)]
    for _, points in groupby(ended, curve):
        yield list(points)


def _stretches(found: Jobs, points: Sequence[Point], column: str) -> list[_Stretch]:
    """Return the gaps of a curve from left to right."""
    points = sorted(points, key=lambda each: float(each.at[column]))
    return [_stretch(found, low, high, column) for low, high in pairwise(points)]


def _beyond(found: Jobs, parameter: Parameter, stretch: _Stretch, column: str) -> list[str]:
    """Return the value at which a closed form that holds at both ends leaves most what lies between
    them, upwards or downwards: a job there says whether it does."""
    low, high = sorted(stretch.gap.form)
    line = [each for each in found.paper_line([stretch.low, stretch.high]) if each[1] > 0]
    far = {x: abs(log(y / min(max(y, low), high))) for x, y in line}
    x = max(far, key=far.__getitem__, default=None)
    if x is None or far[x] <= JUMP or not stretch.low.at[column] < x < stretch.high.at[column]:
        return []
    return [values.from_base(parameter, x).text]


def _stretch(found: Jobs, low: Point, high: Point, column: str, is_split: bool = False) -> _Stretch:
    xs = [float(each.at[column]) for each in (low, high)]
    ys = [number_of(each.result, found.y) for each in (low, high)]
    form = [found.on_paper(each.system) if found.is_judged else None for each in (low, high)]
    return _Stretch(low, high, gaps((xs, ys), form)[0], is_split)


def _between(parameter: Parameter, stretch: _Stretch, key: str) -> str:
    """Return a value between the two, canonical; empty where there is none, or none that
    matters."""
    ends = [
        values.smallest(parameter, each.system.parameters()[key])
        for each in (stretch.low, stretch.high)
    ]
    low, high = ends
    if parameter.type == "integer" and high - low <= 1:
        return ""
    if parameter.type != "integer" and low > 0 and high / low <= SAME:
        return ""
    part = 0.5 if stretch.is_split else FIRST_SPLIT
    text = values.from_smallest(parameter, low + (high - low) * part).text
    return "" if values.smallest(parameter, text) in ends else text


def _run(found: Jobs, key: str, column: str, wanted: Sequence[tuple[_Stretch, str]]) -> list[Point]:
    systems = [stretch.low.system.with_(**{key: text}) for stretch, text in wanted]
    flags = [each.flags() for each in systems]
    records = try_batch(found.system.scenario, flags, found.system.name)
    parameter = declaration(found.system.scenario).parameter(key)
    return [
        Point(
            {**stretch.low.at, column: values.read(parameter, text).number},
            system,
            None if isinstance(record, Failure) else system.result(record),
            is_asked=False,
        )
        for (stretch, text), system, record in zip(wanted, systems, records, strict=True)
    ]


def _halves(found: Jobs, stretch: _Stretch, point: Point, column: str) -> list[_Stretch]:
    """Return what is left to look into on either side of a job: nothing on a straight line."""
    if point.result is None or not (y := number_of(point.result, found.y)):
        return []
    (low, high), (first, last) = stretch.gap.ends
    at = float(point.at[column])
    straight = first + (last - first) * (at - low) / (high - low)
    if abs(y - straight) <= SMOOTH * abs(last - first):
        return []
    pairs: Mapping = {stretch.low.at[column]: (stretch.low, point), at: (point, stretch.high)}
    parts = [_stretch(found, *pair, column, is_split=True) for pair in pairs.values()]
    return [each for each in parts if each.jump > JUMP and not each.gap.has_form]
