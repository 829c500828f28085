# SPDX-License-Identifier: GPL-2.0-only
"""Whether a job uses random numbers: then its figure is one random seed, and another seed gives
another."""

from collections.abc import Mapping

from study.base.called import called
from study.programs import values
from study.programs.declaration import Parameter, declaration
from study.system.system import System

LEAST_LOSSES = 20  # chance moves an average over these by a tenth
SEEDS = 10  # number of seeds that the sentence proposes
BY_CHANCE = ("loss", "spread")  # parts of the names of loss fractions and of varying times
DROPS = ("path_queue_drops", "path_queue_drops_back")
OF_CHANCE = {"path_queue_kind": "red"}  # a queue of this kind drops at random


def draws(system: System) -> bool:
    """Return whether another seed may give another run."""
    own, declared = system.parameters(), declaration(system.scenario).parameters
    kinds = any(own.get(key) == kind for key, kind in OF_CHANCE.items())
    return kinds or any(_varies(parameter, own[key]) for key, parameter in declared.items())


def _varies(parameter: Parameter, text: str) -> bool:
    """Return whether a parameter is a fraction that is lost, or a spread, and not 0."""
    is_share = set(BY_CHANCE) & set(parameter.key.split("_")) and values.is_number(parameter)
    return bool(is_share) and values.smallest(parameter, text) > 0


def drawn(system: System, record: Mapping) -> dict[str, str]:
    """Return the parameters that made this run random, each with its text for readers."""
    own, idle = system.parameters(), record.get("without_effect", ())
    found = {}
    for key, parameter in declaration(system.scenario).parameters.items():
        if key in idle:
            continue
        drops = OF_CHANCE.get(key) == own[key] and any(record.get(each) for each in DROPS)
        if drops or _varies(parameter, own[key]):
            found[key] = values.for_a_reader(parameter, own[key])
    return found


def one_draw(system: System, record: Mapping, what: str = "one random seed") -> str:
    """Return the sentence about the random seed, empty if the run used no random numbers."""
    found = drawn(system, record)
    if not found:
        return ""
    told = ", ".join(f"{key} = {text}" for key, text in found.items())
    others = f"{called()} sweep {system.typed or system.name} --seeds {SEEDS}"
    same = " with the same options" if system.changes else ""
    return f"{what} ({told}); other seeds: {others}{same}"
