# SPDX-License-Identifier: GPL-2.0-only
"""A simulated run as the connection that a capture at its host would have shown."""

from collections.abc import Iterable

import numpy as np

from study.captures.connection import ACK, FIN, PACKET, RST, SYN, Connection
from study.programs.segments import Segment

_FLAGS = {"S": SYN, "F": FIN, "R": RST, "P": 8}


def connection_of_run(segments: Iterable[Segment]) -> Connection:
    """The run's segment table (`result.packets`, of a run in full) as a capture."""
    rows = list(segments)
    packets = np.zeros(len(rows), PACKET)
    client = rows[0].sender if rows else "client"
    times = np.array([row.time_s for row in rows])
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
    return Connection(client=client, server=server, packets=packets, resolution_ns=1)


def _flags(row: Segment) -> int:
    bits = sum(_FLAGS.get(flag, 0) for flag in row.flags)
    return bits | (ACK if row.ack is not None else 0)
