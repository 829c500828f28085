# SPDX-License-Identifier: GPL-2.0-only
"""A connection of more packets than are looked at all at once: numbers are found in the first of
them, and its life is judged in parts."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from study.captures.connection import FIN, RST, Connection, Note
from study.captures.growing import Growing, let_go
from study.captures.growing import pieces as rows
from study.captures.packets import Packets
from study.diagnosis.budget import WAIT, Budget, cut, merged
from study.diagnosis.track import Known

MOST = 250_000  # packets: what is reckoned of them takes some 300 B each
PART = 125_000  # of them in a part at most
# Packets, and round trips, around a part: what its sender knew when it began, and what may still be
# in a queue then.
AROUND, ROUND_TRIPS = 5_000, 4


def is_large(connection: Connection) -> bool:
    """Whether there are too many; a printed trace is short, and may have holes."""
    return len(connection.packets) > MOST and not connection.holes


def beginning(connection: Connection) -> Connection:
    """Its first packets, if there are too many."""
    if not is_large(connection):
        return connection
    first = np.array(connection.packets[:MOST])
    let_go(connection.packets)
    return replace(connection, packets=first, tail_s=0.0, whole=connection)


def whole_of(connection: Connection) -> Connection:
    """Of which these may be the first packets."""
    return connection.whole or connection


def note_on(first: Connection) -> tuple[Note, ...]:
    """That the numbers are of the first packets, and why."""
    if first.whole is None:
        return ()
    sentence = (
        f"parameters, and what was lost, are from the first {len(first.packets):,} of "
        f"{len(first.whole.packets):,} packets, {first.duration_s:,.3f} s: as many as are looked "
        "at in 300 MB of memory; rate, size and the time budget are of all of them"
    )
    return (Note("large", sentence, (int(first.packets["number"][-1]),)),)


def is_closed(connection: Connection) -> bool:
    """Whether either end has closed it."""
    packets = connection.packets
    for piece in rows(len(packets)):
        if (packets[piece]["flags"] & (FIN | RST)).any():
            return True
        let_go(packets)
    return False


def until_acknowledged_s(connection: Connection) -> float:
    """From the first packet until all data of the end that sends most are acknowledged; its
    duration where that is not seen."""
    packets, of_client = connection.packets, connection.bulk_from_client
    end = connection.spans[0 if of_client else 1][1]
    for piece in rows(len(packets)):
        part = packets[piece]
        told = np.flatnonzero((part["from_client"] != of_client) & (part["ack"] >= end))
        if len(told):
            return float(part["time_ns"][told[0]] - packets["time_ns"][0]) / 1e9
        let_go(packets)
    return connection.duration_s


@dataclass(frozen=True)
class Part:
    """Some packets of a connection, with those around them, and of which time they tell [ns]."""

    connection: Connection
    first_ns: int  # of its first packet
    since_ns: int | None  # None from the beginning on
    until_ns: int | None


def parts(connection: Connection, rtt_s: float) -> Iterator[Part]:
    """All of it, in order."""
    packets = connection.packets
    around_ns = int(ROUND_TRIPS * rtt_s * 1e9)
    time, count = packets["time_ns"], len(packets)
    size = min(PART, MOST)
    for begin in range(0, count, size):
        stop = min(begin + size, count)
        since = None if not begin else int(time[begin])
        until = None if stop == count else int(time[stop])
        low, high = max(begin - AROUND, 0), min(stop + AROUND, count)
        while since is not None and low > 0 and time[low] > since - around_ns:
            low = max(low - AROUND, 0)
        while until is not None and high < count and time[high - 1] < until + around_ns:
            high = min(high + AROUND, count)
        some = Packets.of(packets[low:high])
        let_go(packets)
        first_ns = int(some["time_ns"][0])
        some["time_ns"] -= first_ns
        yield Part(replace(connection, packets=some, whole=connection), first_ns, since, until)


Judge = Callable[[Connection, Known], tuple[Budget, Connection]]


def judged_in_parts(connection: Connection, rtt_s: float, judge: Judge) -> Budget:
    """The budget of all its life; `judge` gives a part's, told what is known of those before,
    and the packets in whose time it is."""
    made, found, start_ns = Growing(WAIT), [], None
    for part in parts(connection, rtt_s):
        budget, seen = judge(part.connection, found[-1].known if found else Known())
        waits = budget.waits
        waits["start_ns"] += part.first_ns + _moved_ns(part.connection, seen)
        edges = [each for each in (part.since_ns, part.until_ns) if each is not None]
        waits = cut(waits, np.array(edges, np.int64))
        inside = np.ones(len(waits), bool)
        if part.since_ns is not None:
            inside &= waits["start_ns"] >= part.since_ns
        if part.until_ns is not None:
            inside &= waits["start_ns"] < part.until_ns
        waits = merged(waits[inside])
        if start_ns is None:
            start_ns = int(waits["start_ns"][0])
        waits["start_ns"] -= start_ns
        made.add(waits)
        found.append(replace(budget, waits=np.zeros(0, WAIT)))
    return replace(found[0], waits=made.whole(), **_of_all(found))


def _of_all(found: list[Budget]) -> dict[str, object]:
    """What the parts show otherwise: the least of times, and what is usual."""
    least = [each.least_rtt_s for each in found if each.least_rtt_s is not None]
    rates = [each.line_Bps for each in found if each.line_Bps is not None]
    notes = dict.fromkeys(note for each in found for note in each.notes)
    return {
        "least_rtt_s": min(least, default=None),
        "line_Bps": float(np.median(rates)) if rates else None,
        "reaction_s": max(each.reaction_s for each in found),
        "notes": tuple(notes),
    }


def _moved_ns(captured: Connection, seen: Connection) -> int:
    """How much later the one's first packet is than the other's: what the end that sends less says
    is moved by the same time in both, the one that the clocks of all parts have in common."""
    if seen is captured:
        return 0
    packets, moved = captured.packets, seen.packets
    peer = np.flatnonzero(packets["from_client"] != captured.bulk_from_client)[:1]
    if not len(peer):
        return 0
    there = np.flatnonzero(moved["number"] == packets["number"][peer[0]])[0]
    return int(packets["time_ns"][peer[0]] - moved["time_ns"][there])
