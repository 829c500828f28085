# SPDX-License-Identifier: GPL-2.0-only
"""What a scenario's module says for the explorer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

Parameters = Mapping[str, str]


class OnPaper(Protocol):
    """The throughput by a closed form, as a function of one parameter's value."""

    def __call__(self, parameters: Parameters, key: str) -> Callable[[str], float] | None:
        """None where no formula holds for these parameters."""


@dataclass(frozen=True)
class Section:
    """Controls that stand together; a parameter's label, unit, range and choices are the
    declaration's."""

    title: str
    keys: tuple[str, ...]


@dataclass(frozen=True)
class Plan:
    """What can be turned, in the order in which one thinks of it, and what is drawn of it."""

    sections: tuple[Section, ...]
    axis: str  # the parameter that the curve is drawn over, until another is chosen
    on_paper: OnPaper
    paper_note: str  # what the formula leaves out, in a few words
    # What to change for a short job whose packets end up in the steady exchange.
    short_job: Callable[[Parameters], Mapping[str, str]]
    # Positions of a slider that mean something, beside the round values.
    stops: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    # Around what a slider goes when the system's value is an end of the range, as is "no drain".
    usual: Mapping[str, str] = field(default_factory=dict)
    # In a reader's words, what each limit is a wait for.
    limits: Mapping[str, str] = field(default_factory=dict)
    empty: str = "an ACK"
