# SPDX-License-Identifier: GPL-2.0-only
"""Waits as the packets alone show them, without a model: before each segment of the end that sends
most, whether its window had room, or anything was in flight. They stand where nothing fits, and in
a live session, which has no time to simulate."""

import numpy as np

from study.captures.connection import Connection
from study.diagnosis.track import Track

WINDOW, PROGRAM, PATH = "receive_window", "application", "round_trip"


def waits_seen(connection: Connection, since_ns: int = 0) -> dict[str, float]:
    """Return the time since an instant by what was missing before each packet [s]: room in the
    receiver's window, an ACK of what was in flight, or something to send."""
    track = Track(connection, connection.bulk_from_client)
    if len(track.time) < 2:
        return {}
    time = track.time
    took = np.maximum(time[1:] - np.maximum(time[:-1], since_ns), 0) / 1e9
    # The state behind each packet lasts until the next one; what leaves next needs its room.
    segments = track.segments
    place = np.searchsorted(segments, np.arange(len(time) - 1), side="right")
    is_left = place < len(segments)  # something to send
    next_B = np.zeros(len(place), np.int64)
    next_B[is_left] = track.packets["length"][segments[place[is_left]]]
    outstanding = track.outstanding[:-1] > 0
    # Some window was told, before which none can be full.
    told = np.maximum.accumulate(track.window)[:-1] > 0
    shut = is_left & told & (track.usable[:-1] < next_B)
    sums = {
        WINDOW: float(took[shut].sum()),
        PATH: float(took[outstanding & ~shut].sum()),
        PROGRAM: float(took[~outstanding & ~shut].sum()),
    }
    return {name: seconds for name, seconds in sums.items() if seconds > 0}
