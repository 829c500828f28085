# SPDX-License-Identifier: GPL-2.0-only
"""Film of a source's own trace, beside the same packets of the simulation, on one clock."""

from collections.abc import Sequence
from typing import Any

from study.base.units import bits_per_second, seconds
from study.classroom import exchange
from study.classroom.film import Film, film, packets_of
from study.drawing.arrows import arrows
from study.judging import alignment, notation
from study.programs.segments import Segment
from study.system.system import System


def side_by_side(system: System) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """The longest piece of the trace that stands without a gap, and the simulated packets that are
    the same; none of a system without a trace, or whose way is more than one line."""
    if system.trace is None or system.parameters().get("link") != "ethernet":
        return None
    timeline = notation.read(system.trace)
    result = system.run(segments=True, waits=True)
    rows = alignment.compare(timeline, result.packets)
    pieces: dict[int, list[alignment.Row]] = {}
    for row in rows:
        pieces.setdefault(row.packet.fragment, []).append(row)
    known = [piece for piece in pieces.values() if all(row.index is not None for row in piece)]
    if not known:
        return None
    piece = max(known, key=lambda rows: sum(row.packet.segment.length for row in rows))
    places = [row.index for row in piece if row.index is not None]
    shown = range(min(places), max(places) + 1)
    simulated = film(result, timeline.ends, exchange.far_s(result, timeline.ends), shown)
    measured = _film(system, [row.packet.segment for row in piece], timeline.ends)
    said = {"ends": list(timeline.ends)}
    if timeline.aligned:  # the source does not tell where in the job its numbers are
        _count_as(measured, simulated)
    return measured.data() | said | {"traced": True}, simulated.data() | said


def _count_as(measured: Film, simulated: Film) -> None:
    """The simulated numbers from where the measured ones begin."""
    shifts = [
        _first(measured, near) - _first(simulated, near) if _first(simulated, near) else 0
        for near in (1, 0)
    ]
    for row in simulated.packets:
        own, other = shifts if row[2] else shifts[::-1]
        row[3] = int(row[3]) + own
        row[5] = int(row[5]) + other if int(row[5]) >= 0 else -1
    simulated.begin = [
        [value + shift for value in begin]
        for begin, shift in zip(simulated.begin, shifts, strict=True)
    ]


def _first(made: Film, near: int) -> int:
    """Where the data of an end begin in a film; 0 without any."""
    return next((int(row[3]) for row in made.packets if row[2] == near and row[4]), 0)


def _film(system: System, segments: Sequence[Segment], ends: Sequence[str]) -> Film:
    """Of what the trace shows; in flight counts from its first packet on."""
    parameters = system.parameters()
    rate_bps = bits_per_second(parameters["link_rate"])
    delay_s = seconds(parameters["link_delay"])
    way_s = {ends[0]: delay_s, ends[1]: -delay_s}
    far_s = [
        arrow.far_ms / 1000 + way_s[arrow.segment.sender]
        for arrow in arrows(segments, rate_bps, ends[0])
    ]
    made = packets_of(segments, ends, far_s, range(len(segments)))
    made.rate = round(rate_bps)
    for place, end in enumerate(ends):
        first = next((p.seq for p in segments if p.sender == end and p.length), 0)
        made.begin[place] = [first, first, 0]
    return made
