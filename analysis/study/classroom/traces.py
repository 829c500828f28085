# SPDX-License-Identifier: GPL-2.0-only
"""Film of a source's own trace, beside the same packets of the simulation, on one clock."""

from study.classroom.films import Film, Tables, films, segment_table, tables_of
from study.judging import alignment, notation
from study.system.system import System


def side_by_side(system: System) -> tuple[Film, Film] | None:
    """Return films of the trace's longest piece without a gap and of the same simulated packets.
    Return None without a trace, or if the link is no Ethernet."""
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
    segments = [row.packet.segment for row in piece]
    places = [row.index for row in piece if row.index is not None]
    ends = list(timeline.ends)
    traced = Tables(segment_table(segments), None, result.parameters, ends, (0, len(segments)))
    same = tables_of(result, ends, (min(places), max(places) + 1))
    measured, simulated = films([traced, same])
    # What is in flight in a trace counts from its first packet on.
    measured["begin"] = [[_first(measured, near), _first(measured, near), 0] for near in (1, 0)]
    if timeline.aligned:  # the source does not tell where in the job its numbers are
        _count_as(measured, simulated)
    return measured | {"traced": True}, simulated


def _count_as(measured: Film, simulated: Film) -> None:
    """Shift the simulated sequence numbers to begin where the measured ones begin."""
    shifts = [
        _first(measured, near) - _first(simulated, near) if _first(simulated, near) else 0
        for near in (1, 0)
    ]
    for row in simulated["packets"]:
        own, other = shifts if row[2] else shifts[::-1]
        row[3] += own
        row[5] += other if row[5] >= 0 else 0
    simulated["begin"] = [
        [value + shift for value in begin]
        for begin, shift in zip(simulated["begin"], shifts, strict=True)
    ]


def _first(made: Film, near: int) -> int:
    """Return where the data of an end begin in a film; 0 without any."""
    return next((row[3] for row in made["packets"] if row[2] == near and row[4]), 0)
