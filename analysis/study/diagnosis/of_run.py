# SPDX-License-Identifier: GPL-2.0-only
"""A simulated run as the connection that a capture at its host would have shown."""

from collections.abc import Iterable

import numpy as np

from study.captures.connection import ACK, LETTERS, PACKET, Connection
from study.programs.segments import Segment


def connection_of_segments(segments: Iterable[Segment], at_device: bool = False) -> Connection:
    """Return the run's segment table (`result.packets`) as a capture."""
    rows = list(segments)
    client = rows[0].sender if rows else "client"
    if at_device:
        rows = sorted((row for row in rows if row.far_s is not None), key=lambda row: row.far_s)
    times = np.array([row.far_s if at_device else row.time_s for row in rows])
    times -= times[0] if len(times) else 0.0
    packets = np.zeros(len(rows), PACKET)
    packets["number"] = np.arange(1, len(rows) + 1)
    packets["time_ns"] = np.round(times * 1e9).astype(np.int64)
    packets["from_client"] = [row.sender == client for row in rows]
    packets["seq"] = [row.seq for row in rows]
    packets["length"] = [row.length for row in rows]
    packets["ack"] = [-1 if row.ack is None else row.ack for row in rows]
    packets["window"] = [row.window for row in rows]
    packets["flags"] = [_flags(row) for row in rows]
    for name in ("ts_value", "ts_echo", "sacked_from", "sacked_to"):
        packets[name] = -1
    server = next((row.sender for row in rows if row.sender != client), "server")
    return Connection(client, server, packets)


def _flags(row: Segment) -> int:
    bits = sum(LETTERS.get(flag, 0) for flag in row.flags)
    return bits | (ACK if row.ack is not None else 0)
