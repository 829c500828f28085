# SPDX-License-Identifier: GPL-2.0-only
"""Time as a sum of named terms, and the rate from it. With it an answer shows the formula with its
numbers and not only the result."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Term:
    """One part of a time; the name stands behind its number."""

    name: str
    time_s: float


def total_s(terms: Sequence[Term]) -> float:
    """The time that the parts make."""
    return sum(term.time_s for term in terms)


@dataclass(frozen=True)
class Cycle:
    """What repeats: how much it carries, and its time part by part."""

    carried_B: float
    terms: tuple[Term, ...]
    law: str = ""  # of an average over many: which, and its source

    @property
    def time_s(self) -> float:
        """How long it takes."""
        return total_s(self.terms)

    @property
    def rate_Bps(self) -> float:
        """What it carries in a second, when it repeats for ever."""
        return self.carried_B / self.time_s

    def parts(self) -> list[Term]:
        """The parts that take any time, longest first."""
        parts = [term for term in self.terms if term.time_s > 0]
        return sorted(parts, key=lambda term: -term.time_s)
