# SPDX-License-Identifier: GPL-2.0-only
"""What the page asks and what it is told: a system with some values in, pictures, a sentence and a
command out. Knows nothing of widgets, so that an ordinary cell, or a test, can ask as well."""

from collections.abc import Mapping
from contextlib import suppress

from study.base.errors import StudyError
from study.catalogue import systems
from study.explorer.runner import Runner
from study.explorer.view import Asked, View
from study.kit import controls
from study.kit.plan import Plan
from study.programs import values
from study.programs.declaration import Declaration, Parameter, declaration
from study.programs.labels import unit
from study.system.hosts import hosts
from study.system.system import System

OWN_HOST = "its own"


class Session:
    """Answers one page after another; `plans` gives each scenario's plan."""

    def __init__(self, plans: Mapping[str, Plan]) -> None:
        self._plans, self._runner = plans, Runner()
        self._own: list[str] = []

    def begin_with(self, name: str) -> None:
        """Have a system among the presets that is not one of the study's: a path to its file."""
        self._plan(systems[name])
        if name not in [*systems, *self._own]:
            self._own.append(name)

    def presets(self) -> dict[str, str]:
        """Every system that can be explored, and its title."""
        found = {name: systems[name] for name in [*self._own, *systems]}
        return {name: each.title for name, each in found.items() if each.scenario in self._plans}

    def form(self, name: str) -> dict:
        """What the page makes its controls of."""
        system = systems[name]
        plan, own = self._plan(system), self._runner.parameters(system)
        declared = declaration(system.scenario)
        return {
            "system": name,
            "title": system.title,
            "host": system.host or OWN_HOST,
            "hosts": [OWN_HOST, *_hosts_for(system)] if not system.host else _hosts_for(system),
            **controls.form(declared, plan, own),
        }

    def answer(self, asked: Asked) -> dict:
        """Errors by the control they belong to ("" for none of them), or what is to be seen."""
        system = systems[asked.system]
        declared, plan = declaration(system.scenario), self._plan(system)
        if asked.host not in ("", OWN_HOST, system.host):
            system = system.with_host(asked.host)
        changes, errors = _changes(declared, self._runner.parameters(system), asked.values)
        if errors:
            return {"errors": errors}
        view = View(system.with_(**changes), plan, self._runner, asked)
        try:
            return view.marks() if asked.marks else view.all()
        except StudyError as error:
            flag, _, words = str(error).partition(": ")
            key = next((key for key in plan.keys if declared.parameter(key).flag == flag), "")
            return {"errors": {key: words if key else str(error)}, "command": view.command()}

    def close(self) -> None:
        self._runner.close()

    def _plan(self, system: System) -> Plan:
        if system.scenario not in self._plans:
            raise StudyError(
                f"{system.name}: a {system.scenario} says nothing of what can be turned (a plan, in"
                " its folder of analysis/study/scenarios/); without the explorer there is"
                f" `study run {system.name}`"
            )
        return self._plans[system.scenario]


def _hosts_for(system: System) -> list[str]:
    """The profiles that this scenario can use."""
    usable = []
    for name in hosts:
        with suppress(StudyError):
            system.with_host(name)
            usable.append(name)
    return usable


def _changes(
    declared: Declaration, own: Mapping[str, str], given: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, str]]:
    """What differs from the system, canonical and in the declared order; and what is wrong."""
    changes, errors = {}, {}
    for key, parameter in declared.parameters.items():
        if key not in given:
            continue
        if not given[key].strip():
            errors[key] = f"give {parameter.allowed()}"
            continue
        try:
            text = values.read(parameter, _typed(parameter, given[key])).text
        except StudyError as error:
            errors[key] = str(error).removeprefix(f"{parameter.flag}: ")
            continue
        if text != own[key]:
            changes[key] = text
    return changes, errors


def _typed(parameter: Parameter, text: str) -> str:
    """As somebody types it who sees the unit: 10 ms, 2 920, 2920 B."""
    return (
        "".join(text.split()).removesuffix(unit(parameter)) if values.is_number(parameter) else text
    )
