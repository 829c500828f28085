# SPDX-License-Identifier: GPL-2.0-only
"""A transfer's first half, and how fast each half was: parameters are found in the one and judged
on the other."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from study.captures.connection import Connection
from study.diagnosis.transfer import FEW
from study.programs.segments import Segment

LEAST_PACKETS = FEW  # of a connection whose halves mean anything


@dataclass(frozen=True)
class Progress:
    """What both ends had sent, each byte once, at each time."""

    time_s: np.ndarray
    carried_B: np.ndarray

    def second_half_Bps(self) -> float | None:
        """The rate from where half was sent to where all was."""
        if not len(self.carried_B) or self.carried_B[-1] <= 0:
            return None
        middle = int(np.searchsorted(self.carried_B, self.carried_B[-1] / 2))
        last = int(np.searchsorted(self.carried_B, self.carried_B[-1]))
        took_s = float(self.time_s[last] - self.time_s[middle])
        return float(self.carried_B[last] - self.carried_B[middle]) / took_s if took_s > 0 else None


def of_connection(connection: Connection) -> Progress:
    """Of a capture."""
    packets = connection.packets
    ends = packets["seq"] + packets["length"]
    own = [packets["from_client"] == end for end in (True, False)]
    carries = packets["length"] > 0
    return _progress(packets["time_ns"] / 1e9, ends, [each & carries for each in own])


def of_run(segments: Sequence[Segment]) -> Progress:
    """Of a run's segment table."""
    first = segments[0].sender if segments else ""
    times = np.array([each.time_s for each in segments])
    ends = np.array([each.seq + each.length for each in segments])
    carries = np.array([each.length > 0 for each in segments], dtype=bool)
    own = np.array([each.sender == first for each in segments], dtype=bool)
    return _progress(times, ends, [own & carries, ~own & carries])


def _progress(times: np.ndarray, ends: np.ndarray, of_ends: Sequence[np.ndarray]) -> Progress:
    total = np.zeros(len(times), dtype=np.int64)
    for rows in of_ends:
        if rows.any():
            first = ends[rows].min()
            total += np.maximum.accumulate(np.where(rows, ends - first, 0))
    return Progress(times, total)


def first_half(connection: Connection) -> Connection | None:
    """The packets until half of the bytes were sent; None where a half says nothing: too short, or
    with holes."""
    if connection.holes or len(connection.packets) < LEAST_PACKETS:
        return None
    carried = of_connection(connection).carried_B
    middle = int(np.searchsorted(carried, carried[-1] / 2))
    return replace(connection, packets=connection.packets[: middle + 1])
