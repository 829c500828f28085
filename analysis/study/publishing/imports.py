# SPDX-License-Identifier: GPL-2.0-only
"""Source files of a module and of all that it imports, found by reading their text. Importing
the modules would take longer than all other checks of `study reproduce` together."""

import pkgutil
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from study.base.project import ROOT

ANALYSIS = ROOT / "analysis"
PACKAGE = "study"
# Including imports inside functions. Imports for a type checker only are left out.
IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(study[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|.*)|import[ \t]+(study\b.*))",
    re.MULTILINE,
)
FOR_TYPES = re.compile(r"^if TYPE_CHECKING:\n(?:[ \t]+.*\n|\n)+", re.MULTILINE)
# Import by a name known at run time: every module of that package.
BY_NAME = re.compile(r'f"(study\.[\w.]+)\.\{')
COMMENT = re.compile(r"#.*")


class Imports:
    """Finds imports; reads each file once."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Path, list[str]] | None] = {}

    def files(self, modules: Iterable[str]) -> set[Path]:
        """Return the files of these modules, of their packages and of all that they import."""
        found: set[Path] = set()
        waiting, seen = list(modules), set()
        while waiting:
            module = waiting.pop()
            if module in seen:
                continue
            seen.add(module)
            if known := self._read(module):
                path, imported = known
                found.add(path)
                waiting += [module.rpartition(".")[0], *imported]
        return found

    def _read(self, module: str) -> tuple[Path, list[str]] | None:
        """Return a module's file and its imports, or None if the name is no module."""
        if module not in self._known:
            path = _file(module)
            self._known[module] = (path, _imported(module, path)) if path else None
        return self._known[module]


def _file(module: str) -> Path | None:
    place = ANALYSIS.joinpath(*module.split("."))
    candidates = (place / "__init__.py", place.with_suffix(".py"))
    return next(filter(Path.is_file, candidates), None) if module else None


def _imported(module: str, path: Path) -> list[str]:
    if module == PACKAGE:
        return []  # it imports lazily what it offers to users
    text = path.read_text(encoding="utf-8")
    named = [each for package in BY_NAME.findall(text) for each in _modules_of(package)]
    return [*imported_names(text), *named]


def _modules_of(package: str) -> list[str]:
    folder = ANALYSIS.joinpath(*package.split("."))
    return [f"{package}.{each.name}" for each in pkgutil.iter_modules([str(folder)])]


def imported_names(text: str) -> Iterator[str]:
    """Yield the modules of this package that a module's text imports, and names that may be."""
    for package, names, modules in IMPORT.findall(FOR_TYPES.sub("", text)):
        listed = COMMENT.sub("", names or modules).strip("()").split(",")
        for words in filter(None, map(str.split, listed)):  # NAME or NAME as OTHER
            yield f"{package}.{words[0]}" if package else words[0]
        if package:
            yield package
