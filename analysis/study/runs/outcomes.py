# SPDX-License-Identifier: GPL-2.0-only
"""What became of a point: the program's record, as the bytes that it wrote or as one can look into
it, or a Failure."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import orjson

if TYPE_CHECKING:
    from study.runs.made import Made


@dataclass(frozen=True)
class Failure:
    """A point without a record, and why: with the command that reproduces it."""

    reason: str


Answer = bytes | Failure
Outcome = dict | Failure


class Handed(Protocol):
    """Who is given part of a chunk: from which point on, the answers, and what is made of them
    already."""

    def __call__(self, start: int, answers: list[Answer], made: "Made | None" = None) -> object: ...


def outcome(answer: Answer) -> Outcome:
    """An answer as one can look into it."""
    return orjson.loads(answer) if isinstance(answer, bytes) else answer
