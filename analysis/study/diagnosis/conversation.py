# SPDX-License-Identifier: GPL-2.0-only
"""Writes of both ends' programs, as far as packets show that no ACK brought them: a conversation
that a simulation can take its turns from."""

from dataclasses import dataclass

import numpy as np

from study.captures.connection import Connection
from study.diagnosis.facts import SLACK, SOON_S
from study.programs.declaration import declaration
from study.programs.values import SECOND, limits

MOST_TURNS = 4000  # a run of more takes longer than whoever asks will wait


@dataclass
class Turn:
    """A write, as its first and last packets show it at the near end."""

    of_client: bool
    wait_s: float
    size_B: int
    begin_s: float
    last_s: float

    def text(self) -> str:
        """As the program takes it."""
        wait_us = round(min(max(self.wait_s, 0.0), most_wait_s()) * 1e6)
        return f"{'c' if self.of_client else 's'}{wait_us}:{self.size_B}"


def most_wait_s() -> float:
    """Return the longest wait that the program takes."""
    return limits(declaration("request-reply").parameter("server_time"))[1] / SECOND


def turns_of(connection: Connection, rtt_s: float, sees_writes: bool = True) -> list[Turn]:
    """Return the writes of a connection that is in the time of the end that sends most.

    A segment begins a new write where the other end spoke before it, or where it follows a wait
    that no ACK can have ended: at the near end none came just before, at the far end none had left
    a round trip before. Where the capture does not show writes (`Facts.sees_writes`), an ACK may
    have been late at the near end, too.
    """
    late_s = SLACK * rtt_s + SOON_S
    near_soon_s, far_soon_s = SOON_S if sees_writes else late_s, rtt_s + late_s
    p = connection.packets
    near = p["from_client"] == connection.bulk_from_client
    time_s = p["time_ns"] / 1e9
    rows, fresh = _new_data(p)
    found: list[Turn] = []
    last_of = {True: -1.0, False: -1.0}  # when each end's last packet of any kind was seen
    data_of = {True: -1.0, False: -1.0}  # the same of data, sent once or again
    seen = 0
    for row, new_B in zip(rows.tolist(), fresh.tolist(), strict=True):
        for earlier in range(seen, row):
            last_of[bool(near[earlier])] = time_s[earlier]
            if p["length"][earlier] > 0:
                data_of[bool(near[earlier])] = time_s[earlier]
        seen = row
        is_near, of_client, at = bool(near[row]), bool(p["from_client"][row]), float(time_s[row])
        if not found:
            found.append(Turn(of_client, _first_wait_s(p, time_s, row), new_B, at, at))
            continue
        before = found[-1]
        if before.of_client == of_client:
            heard = last_of[not is_near]
            since = at - heard if heard >= 0 else np.inf
            soon = near_soon_s if is_near else far_soon_s
            if since > soon and at - before.last_s > soon:
                wait = at - before.begin_s
                found.append(Turn(of_client, wait, new_B, at, at))
            else:
                before.size_B += new_B
                before.last_s = at
            continue
        said = max(before.last_s, data_of[not is_near])
        wait = at - said - (0.0 if is_near else rtt_s)
        found.append(Turn(of_client, wait, new_B, at, at))
    return found


def _new_data(p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of data in order, and how many bytes each has that its end had not sent before."""
    rows = np.flatnonzero(p["length"] > 0)
    fresh = np.zeros(len(rows), np.int64)
    for end in (True, False):
        mine = np.flatnonzero(p["from_client"][rows] == end)
        if not len(mine):
            continue
        begin = p["seq"][rows[mine]]
        high = np.maximum.accumulate(begin + p["length"][rows[mine]])
        fresh[mine] = np.diff(high, prepend=begin.min())
    return rows[fresh > 0], fresh[fresh > 0]


def _first_wait_s(p: np.ndarray, time_s: np.ndarray, row: int) -> float:
    """From the last packet before, which is the handshake's."""
    return float(time_s[row] - time_s[row - 1]) if row else 0.0


def turn_list(found: list[Turn]) -> str | None:
    """Return the turns as the program takes them; None without any, or where they are too many."""
    if not found or len(found) > MOST_TURNS:
        return None
    return ",".join(turn.text() for turn in found)
