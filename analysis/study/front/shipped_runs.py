# SPDX-License-Identifier: GPL-2.0-only
"""Runs that a page holds where nothing simulates: one system a scenario, the first controls at
some of their stops. table.js looks them up and interpolates nothing."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from study.catalogue import systems
from study.front import forms
from study.front.front_page import data
from study.kit.scenario import plans
from study.programs.declaration import declaration
from study.runs.batch import try_batch
from study.runs.outcomes import Failure

STOPS = (9, 5)  # of the first control, and of the second
COLUMNS = ("outcome", "reason", "duration_s")  # and the figure's own
DIGITS = 6


def table() -> dict[str, Any]:
    """Return the data of such a page, with `held`: of each system the runs, by their flags."""
    made = {name: _form(name) for name in _examples()}
    held = {name: _runs(name, form) for name, form in made.items()}
    return data({name: systems[name].title for name in made}, made) | {"held": held}


def _examples() -> Iterator[str]:
    """Yield the first system of each scenario."""
    seen = set()
    for name, system in systems.items():
        if system.scenario in plans() and system.scenario not in seen:
            seen.add(system.scenario)
            yield name


def _form(name: str) -> dict[str, Any]:
    """Return the form with no other controls than those that were run."""
    form = forms.form(name)
    controls = [each for section in form["sections"] for each in section["controls"]]
    by_key = {each["key"]: each for each in controls}
    keys = form["leading"][: len(STOPS)]
    kept = [_fewer(by_key[key], most) for key, most in zip(keys, STOPS, strict=False)]
    axis = next((each["key"] for each in kept if each["kind"] == "number"), "")
    stars = [star for star in form["stars"] if set(star["with"]) <= set(keys)]
    host = form["host"]
    return {
        **form,
        "axis": axis,
        "hosts": {host: {}},
        "leading": keys,
        "stars": stars,
        "sections": [{"title": "", "when": None, "controls": kept}],
    }


def _fewer(control: dict[str, Any], most: int) -> dict[str, Any]:
    """Return some of its stops, the own among them."""
    if control["kind"] != "number":
        return control
    both = list(zip(control["stops"], control["numbers"], strict=True))
    step = max((len(both) - 1) / (most - 1), 1)
    places = {min(round(n * step), len(both) - 1) for n in range(most)}
    places.add(control["stops"].index(control["own"]))
    kept = [both[place] for place in sorted(places)]
    return {**control, "stops": [text for text, _ in kept], "numbers": [n for _, n in kept]}


def _runs(name: str, form: dict[str, Any]) -> dict[str, Any]:
    system, plan = systems[name], forms.plan_of(systems[name])
    controls = form["sections"][0]["controls"]
    positions = [_positions(each) for each in controls]
    points = [dict(zip(form["leading"], texts, strict=True)) for texts in product(*positions)]
    opened = system.with_(**form["opening"]["values"])
    flags = [opened.with_(**point).flags() for point in points]
    records = try_batch(system.scenario, flags, name)
    own = {each["key"]: each["own"] for each in controls}
    declared = declaration(system.scenario)
    found = {}
    for point, record in zip(points, records, strict=True):
        if isinstance(record, Failure):
            continue  # refused: the page says that it does not hold it
        turned = {key: text for key, text in point.items() if text != own[key]}
        given = form["opening"]["values"] | turned
        flags_of = sorted(f"--{declared.parameter(key).flag}={text}" for key, text in given.items())
        columns = {key: record[key] for key in (*COLUMNS, plan.figure.column)}
        limits = {key: _short(time) for key, time in record["limits_s"].items() if time}
        found[" ".join(flags_of)] = columns | {"limits_s": limits}
    return found


def _positions(control: dict[str, Any]) -> list[str]:
    switch = ["true", "false"]
    return control["stops"] or list(control["choices"]) or switch


def _short(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
