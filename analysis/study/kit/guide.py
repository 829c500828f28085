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
    """The closed form of the steady cycle, or why there is none; and what the job repeats, off a
    run's segment table. `whole_s` is the closed form of a whole job, with its beginning and end,
    where a formula has them; `window_B` what goes before an answer must come."""

    cycle: Callable[[Form], Cycle | str] = lambda form: "no closed form is known"
    exchange: Callable[[Result, Ends], Repeated | None] = lambda result, ends: exchange.typical(
        result.packets, ends, limits_s=result.limits_s
    )
    whole_s: Callable[[Form], float | None] = lambda form: None
    window_B: Callable[[Form], float | None] = lambda form: None

    def rate_Bps(self, form: Form) -> float | None:
        """What the steady cycle carries in a second; None without a closed form."""
        cycle = self.cycle(form)
        return None if isinstance(cycle, str) else cycle.rate_Bps
