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
    """Region of parameters where a formula is known to be wrong, and why."""

    name: str
    where: Callable[[Form], bool]
    why: str


@dataclass(frozen=True)
class Claim(Generic[Form]):
    """A formula and the simulated value that it should give, or None where a run does not show it.
    Its name is its function's unless it has another."""

    closed_form: Callable[[Form], float | None]
    simulated: Simulated
    regions: tuple[Region[Form], ...] = ()
    name: str = ""  # if it is not one function's name
    within_pct: float = CLOSE_PCT  # outside its regions; larger for a random average

    @property
    def formula(self) -> str:
        """The formula's name in the table."""
        return self.name or self.closed_form.__name__


@dataclass(frozen=True)
class Check(Generic[Form]):
    """Formulas that are compared with the simulation over one grid of runs."""

    mechanism: str
    grid: Grid
    claims: tuple[Claim[Form], ...]
    packets: bool = True  # whether a claim needs the segment table

    def __hash__(self) -> int:  # a grid holds a mapping, which has no hash
        return hash(self.mechanism)
