# SPDX-License-Identifier: GPL-2.0-only
"""Whether the judge takes a connection for an exchange of commands and replies, or for one bulk
transfer."""

import numpy as np

from study.diagnosis.track import Track

LONG_TURN = 16  # segments; a transfer of more in one turn is a bulk transfer


def is_exchange(ends: tuple[Track, Track]) -> bool:
    """Whether most of what is carried goes in short turns, and both ends have some."""
    client, server = ends
    data = np.flatnonzero(client.data | server.data)
    by_client = client.packets["from_client"][data]
    turn = np.cumsum(np.diff(by_client, prepend=by_client[:1]) != 0) if len(data) else data
    if not len(data) or turn[-1] < 2:
        return False
    carried = np.bincount(turn, _new_bytes(client.packets[data], by_client))
    mss = max(client.mss, server.mss)
    return bool(carried[carried > LONG_TURN * mss].sum() < 0.5 * carried.sum())


def _new_bytes(packets: np.ndarray, by_client: np.ndarray) -> np.ndarray:
    """What each packet adds by its number: so the holes of a printed trace count, too."""
    added = np.zeros(len(packets), np.int64)
    for own in (by_client, ~by_client):
        if own.any():
            begin, end = packets["seq"][own], packets["seq"][own] + packets["length"][own]
            added[own] = np.diff(np.maximum.accumulate(end), prepend=begin[0])
    return added
