# SPDX-License-Identifier: GPL-2.0-only
"""Outcome of a point: the program's record, as raw bytes or decoded, or a Failure."""

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
