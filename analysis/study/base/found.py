# SPDX-License-Identifier: GPL-2.0-only
"""Modules of a package, found by their files: a new module needs no entry in a list."""

import pkgutil
from importlib import import_module
from pathlib import Path
from types import ModuleType


class Found(dict[str, str]):
    """The modules of a package, sorted: the name that a user types (telnet-nagle) to the
    module's."""

    def __init__(self, package: str, init_file: str) -> None:
        names = sorted(each.name for each in pkgutil.iter_modules([str(Path(init_file).parent)]))
        super().__init__({name.replace("_", "-"): f"{package}.{name}" for name in names})

    def module(self, name: str) -> ModuleType:
        return import_module(self[name])

    def about(self, name: str) -> str:
        """Return a one-line description: the module docstring's first sentence, up to a colon."""
        text = " ".join((self.module(name).__doc__ or "").split())
        return text.partition(". ")[0].partition(": ")[0].rstrip(".")
