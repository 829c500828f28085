# SPDX-License-Identifier: GPL-2.0-only
"""Writes of both ends' programs, as far as packets show that no ACK brought them: a conversation
that a simulation can take its turns from."""

from dataclasses import dataclass

import numpy as np

from study.captures.connection import Connection
from study.diagnosis.facts import SLACK, SOON_S
from study.programs.declaration import declaration
from study.programs.values import SECOND, limits


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
    rows, fresh = new_data(p)
    found: list[Turn] = []
    # When each end's last packet was seen, until each packet; and its last data, new or old.
    last_of = {end: _latest(time_s, near == end) for end in (True, False)}
    data_of = {end: _latest(time_s, (near == end) & (p["length"] > 0)) for end in (True, False)}
    for row, new_B in zip(rows.tolist(), fresh.tolist(), strict=True):
        is_near, of_client, at = bool(near[row]), bool(p["from_client"][row]), float(time_s[row])
        if not found:
            # From the last packet before, which is the handshake's.
            wait = float(time_s[row] - time_s[row - 1]) if row else 0.0
            found.append(Turn(of_client, wait, new_B, at, at))
            continue
        before = found[-1]
        if before.of_client == of_client:
            heard = last_of[not is_near][row]
            since = at - heard if heard >= 0 else np.inf
            soon = near_soon_s if is_near else far_soon_s
            if since > soon and at - before.last_s > soon:
                wait = at - before.begin_s
                found.append(Turn(of_client, wait, new_B, at, at))
            else:
                before.size_B += new_B
                before.last_s = at
            continue
        said = max(before.last_s, float(data_of[not is_near][row]))
        wait = at - said - (0.0 if is_near else rtt_s)
        found.append(Turn(of_client, wait, new_B, at, at))
    return found


def _latest(time_s: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """Return until each packet the time of the last chosen one; -1 without."""
    return np.maximum.accumulate(np.where(chosen, time_s, -1.0))


def new_data(p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
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


def turn_list(found: list[Turn]) -> str:
    """Return the turns as the program takes them."""
    return ",".join(turn.text() for turn in found)
