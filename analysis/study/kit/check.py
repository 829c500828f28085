# SPDX-License-Identifier: GPL-2.0-only
"""What a scenario's module says of its formulas."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from study.kit.formula import Formula
from study.kit.grid import Grid
from study.system.system import Result

Form = TypeVar("Form", bound=Formula)


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

    formula: str
    closed_form: Callable[[Form], float]
    simulated: Callable[[Result], float | None]
    regions: tuple[Region[Form], ...] = ()


@dataclass(frozen=True)
class Check(Generic[Form]):
    """Formulas that one grid of runs can judge."""

    mechanism: str
    grid: Grid
    claims: tuple[Claim[Form], ...]

    def __hash__(self) -> int:  # a grid holds a mapping
        return hash(self.mechanism)
