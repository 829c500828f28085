# SPDX-License-Identifier: GPL-2.0-only
"""Checks that a scenario's module declares for its formulas."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from study.kit.formula import Form
from study.kit.grid import Grid
from study.kit.paper import CLOSE_PCT
from study.kit.quantity import Simulated


@dataclass(frozen=True)
class Region(Generic[Form]):
    """Where a formula is wrong, told from the parameters alone, and why: what it leaves out and
    what that does."""

    name: str
    where: Callable[[Form], bool]
    why: str


@dataclass(frozen=True)
class Claim(Generic[Form]):
    """A formula, named after its function, and what it should give in the simulation (None: this
    run does not show it)."""

    closed_form: Callable[[Form], float | None]
    simulated: Simulated
    regions: tuple[Region[Form], ...] = ()
    name: str = ""  # where it is no function of its own
    within_pct: float = CLOSE_PCT  # outside its regions; more for an average over chance

    @property
    def formula(self) -> str:
        """What the table calls it."""
        return self.name or self.closed_form.__name__


@dataclass(frozen=True)
class Check(Generic[Form]):
    """Formulas that one grid of runs can judge."""

    mechanism: str
    grid: Grid
    claims: tuple[Claim[Form], ...]
    packets: bool = True  # whether a claim reads off packets

    def __hash__(self) -> int:  # a grid holds a mapping
        return hash(self.mechanism)
