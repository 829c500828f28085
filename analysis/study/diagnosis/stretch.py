# SPDX-License-Identifier: GPL-2.0-only
"""Stretch of a connection that is simulated: all of it, or the part with the largest waits."""

from dataclasses import replace

import numpy as np

from study.captures import growing
from study.captures.connection import Connection, Note
from study.captures.packets import Packets
from study.diagnosis.phases import RATE_FACTOR

MOST_SEGMENTS = 1200  # of data, of both ends: a run of them takes some 30 ms


def beginning(connection: Connection) -> Connection:
    """Return the first packets, where there are too many to look at all at once: what is reckoned
    of each takes some 300 B."""
    if len(connection.packets) <= growing.IN_MEMORY or connection.holes:
        return connection
    first = np.array(connection.packets[: growing.IN_MEMORY])
    growing.let_go(connection.packets)
    return replace(connection, packets=first, whole=connection)


def note_on(first: Connection) -> tuple[Note, ...]:
    """Say that the facts are of the first packets, and why."""
    if first.whole is None:
        return ()
    sentence = (
        f"the facts are from the first {len(first.packets):,} of {len(first.whole.packets):,} "
        f"packets, {first.duration_s:,.3f} s: as many as are looked at in 300 MB of memory"
    )
    return (Note("large", sentence),)


def stretch_of(connection: Connection) -> Connection:
    """Return the packets of the stretch, which begin at 0 s; the connection itself if it is
    short."""
    p = connection.packets
    data = np.flatnonzero(p["length"] > 0)
    if len(data) <= MOST_SEGMENTS:
        return connection
    starts = np.arange(0, len(data) - MOST_SEGMENTS + 1, MOST_SEGMENTS // 4)
    took = p["time_ns"][data[starts + MOST_SEGMENTS - 1]] - p["time_ns"][data[starts]]
    # The beginning is taken where it is nearly as slow: its handshake is known.
    place = 0 if RATE_FACTOR * took[0] >= took.max() else int(np.argmax(took))
    begin = 0 if place == 0 else int(data[starts[place]])
    end = int(data[starts[place] + MOST_SEGMENTS - 1]) + 1
    some = Packets.of(p[np.concatenate((np.arange(begin, end), _last_acks(p, begin, end)))])
    some["time_ns"] -= some["time_ns"][0]
    for of_client in (True, False):  # nothing of what was sent later is acknowledged
        told = some["from_client"] != of_client
        own = ~told & (some["length"] > 0)
        if own.any():
            top = (some["seq"][own] + some["length"][own]).max()
            some["ack"][told] = np.minimum(some["ack"][told], top)
    holes = tuple(hole - begin for hole in connection.holes if begin < hole < end)
    return replace(connection, packets=some, holes=holes, whole=connection)


def _last_acks(p: Packets, begin: int, end: int) -> np.ndarray:
    """Rows behind a stretch that acknowledge its data, without the data sent meanwhile: a job of
    its size ends with them."""
    found = []
    for of_client in (True, False):
        own = begin + np.flatnonzero(p["from_client"][begin:end] == of_client)
        sent = own[p["length"][own] > 0]
        if not len(sent):
            continue
        top = int((p["seq"][sent] + p["length"][sent]).max())
        later = end + np.flatnonzero((p["from_client"][end:] != of_client) & (p["ack"][end:] >= 0))
        whole = np.flatnonzero(p["ack"][later] >= top)
        later = later[: whole[0] + 1] if len(whole) else later[:0]
        found.append(later[p["length"][later] == 0])
    return np.unique(np.concatenate(found)) if found else np.zeros(0, int)
