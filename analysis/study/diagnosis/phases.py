# SPDX-License-Identifier: GPL-2.0-only
"""Phases of a connection: silences, and parts between them whose rates differ. What limits one of
them need not limit another."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from study.captures.connection import Connection
from study.captures.packets import Packets
from study.diagnosis.track import Track
from study.diagnosis.waits_seen import PATH, PROGRAM, WINDOW

MIN_FRACTION = 0.15  # of all the time: what is shorter is no phase
MIN_SEGMENTS = 50  # of new data: fewer show no rate
RATE_FACTOR = 2.0  # rates that are closer are one
OUTAGE = "outage"


@dataclass(frozen=True)
class Phase:
    """A part of a connection that is in its sender's time."""

    first: int  # rows: from the packet with which it begins ...
    last: int  # ... to that with which the next one does
    from_s: float
    to_s: float
    carried_B: int  # new data
    silence: str  # what was missing, as a limit or an outage; empty where data flow

    @property
    def rate_Bps(self) -> float:
        return self.carried_B / max(self.to_s - self.from_s, 1e-9)


def phases_of(connection: Connection) -> list[Phase]:
    """Return the phases; one where nothing changes."""
    track = Track(connection, connection.bulk_from_client)
    rows = track.segments
    if len(rows) < 2:
        return []
    time_s = track.time / 1e9
    whole_s = float(time_s[rows[-1]] - time_s[rows[0]])
    gaps = np.diff(time_s[rows])
    cuts = [0]
    for quiet in np.flatnonzero(gaps >= MIN_FRACTION * whole_s).tolist():
        cuts += [quiet, quiet + 1]
    cuts.append(len(rows) - 1)
    found = []
    for place, (begin, end) in enumerate(pairwise(cuts)):
        if place % 2:  # between two segments that are neighbours
            silence = _silence(track, int(rows[begin]), int(rows[end]))
            found.append(_phase(track, rows, begin, end, silence))
        elif end > begin:
            found += _even(track, rows, begin, end, MIN_FRACTION * whole_s)
    return found


def part_of(connection: Connection, phase: Phase) -> Connection:
    """Return the packets of a phase, which begin at 0 s."""
    some = Packets.of(connection.packets[phase.first : phase.last + 1])
    some["time_ns"] -= some["time_ns"][0]
    return replace(connection, packets=some, holes=(), whole=connection)


def _phase(track: Track, rows: np.ndarray, begin: int, end: int, silence: str) -> Phase:
    first, last = int(rows[begin]), int(rows[end])
    from_s, to_s = (float(track.time[row] / 1e9) for row in (first, last))
    carried = 0 if silence else int(track.sent[last] - track.sent_before[first])
    return Phase(first, last, from_s, to_s, carried, silence)


def _even(track: Track, rows: np.ndarray, begin: int, end: int, least_s: float) -> Iterator[Phase]:
    """Yield one phase, or two where a straight line with one bend is near and its rates differ."""
    time_s = track.time[rows[begin : end + 1]] / 1e9
    sent = track.sent[rows[begin : end + 1]].astype(float)
    bend = _bend(time_s, sent)
    parts = ((begin, begin + bend), (begin + bend, end)) if bend else ()
    two = [_phase(track, rows, *each, "") for each in parts]
    rates = sorted(each.rate_Bps for each in two)
    if (
        two
        and rates[1] >= RATE_FACTOR * rates[0]
        and all(each.to_s - each.from_s >= least_s for each in two)
        and all(high - low >= MIN_SEGMENTS for low, high in parts)
    ):
        yield from two
    else:
        yield _phase(track, rows, begin, end, "")


def _bend(time_s: np.ndarray, sent: np.ndarray) -> int:
    """Return the place farthest from the straight line between both ends; 0 for too few."""
    if len(time_s) < 2 * MIN_SEGMENTS or time_s[-1] <= time_s[0]:
        return 0
    part = (time_s - time_s[0]) / (time_s[-1] - time_s[0])
    away = (sent - sent[0]) / max(sent[-1] - sent[0], 1.0) - part
    return int(np.argmax(np.abs(away)))


def _silence(track: Track, begin: int, end: int) -> str:
    """Return what was missing: packets that got through, room in the window, or something to
    send."""
    if ((begin < track.repairs) & (track.repairs <= end)).any():
        return OUTAGE
    if track.usable[begin:end].min() < track.packets["length"][end]:
        return WINDOW
    return PATH if track.outstanding[end - 1] > 0 else PROGRAM
