# SPDX-License-Identifier: GPL-2.0-only
"""Outcome of a point: the program's record, as raw bytes or decoded, or a Failure; and the tally
of many."""

from dataclasses import dataclass

import orjson


@dataclass(frozen=True)
class Failure:
    """A point without a record; `reason` has the command that reproduces it."""

    reason: str


Answer = bytes | Failure
Outcome = dict | Failure


def outcome(answer: Answer) -> Outcome:
    """Return an answer decoded."""
    return orjson.loads(answer) if isinstance(answer, bytes) else answer


@dataclass
class Tally:
    """Numbers of a call's points by origin, and by outcome if a table has counted them."""

    points: int
    seconds: float = 0.0
    stored: int = 0
    ran: int = 0
    fast_forwarded: int = 0  # of the points that ran
    checked: int = 0  # of the fast-forwarded points: run in full as well
    stalled: int = 0
    cut_off: int = 0
    failed: int = 0

    def __str__(self) -> str:
        ran = f"{self.ran:,} ran"
        if self.fast_forwarded:
            ran += f" ({self.fast_forwarded:,} fast-forwarded, {self.checked:,} checked in full)"
        ended = {"stalled": self.stalled, "time limit reached": self.cut_off, "failed": self.failed}
        parts = [ran, f"{self.stored:,} from the store"]
        parts += [f"{count:,} {name}" for name, count in ended.items() if count]
        word = "point" if self.points == 1 else "points"
        return f"{self.points:,} {word} in {self.seconds:.1f} s: {', '.join(parts)}"
