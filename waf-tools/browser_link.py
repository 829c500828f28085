# SPDX-License-Identifier: GPL-2.0-only
"""Which files of ns-3 the WebAssembly module needs: those whose symbols are asked for, as a linker
would take them, and those that are asked for by the name of a TypeId, which no linker sees."""

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

OBJECTS = "lib"  # folder in ns-3's build; each file is MODULE.NAME.o
REGISTERED = re.compile(r"NS_OBJECT_ENSURE_REGISTERED\((\w+)\)")
NAMED = re.compile(r'"ns3::(\w+)"')


def needed(ns3: Path, ours: Iterable[Path]) -> list[Path]:
    """Return the needed objects of ns-3, in the order in which it registers its types."""
    ours = list(ours)
    objects = sorted((ns3 / OBJECTS).glob("*.o"))
    defined, asked = symbols([*objects, *ours])
    home = {name: path for path in reversed(objects) for name in defined[path]}
    sources = {path: source_of(ns3, path) for path in objects}
    texts = {path: source.read_text(errors="replace") for path, source in sources.items()}
    registered = {name: path for path, text in texts.items() for name in REGISTERED.findall(text)}
    by_name = {
        path: {registered.get(name) for name in NAMED.findall(texts[path])} for path in texts
    }
    taken, todo = set(), list(ours)
    while todo:
        path = todo.pop()
        wanted = {home.get(name) for name in asked[path]} | by_name.get(path, set())
        new = {each for each in wanted if each and each not in taken}
        taken |= new
        todo += new
    return [path for path in objects if path in taken]


def source_of(ns3: Path, made: Path) -> Path:
    """Return the source file of an object."""
    module, stem = made.name.removesuffix(".o").split(".", 1)
    (found,) = (ns3 / "source" / "src" / module).glob(f"*/{stem}.cc")
    return found


def symbols(objects: Iterable[Path]) -> tuple[dict[Path, set[str]], dict[Path, set[str]]]:
    """Return the symbols that each object defines, and those that it needs."""
    listed = subprocess.run(
        ["emnm", "--print-file-name", "--no-sort", *objects],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    defined: dict[Path, set[str]] = {path: set() for path in objects}
    asked: dict[Path, set[str]] = {path: set() for path in objects}
    for line in listed.splitlines():
        file, _, rest = line.partition(": ")
        *_, kind, name = rest.split(maxsplit=2)
        if kind == "U":
            asked[Path(file)].add(name)
        elif kind.isupper():
            defined[Path(file)].add(name)
    return defined, asked
