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
from study.front import forms
from study.front.front_page import data
from study.front.shipped_runs import table

NOTICES = Path(engine.__file__).with_name("notices.txt")


def bench(module: engine.Module, own: Sequence[str]) -> dict[str, Any]:
    """Return the front end's data for a page that can simulate: the user's systems first, then all
    measured ones."""
    offered = forms.names(own)
    for name in own:
        forms.plan_of(systems[name])
    called = {name: Path(name).stem if name in own else name for name in offered}
    made = {said: forms.form(name) | {"system": said} for name, said in called.items()}
    flags = {
        said: "".join(f"{flag}\n" for flag in systems[name].flags())
        for name, said in called.items()
    }
    names = {said: offered[name] for name, said in called.items()}
    return {
        "engine": module.embedded(flags),
        "bench": packed_json(data(names, made)),
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
