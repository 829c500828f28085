# SPDX-License-Identifier: GPL-2.0-only
"""Behaviour of COMMAND's program at the kernel's end, as parameters of the simulated program. The
program is not compared, so both sides have the same one. All that it wrote is assumed to have been
ready."""

from collections.abc import Iterator

import numpy as np

from study.captures.connection import ACK, SYN, Connection

LARGEST_WRITE_B = 16777216
LEAST_S = 1e-6


def of_a_job(connection: Connection, octets: int) -> dict[str, str]:
    """Return a file-sending program's parameters. Its own time is its mean before a message."""
    size = str(min(octets, LARGEST_WRITE_B))
    writes = {"first_write": size, "write_size": size, "write_returns": "all-fits"}
    return writes | _mean("think_time", [took for _, took in turns(connection)], 0.0)


def of_a_talk(connection: Connection, command_B: int, reply_time_s: float) -> dict[str, str]:
    """Return a command-sending program's parameters. Its time is its mean before a command."""
    before = [took for begin, took in turns(connection) if (begin - 1) % command_B == 0]
    return _mean("client_time", before, reply_time_s)


def turns(connection: Connection) -> Iterator[tuple[int, float]]:
    """Yield the client's first data after the handshake and after each message received: its first
    byte's number, and the time before it in seconds."""
    packets = connection.packets
    client, length = packets["from_client"], packets["length"]
    opened = client & (packets["flags"] & (SYN | ACK) == ACK)
    if not opened.any():
        return
    since_ns = int(packets["time_ns"][int(np.argmax(opened))])
    said = 1
    for row in np.flatnonzero(length > 0):
        begin, end = int(packets["seq"][row]), int(packets["seq"][row] + length[row])
        time_ns = int(packets["time_ns"][row])
        if not client[row]:
            since_ns = time_ns
        elif begin >= said:  # otherwise it is a retransmission
            if since_ns >= 0:
                yield begin, (time_ns - since_ns) / 1e9
            said, since_ns = end, -1


def _mean(key: str, times_s: list[float], less_s: float) -> dict[str, str]:
    """Return the mean time as a parameter, so that the sum stays the same, empty without times."""
    if not times_s:
        return {}
    time_s = max(float(np.mean(times_s)) - less_s, LEAST_S)
    return {key: f"{time_s * 1e6:.1f}us"}
