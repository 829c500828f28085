# SPDX-License-Identifier: GPL-2.0-only
"""Data that the page needs to simulate by itself: what the front end knows of each system, its
flags, and the WebAssembly module."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from study import engine
from study.base.project import ROOT
from study.catalogue import systems
from study.engine.packing import packed_json, written
from study.front import forms, words
from study.front.shipped_runs import table

NOTICES = Path(engine.__file__).with_name("notices.txt")


def bench(module: engine.Module, own: Sequence[str]) -> dict[str, Any]:
    """Return the front end's data for a page that can simulate: the user's systems first, then all
    measured ones."""
    offered = forms.names(own)
    for name in own:
        forms.plan_of(systems[name])
    made = {_name(name): forms.form(name) | {"system": _name(name)} for name in offered}
    data = {
        "scenarios": forms.scenarios(),
        "names": {_name(name): title for name, title in offered.items()},
        "forms": made,
        "declared": words.declared(made.values()),
        "begin": next(iter(made)),
    }
    flags = {
        _name(name): "".join(f"{flag}\n" for flag in systems[name].flags()) for name in offered
    }
    return {
        "engine": module.embedded(flags),
        "bench": packed_json(data),
        "sources": written(module.sources),
    }


def held() -> dict[str, Any]:
    """Return the data of a page that cannot simulate: finished runs of some systems."""
    return {"table": packed_json(table())}


def licence(module: engine.Module) -> dict[str, Any]:
    """Return what stands behind "Licence and source"."""
    return {
        "told": module.told,
        "notices": NOTICES.read_text(encoding="utf-8"),
        "gpl": (ROOT / "LICENSE").read_text(encoding="utf-8"),
        "sources_kB": round(len(module.sources) / 1000),
    }


def _name(given: str) -> str:
    """Return a system's name, or that of its file."""
    return Path(given).stem if given.endswith(".toml") else given
