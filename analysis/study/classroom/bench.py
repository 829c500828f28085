# SPDX-License-Identifier: GPL-2.0-only
"""What the page needs to simulate by itself: each system's flags and controls, and the words of
each scenario; with the module that does it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from study import engine
from study.base.errors import StudyError
from study.base.project import ROOT
from study.base.units import MEASURED
from study.catalogue import systems
from study.drawing.kinds.limits import LOOKS, looks
from study.engine.packing import packed_json, written
from study.kit import controls
from study.kit.plan import Plan
from study.kit.scenario import judges, plans
from study.programs.declaration import declaration
from study.programs.labels import spelt
from study.system.system import System

NOTICES = Path(engine.__file__).with_name("notices.txt")
# Long enough for a few turns with the largest window or burst.
SHORT = {"job_size": 300_000, "file_size": 400_000, "commands": 5}


def bench(module: engine.Module, own: Sequence[str], words: Mapping[str, str]) -> dict[str, Any]:
    """The data of bench.js: one's own systems first, then all that are measured."""
    known = plans()
    found = {_name(name): systems[name] for name in [*own, *systems]}
    for name, system in found.items():
        if name in map(_name, own) and system.scenario not in known:
            raise StudyError(f"{name}: a {system.scenario} says nothing of what can be turned")
    offered = {name: each for name, each in found.items() if each.scenario in known}
    data = {
        "scenarios": {
            name: _scenario(name, plan, words)
            for name, plan in known.items()
            if any(each.scenario == name for each in offered.values())
        },
        "systems": {name: _system(each, known[each.scenario]) for name, each in offered.items()},
    }
    flags = {name: "".join(f"{flag}\n" for flag in each.flags()) for name, each in found.items()}
    return {
        "engine": module.embedded(flags),
        "bench": packed_json(data),
        "sources": written(module.sources),
    }


def licence(module: engine.Module) -> dict[str, Any]:
    """What stands behind "Licence and source"."""
    return {
        "told": module.told,
        "notices": NOTICES.read_text(encoding="utf-8"),
        "gpl": (ROOT / "LICENSE").read_text(encoding="utf-8"),
        "sources_kB": round(len(module.sources) / 1000),
    }


def _name(given: str) -> str:
    """A system's name, or that of its file."""
    return Path(given).stem if given.endswith(".toml") else given


def _system(system: System, plan: Plan) -> dict[str, Any]:
    declared = declaration(system.scenario)
    form = controls.form(declared, plan, system.parameters())
    return {"title": system.title, "scenario": system.scenario, **form}


def _scenario(name: str, plan: Plan, words: Mapping[str, str]) -> dict[str, Any]:
    """The limits in the page's words where it has any, else in the explorer's."""
    limits = sorted({*words, *plan.limits, *LOOKS})
    figure = plan.figure
    return {
        "figure": {
            "name": figure.name,
            "unit": figure.unit,
            "column": figure.column,
            "scale": 1 / MEASURED[figure.unit],
        },
        "ends": judges(name).ends,
        "size": plan.size,
        "short": {key: most for key, most in SHORT.items() if key in declaration(name).parameters},
        "words": {key: words.get(key) or plan.limits.get(key) or spelt(key) for key in limits},
        "looks": looks(limits),
    }
