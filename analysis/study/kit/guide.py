# SPDX-License-Identifier: GPL-2.0-only
"""What a scenario's module says for `study explain`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from study.kit import exchange
from study.kit.candidates import Candidate
from study.kit.exchange import Ends, Repeated
from study.kit.formula import Formula
from study.kit.terms import Cycle
from study.system.system import Result

Form = TypeVar("Form", bound=Formula)


def window_and_ack(result: Result, ends: Ends) -> Repeated | None:
    """What the first end sends and the other acknowledges or answers."""
    return exchange.typical(result.packets, ends)


@dataclass(frozen=True)
class Guide(Generic[Form]):
    """What to try, in the order in which one thinks of it; the steady cycle on paper, or why there
    is none; and what the job repeats, off a run's segment table."""

    candidates: tuple[Candidate, ...] | None = None
    cycle: Callable[[Form], Cycle | str] = lambda form: "no closed form is known"
    exchange: Callable[[Result, Ends], Repeated | None] = window_and_ack
