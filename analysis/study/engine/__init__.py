# SPDX-License-Identifier: GPL-2.0-only
"""The simulation inside a page: the WebAssembly module that `./waf browser` leaves, and the one
small interface to it, engine.js: a program and its flags in, its record and files out."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from study.base.linking import linked
from study.base.project import BUILD, ROOT
from study.engine.packing import packed_json, squeezed

FOLDER = BUILD / "wasm"
ROOM = Path(__file__).parent
COMPILED = ("scenarios/**/*.cc", "scenarios/**/*.h", "webassembly/*")


@dataclass(frozen=True)
class Module:
    """The built module, with what browser_sources wrote beside it."""

    folder: Path

    @cached_property
    def told(self) -> Mapping[str, Any]:
        """What it was made from, by what."""
        return json.loads((self.folder / "study.json").read_text(encoding="utf-8"))

    @property
    def wasm(self) -> bytes:
        return (self.folder / "study.wasm").read_bytes()

    @property
    def sources(self) -> bytes:
        """Its complete source, a tar.xz."""
        return (self.folder / "sources.tar.xz").read_bytes()

    def worker(self) -> str:
        """Return the script of a worker that holds an instance."""
        compiled = (self.folder / "study.js").read_text(encoding="utf-8")
        return f"{compiled};\n{linked(ROOM / 'worker.js')};\n"

    def embedded(self, systems: Mapping[str, str]) -> dict[str, Any]:
        """Return what openEngine() of wasm.js takes, as JSON; `systems` has the flags of each, one
        a line, for --system."""
        more = {"worker": self.worker(), "systems": dict(systems)}
        return {"wasm": squeezed(self.wasm), "more": packed_json(more)}


def built() -> Module | None:
    """Return the module, if it is there and of the sources as they are now."""
    return Module(FOLDER) if not why_not() else None


def why_not() -> str:
    """Why there is no module to take, in half a sentence; nothing if there is one."""
    try:
        told = Module(FOLDER).told
    except (OSError, ValueError):
        return "./waf browser has not built it"
    now = {
        str(path.relative_to(ROOT)): hashlib.sha256(path.read_bytes()).hexdigest()
        for pattern in COMPILED
        for path in ROOT.glob(pattern)
        if path.is_file()
    }
    if told["compiled"] != now:
        return "./waf browser built it from other sources than there are now"
    return ""
