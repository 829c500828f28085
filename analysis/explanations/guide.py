# SPDX-License-Identifier: GPL-2.0-only
"""What a scenario's module says for `study explain`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from analysis.closed_forms.formula import Formula
from analysis.closed_forms.terms import Cycle
from analysis.explanations import exchange
from analysis.explanations.candidates import Candidate
from analysis.explanations.exchange import Ends, Repeated
from analysis.system import Result

Form = TypeVar("Form", bound=Formula)


def window_and_ack(result: Result, ends: Ends) -> Repeated | None:
    """What the first end sends and the other acknowledges or answers."""
    return exchange.typical(result.packets, ends)


@dataclass(frozen=True)
class Guide(Generic[Form]):
    """What to try, in the order in which one thinks of it; the steady cycle on paper, or why there
    is none; and what the job repeats, off a run's segment table."""

    candidates: tuple[Candidate, ...]
    cycle: Callable[[Form], Cycle | str]
    exchange: Callable[[Result, Ends], Repeated | None] = window_and_ack
