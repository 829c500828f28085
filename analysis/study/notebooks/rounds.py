# SPDX-License-Identifier: GPL-2.0-only
"""Time from each segment of a job to its ACK, which shows the delay that a queue in the path
adds."""

from statistics import median

from study.base.errors import StudyError
from study.base.units import seconds
from study.drawing.flow import Span, stretch_of
from study.system.system import Result


def round_trip_ms(result: Result, begin: str, end: str) -> float:
    """Return the median time in ms from a segment's sending to the ACK of its last byte, over
    segments sent once between `begin` and `end`."""
    if result.origin is None:
        raise StudyError("this result has no system whose packets it could be asked for")
    span = Span(seconds(begin), seconds(end))
    stretch = stretch_of(result.packets, span, result.origin.name)
    sent = zip(stretch.data, stretch.is_repeated(), strict=True)
    again = {packet.seq for packet, is_again in sent if is_again}
    waiting = {p.seq + p.length: p.time_s for p in stretch.data if p.seq not in again}
    times_s = [
        ack.time_s - waiting[ack.ack] for ack in stretch.shown(stretch.acks) if ack.ack in waiting
    ]
    return median(times_s) * 1000
