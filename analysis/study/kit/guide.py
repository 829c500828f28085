# SPDX-License-Identifier: GPL-2.0-only
"""Guide that a scenario's module declares for `study explain`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from study.kit import exchange
from study.kit.exchange import Ends, Repeated
from study.kit.formula import Form
from study.kit.terms import Cycle
from study.system.system import Result


@dataclass(frozen=True)
class Guide(Generic[Form]):
    """What `study explain` shows of a scenario: `cycle`, the closed form of the steady cycle or why
    there is none, and `exchange`, the repeated exchange in a run's segment table. `whole_s` is the
    time of a whole job in seconds, None without a formula. `window_B` is the most data in flight
    before an answer must arrive."""

    cycle: Callable[[Form], Cycle | str] = lambda form: "no closed form is known"
    exchange: Callable[[Result, Ends], Repeated | None] = lambda result, ends: exchange.typical(
        result.packets, ends, limits_s=result.limits_s
    )
    whole_s: Callable[[Form], float | None] = lambda form: None
    window_B: Callable[[Form], float | None] = lambda form: None

    def rate_Bps(self, form: Form) -> float | None:
        """Return the steady cycle's rate in B/s, or None without a closed form."""
        cycle = self.cycle(form)
        return None if isinstance(cycle, str) else cycle.rate_Bps
