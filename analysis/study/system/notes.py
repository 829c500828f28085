# SPDX-License-Identifier: GPL-2.0-only
"""Texts of a system or host file: its sources, and the figures that do not agree with the
simulation, with reasons."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, TypeVar

from study.base.toml_file import TomlFile


@dataclass(frozen=True)
class Source:
    """A document that figures and parameters are quoted from, and who wrote it, as it says
    itself; empty where nobody gave it."""

    id: str
    title: str
    author: str = ""


@dataclass(frozen=True)
class Disagreement:
    """What does not agree, in a few words, and why."""

    what: str
    why: str


@dataclass(frozen=True)
class NotModelled:
    """What the transfer that a system was made of has and the model has not. A change of what it
    `blocks` would rest on that; of anything, where it names nothing."""

    name: str
    what: str
    blocks: tuple[str, ...] = ()

    def meets(self, keys: Iterable[str]) -> list[str]:
        """Those of the parameters whose change rests on it."""
        return [key for key in keys if not self.blocks or key in self.blocks]


Note = TypeVar("Note", Source, Disagreement)


def read_not_modelled(
    file: TomlFile, entries: Mapping[str, Any], known: Container[str]
) -> tuple[NotModelled, ...]:
    """The [not_modelled] table: by a name of its own each with `what`, and which parameters it
    `blocks`."""
    found = []
    for name in entries:
        entry = file.typed(entries, name, dict, at="not_modelled")
        file.check(entry, {"what": (str,), "blocks": (list,)}, name)
        if not entry.get("what"):
            raise file.error(f"{name} in [not_modelled] has no what; say it in a sentence", name)
        blocks = entry.get("blocks", [])
        for key in blocks:
            if key not in known:
                raise file.error(f"{name}: blocks {key!r}, which is no parameter", name)
        found.append(NotModelled(name, entry["what"], tuple(blocks)))
    return tuple(found)


def read_notes(file: TomlFile, table: str, kind: type[Note], entries: list) -> tuple[Note, ...]:
    """The [[source]] or the [[disagrees]] tables, each of which has to have every text of its
    kind that may not be left out."""
    names = tuple(kind.__dataclass_fields__)
    needed = [each.name for each in fields(kind) if each.default is MISSING]
    for entry in entries:
        if not isinstance(entry, dict):
            raise file.error(f"{table} has to be a list of tables: [[{table}]]", table)
        file.check(entry, dict.fromkeys(names, (str,)), table)
        for name in needed:
            if not entry.get(name):
                raise file.error(f"a [[{table}]] table has no {name}; give one", table)
    return tuple(kind(**entry) for entry in entries)
