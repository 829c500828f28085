# SPDX-License-Identifier: GPL-2.0-only
"""Strip of a run: which limit held when, in as many letters as a line has."""

from collections.abc import Sequence
from itertools import pairwise

from study.base.wrapping import WIDTH
from study.diagnosis.phases import Phase
from study.programs.waits import Wait

# A letter of each limit; what the strip of a transfer has is spelt below it.
LETTERS = {
    "receive_window": "W",
    "delayed_ack": "D",
    "cpu": "p",
    "link": "L",
    "send_buffer": "B",
    "congestion_window": "C",
    "nagle": "N",
    "loss_recovery": "X",
    "last_ack": "a",
    "path_queue": "Q",
    "round_trip": "R",
    "drain": "V",
    "window_update": "U",
    "application": "A",
    "client_application": "A",
    "server_application": "S",
    "handshake": "h",
    "outage": "-",
}


def strip(waits: Sequence[Wait]) -> tuple[str, list[str]]:
    """Return the line, and the limits that it has; each letter is the limit with most of its
    part of the time."""
    if len(waits) < 2:
        return "", []
    begin, end = waits[0].from_s, waits[-1].from_s
    step = (end - begin) / WIDTH
    if step <= 0:
        return "", []
    held: list[dict[str, float]] = [{} for _ in range(WIDTH)]
    for wait, after in pairwise(waits):
        first = int((wait.from_s - begin) / step)
        last = min(int((after.from_s - begin) / step), WIDTH - 1)
        for cell in range(max(first, 0), last + 1):
            low = max(wait.from_s, begin + cell * step)
            high = min(after.from_s, begin + (cell + 1) * step)
            held[cell][wait.limit] = held[cell].get(wait.limit, 0.0) + max(high - low, 0.0)
    mains = [max(cell, key=lambda name: cell[name]) if cell else "" for cell in held]
    line = "".join(LETTERS.get(name, "?") for name in mains)
    return line, list(dict.fromkeys(name for name in mains if name))


def phase_strip(phases: Sequence[tuple[Phase, str]]) -> str:
    """Return the line of a connection's phases, each with its limit's letter."""
    begin, end = phases[0][0].from_s, phases[-1][0].to_s
    at = [begin + (cell + 0.5) * (end - begin) / WIDTH for cell in range(WIDTH)]
    held = (next((limit for each, limit in phases if when <= each.to_s), "") for when in at)
    return "".join(LETTERS.get(limit, "?") for limit in held)
