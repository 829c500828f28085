# SPDX-License-Identifier: GPL-2.0-only
"""What goes beside the WebAssembly module, for whoever is handed it: the complete source that it
was made from, in one archive that `./waf browser` builds again, and what made it."""

import hashlib
import io
import json
import lzma
import re
import subprocess
import tarfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ns3_build import MANIFEST
from set_up import ROOT

NAME = "slow-transfer-study"
SOURCES = "sources.tar.xz"
TOLD = "study.json"
MODULE = ("study.js", "study.wasm")
COMPILED = ("scenarios/**/*.cc", "scenarios/**/*.h", "webassembly/*")  # the list of study.engine

# Files of the project that compile the module, and no others.
OURS = ("LICENSE", "pyproject.toml", "requirements.lock", "waf", "wscript")
ROOMS = {
    "webassembly": "*",
    "scenarios": "**/*",
    "waf-tools": "*.*",
    "analysis/study": "__init__.py",
    "analysis/study/base": "*.py",
}
HOW = """The source of the WebAssembly module in the page that this archive was in: the programs of
the study, and the files of ns-3 {version} that are linked into it, unchanged. With Emscripten,

    cd {name} && ./waf browser --source=../ns-{version}

makes build/wasm/study.js and study.wasm again; the module was made by {compiler}.
ns-3 is {origin}.
"""
# Text has no alignment of four bytes, which xz assumes by default.
OF_TEXT = {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "pb": 0}
INCLUDED = re.compile(r'^ *# *include *[<"](?:ns3/)?([\w.-]+\.h)[>"]', re.MULTILINE)


def key_of(folder: Path) -> str:
    """Return the key of the existing module, made by browser_build, empty if a file is missing or
    was changed."""
    try:
        told = json.loads((folder / TOLD).read_text())
        whole = told["module"] == {name: _digest(folder / name) for name in MODULE}
    except (OSError, ValueError, KeyError):
        return ""
    return told["key"] if whole else ""


def tell(folder: Path, ns3: Path, compiler: str, more: dict[str, Any], linked: list[Path]) -> None:
    """Write the archive and the description, unless they belong to this module already; `more` is
    browser_build's part of the description."""
    manifest = json.loads((ns3 / MANIFEST).read_text())
    module = {name: _digest(folder / name) for name in MODULE}
    ours = {
        str(path.relative_to(ROOT)): _digest(path)
        for pattern in COMPILED
        for path in sorted(ROOT.glob(pattern))
        if path.is_file()
    }
    told, archive = folder / TOLD, folder / SOURCES
    if told.is_file() and archive.is_file():
        last = json.loads(told.read_text())
        if (last["module"], last["compiled"], last["key"]) == (module, ours, more["key"]):
            return
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True)
    said = version.stdout.splitlines()[0].strip()
    origin = _origin(manifest)
    how = HOW.format(name=NAME, version=manifest["version"], compiler=said, origin=origin)
    archive.write_bytes(_archive(ns3 / "source", manifest["version"], linked, how))
    data = {
        **more,
        "ns3": manifest["version"],
        "origin": origin,
        "source": manifest["source"],
        "compiler": said,
        "linked": len(linked),
        "command": "./waf browser",
        "compiled": ours,
        "module": module,
        "sources": _digest(archive),
    }
    told.write_text(json.dumps(data, indent=1) + "\n")


def _origin(manifest: dict[str, str]) -> str:
    """Return ns-3's origin; the path of a local folder means nothing on other machines."""
    origin = manifest["origin"]
    of_git = "commit" in origin
    return origin if of_git else f"an unpacked tree, SHA-256 of the files {manifest['source']}"


def _archive(source: Path, version: str, linked: list[Path], how: str) -> bytes:
    named = {f"ns-{version}/{path.relative_to(source)}": path for path in _ns3s(source, linked)}
    for room, pattern in ROOMS.items():
        ours = [each for each in (ROOT / room).glob(pattern) if each.is_file()]
        named |= {f"{NAME}/{each.relative_to(ROOT)}": each for each in ours}
    named |= {f"{NAME}/{name}": ROOT / name for name in OURS if (ROOT / name).is_file()}
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:") as archive:
        for name, text in [("HOW.txt", how.encode()), *((n, named[n]) for n in sorted(named))]:
            content = text if isinstance(text, bytes) else text.read_bytes()
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            entry.mode = 0o755 if name.endswith("/waf") else 0o644
            archive.addfile(entry, io.BytesIO(content))
    return lzma.compress(packed.getvalue(), check=lzma.CHECK_CRC32, filters=[OF_TEXT])


def _ns3s(source: Path, linked: Iterable[Path]) -> list[Path]:
    """Return the linked files, all headers that they and the scenarios include, and one file of
    each other module, so that the tree is complete."""
    headers = {path.name: path for path in source.glob("src/*/*/*.h")}
    ours = [each for each in (ROOT / "scenarios").rglob("*") if each.suffix in (".cc", ".h")]
    todo, found = [*linked, *ours], set(linked)
    while todo:
        for name in INCLUDED.findall(todo.pop().read_text(errors="replace")):
            path = headers.get(name)
            if path and path not in found:
                found.add(path)
                todo.append(path)
    for module in source.glob("src/*/model"):
        if not any(path.parent == module for path in found):
            found.add(min([*module.glob("*.h")] or module.glob("*.cc")))
    return [*found, *(each for each in (source / "VERSION", source / "LICENSE") if each.exists())]


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
