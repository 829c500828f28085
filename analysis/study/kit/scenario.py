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
    """Its figures and closed forms, what to try on it, over which grid its formulas are held
    against the simulation, and what the explorer varies. Without them its jobs run, and are
    compared with nothing."""

    judges: Judges | None = None
    guide: Guide | None = None
    checks: tuple[Check, ...] = ()
    plan: Plan | None = None


@cache
def about(scenario: str) -> Scenario:
    """What a scenario says of itself; nothing, where it has no folder."""
    module = f"study.scenarios.{scenario.replace('-', '_')}"
    return import_module(module).SCENARIO if find_spec(module) else Scenario()


def judges(scenario: str) -> Judges:
    """How its measured figures are read off a run, and their closed forms."""
    return about(scenario).judges or Judges(Formula, {})


def guide(scenario: str) -> Guide:
    """What there is to try on it."""
    return about(scenario).guide or Guide()


def plans() -> dict[str, Plan]:
    """Of every scenario that can be explored."""
    found = {name: about(name).plan for name in scenarios()}
    return {name: plan for name, plan in found.items() if plan is not None}
