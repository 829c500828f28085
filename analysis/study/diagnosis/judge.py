# SPDX-License-Identifier: GPL-2.0-only
"""The judge: from the packets of a connection what it waited for, all its life long."""

from dataclasses import replace

import numpy as np

from study.captures.connection import Connection
from study.diagnosis.budget import Budget, cut, joined, within
from study.diagnosis.bulk import judge_bulk
from study.diagnosis.exchange import judge_exchange
from study.diagnosis.kind import is_exchange
from study.diagnosis.large import beginning, is_large, judged_in_parts
from study.diagnosis.track import Known, Track
from study.diagnosis.vantage import Vantage, as_seen_by_sender, find_vantage, line_seen


def budget(
    connection: Connection, vantage: Vantage | None = None, line_Bps: float | None = None
) -> Budget:
    """Split the connection's life into the words of `limits_s`, as its sender saw it. The narrowest
    line's rate is found where queues before it show it; an Ethernet's can be given [B/s]."""
    first = beginning(connection)
    vantage = vantage or find_vantage(first)
    by_turns = is_exchange((Track(first, True, True), Track(first, False, True)))
    del first

    def judge(packets: Connection, known: Known) -> tuple[Budget, Connection]:
        return _judged(packets, vantage, line_Bps, by_turns, known)

    if is_large(connection):
        return judged_in_parts(connection, vantage.rtt_s or 0.0, judge)
    return judge(connection, Known())[0]


def _judged(
    connection: Connection,
    vantage: Vantage,
    line_Bps: float | None,
    by_turns: bool,
    known: Known,
) -> tuple[Budget, Connection]:
    """The same, and the packets in whose time it is."""
    if by_turns:
        ends = (Track(connection, True, True), Track(connection, False, True))
        at = {"sender": connection.bulk_from_client, "receiver": not connection.bulk_from_client}
        found = judge_exchange(ends, at_client=at.get(vantage.at, True))
        return _without_holes(found, connection), connection
    seen = as_seen_by_sender(connection, vantage)
    behind_a_line = line_seen(connection, vantage)
    track = Track(seen, connection.bulk_from_client, known=known)
    found = judge_bulk(track, behind_a_line, line_Bps, vantage.shift_ns > 0)
    return _without_holes(found, seen), seen


def _without_holes(found: Budget, connection: Connection) -> Budget:
    """Nothing is known to have waited where a printed trace leaves packets out."""
    if not connection.holes:
        return found
    place = np.array(connection.holes)
    time = connection.packets["time_ns"]
    spans = joined(np.column_stack((time[place - 1], time[place])))
    waits = cut(found.waits, spans.ravel())
    return replace(found, waits=waits[~within(waits, spans)])
