# SPDX-License-Identifier: GPL-2.0-only
"""Outcome of a point: the program's record, as raw bytes or decoded, or a Failure."""

from dataclasses import dataclass

import orjson


@dataclass(frozen=True)
class Failure:
    """A point without a record, and why: with the command that reproduces it."""

    reason: str


Answer = bytes | Failure
Outcome = dict | Failure


def outcome(answer: Answer) -> Outcome:
    """An answer as one can look into it."""
    return orjson.loads(answer) if isinstance(answer, bytes) else answer
