# SPDX-License-Identifier: GPL-2.0-only
"""Data of the front end about scenarios and systems: words, controls with sensible ranges and
marks at known devices, host profiles, and measured figures. A page contains all of it."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from study.base.errors import StudyError
from study.base.units import MEASURED
from study.catalogue import systems
from study.drawing.kinds.limits import looks
from study.front import leading
from study.kit import controls
from study.kit.plan import Plan
from study.kit.scenario import judges, plans
from study.programs import values
from study.programs.declaration import Declaration, declaration
from study.programs.labels import spelt, unit
from study.system.hosts import hosts
from study.system.system import System

OWN_HOST = "its own"
# Long enough for a few turns with the largest window or burst.
SHORT = {"job_size": 300_000, "file_size": 400_000, "commands": 5}
CURVE = 6  # of so many stops there is a curve to see
SLIDER_REACH = 4.0  # a slider goes so many times below and above all known devices


def names(own: Sequence[str] = ()) -> dict[str, str]:
    """Return every system that has a plan, one's own files first, and its title."""
    found = {name: systems[name] for name in [*own, *systems]}
    return {name: each.title for name, each in found.items() if each.scenario in plans()}


def scenarios() -> dict[str, Any]:
    """Return what the page says of every scenario."""
    return {name: _scenario(name, plan) for name, plan in plans().items()}


def form(name: str, is_patient: bool = True) -> dict[str, Any]:
    """Return a system's form as a dict: its controls, with the most influential parameters first.

    Their ranking may take runs. Without `is_patient` nothing is run: if the ranking is not known
    yet, the parameters of the scenario's plan are first."""
    system, plan = systems[name], plan_of(systems[name])
    declared, own = declaration(system.scenario), system.parameters()
    made = controls.form(declared, plan, own)
    for section in made["sections"]:
        for control in section["controls"]:
            if control["kind"] == "number":
                control |= _marked(system.scenario, declared, control)
    is_ranked = is_patient or leading.kept(system, plan) is not None
    keys = (leading.leading if is_ranked else leading.planned)(system, plan)
    usable = _hosts(system, declared, own)
    return {
        "system": name,
        "title": system.title,
        "scenario": system.scenario,
        "host": system.host or OWN_HOST,
        "hosts": usable,
        "unjudged": [name for name in usable if name != OWN_HOST and hosts[name].unjudged],
        "stars": _stars(system, plan, declared),
        **made,
        "isRanked": is_ranked,
        **_first(made, keys, plan),
    }


def ranking(name: str) -> dict[str, Any]:
    """Of a form: the controls that move the job most, and the one that the curve is over."""
    system, plan = systems[name], plan_of(systems[name])
    made = controls.form(declaration(system.scenario), plan, system.parameters())
    return _first(made, leading.leading(system, plan), plan)


def _first(made: Mapping[str, Any], keys: list[str], plan: Plan) -> dict[str, Any]:
    """The curve is over one of them: the plan's axis, or the first number that has a curve."""
    all_controls = [control for part in made["sections"] for control in part["controls"]]
    stops = {control["key"]: len(control["stops"]) for control in all_controls}
    if not any(stops[key] > 1 for key in keys):
        keys = [*keys[: leading.MOST_LEADING - 1], plan.axis]
    numbers = [key for key in keys if stops[key] > 1]
    curved = [key for key in numbers if stops[key] >= CURVE]
    axis = plan.axis if plan.axis in numbers else [*curved, *numbers][0]
    return {"leading": keys, "axis": axis}


def plan_of(system: System) -> Plan:
    """Return what can be varied on it."""
    known = plans()
    if system.scenario not in known:
        raise StudyError(
            f"{system.name}: a {system.scenario} says nothing of what can be varied (a plan, in"
            " its folder of analysis/study/scenarios/); without the explorer there is"
            f" `study run {system.name}`"
        )
    return known[system.scenario]


def _scenario(name: str, plan: Plan) -> dict[str, Any]:
    limits, figure = declaration(name).limits, plan.figure
    return {
        "figure": {
            "name": figure.name,
            "unit": figure.unit,
            "column": figure.column,
            "scale": 1 / MEASURED[figure.unit],
        },
        "paper_note": plan.paper_note,
        "ends": judges(name).ends,
        "size": plan.size,
        "short": {key: most for key, most in SHORT.items() if key in declaration(name).parameters},
        "names": {key: spelt(key) for key in limits},
        "words": {key: each.words for key, each in limits.items()},
        "looks": looks(limits),
        "reliefs": {key: [*each.reliefs, *each.behind] for key, each in limits.items()},
    }


@cache
def _known(scenario: str, key: str) -> dict[str, list[str]]:
    """Return the values that measured systems have, canonical, and which systems."""
    found: dict[str, list[str]] = {}
    for name, system in systems.items():
        if system.scenario == scenario and key in system.settings:
            found.setdefault(system.parameters()[key], []).append(name)
    return found


def _marked(scenario: str, declared: Declaration, control: Mapping[str, Any]) -> dict[str, Any]:
    """Return where known devices are, and the slider's stops around them."""
    parameter = declared.parameter(control["key"])
    known = _known(scenario, parameter.key)
    own = controls.place(parameter, control["own"])
    here = [own, *(controls.place(parameter, text) for text in known)]
    positive = [number for number in here if number > 0]
    both = list(zip(control["stops"], control["numbers"], strict=True))
    if positive:
        low, high = min(positive) / SLIDER_REACH, max(positive) * SLIDER_REACH
        if not own or control["own"] == parameter.word:  # none: the usual values are the slider's
            low, high = min(low, *control["numbers"]), max(high, *control["numbers"])
        kept = [(t, n) for t, n in both if low <= n <= high or n == own or (n == 0 and 0 in here)]
        both = kept if len(kept) > 2 else both
    marks = {values.readable(parameter, text): who for text, who in known.items()}
    return {
        "stops": [text for text, _ in both],
        "numbers": [number for _, number in both],
        "marks": [
            [text, controls.place(parameter, text), who]
            for text, who in marks.items()
            if both and both[0][1] <= controls.place(parameter, text) <= both[-1][1]
        ],
        "unit": unit(parameter),
    }


def _hosts(system: System, declared: Declaration, own: Mapping[str, str]) -> dict[str, Any]:
    """Return the profiles that this scenario can use: what each changes."""
    usable = {} if system.host else {OWN_HOST: {}}
    for name in hosts:
        with suppress(StudyError):
            changed = system.with_host(name).parameters()
            usable[name] = {
                key: values.readable(declared.parameter(key), text)
                for key, text in changed.items()
                if text != own[key]
            }
    return usable


def _stars(system: System, plan: Plan, declared: Declaration) -> list[dict[str, Any]]:
    """Return the measured figures of the plan's kind, each with the settings that it was measured
    in."""
    return [
        {
            "name": row.quantity,
            "value": plan.figure.on_axis(row.value * MEASURED[row.unit]),
            "figure": f"{row.text} {row.unit}",
            "used": row.used_as,
            "source": row.source,
            "with": {
                key: values.readable(
                    declared.parameter(key), values.read(declared.parameter(key), text).text
                )
                for key, text in row.with_.items()
            },
        }
        for row in system.measured
        if row.kind in plan.figure.kinds and not row.compared and row.value and row.is_at_hand
    ]
