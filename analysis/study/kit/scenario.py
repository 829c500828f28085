# SPDX-License-Identifier: GPL-2.0-only
"""Declaration of a scenario in study/scenarios/NAME/__init__.py, all of it optional. It is found
by the folder's name, so that a new scenario has nothing to register."""

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from study.base.project import scenarios
from study.kit.check import Check
from study.kit.formula import Formula
from study.kit.guide import Guide
from study.kit.plan import Plan
from study.kit.quantity import Judges


@dataclass(frozen=True)
class Scenario:
    """A scenario's figures and closed forms, its guide, the grids that check its formulas, and its
    plan for the explorer. Without them its jobs run, but are compared with nothing."""

    judges: Judges | None = None
    guide: Guide | None = None
    checks: tuple[Check, ...] = ()
    plan: Plan | None = None


@cache
def about(scenario: str) -> Scenario:
    """Return a scenario's declaration, or an empty one if it has no folder."""
    module = f"study.scenarios.{scenario.replace('-', '_')}"
    return import_module(module).SCENARIO if find_spec(module) else Scenario()


def judges(scenario: str) -> Judges:
    """Return how a scenario's measured figures are read from a run, and their closed forms."""
    return about(scenario).judges or Judges(Formula, {})


def guide(scenario: str) -> Guide:
    """Return a scenario's guide for `study explain`."""
    return about(scenario).guide or Guide()


def plans() -> dict[str, Plan]:
    """Return the plans of all scenarios that the explorer offers, by name."""
    found = {name: about(name).plan for name in scenarios()}
    return {name: plan for name, plan in found.items() if plan is not None}
