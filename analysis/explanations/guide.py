# SPDX-License-Identifier: GPL-2.0-only
"""What a scenario's module says for `study explain`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from analysis.closed_forms.formula import Formula
from analysis.closed_forms.terms import Cycle
from analysis.explanations.candidates import Candidate

Form = TypeVar("Form", bound=Formula)


@dataclass(frozen=True)
class Guide(Generic[Form]):
    """What to try, in the order in which one thinks of it; the steady cycle on paper; and what a
    packet without data of the end that sends first is called."""

    candidates: tuple[Candidate, ...]
    cycle: Callable[[Form], Cycle]
    empty: str = "an ACK"
