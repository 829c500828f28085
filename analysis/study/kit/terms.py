# SPDX-License-Identifier: GPL-2.0-only
"""Time as a sum of named terms, and the rate from it. With it an answer shows the formula with its
numbers and not only the result."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Term:
    """One named part of a time."""

    name: str
    time_s: float


def total_s(terms: Sequence[Term]) -> float:
    """Return the sum of the parts in seconds."""
    return sum(term.time_s for term in terms)


@dataclass(frozen=True)
class Cycle:
    """A repeated cycle: the bytes that it carries, and its time by part."""

    carried_B: float
    terms: tuple[Term, ...]
    law: str = ""  # for an average over many cycles: the law and its source

    @property
    def time_s(self) -> float:
        """The cycle's duration in seconds."""
        return total_s(self.terms)

    @property
    def rate_Bps(self) -> float:
        """The steady rate in B/s."""
        return self.carried_B / self.time_s

    def parts(self) -> list[Term]:
        """Return the parts longer than 0, longest first."""
        parts = [term for term in self.terms if term.time_s > 0]
        return sorted(parts, key=lambda term: -term.time_s)
