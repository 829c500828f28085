# SPDX-License-Identifier: GPL-2.0-only
"""Texts of a system or host file: its sources, and the figures that do not agree with the
simulation, with reasons."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, TypeVar

from study.base.toml_file import TomlFile


@dataclass(frozen=True)
class Source:
    """A document that figures and parameters are quoted from. Its author is empty where unknown."""

    id: str
    title: str
    author: str = ""


@dataclass(frozen=True)
class Disagreement:
    """A figure that disagrees with the simulation, in a few words, and why."""

    what: str
    why: str


@dataclass(frozen=True)
class NotModelled:
    """Something that the real transfer had and the model lacks. A change of a parameter that it
    `blocks` has no answer; if `blocks` is empty, no change has."""

    name: str
    what: str
    blocks: tuple[str, ...] = ()

    def meets(self, keys: Iterable[str]) -> list[str]:
        """Return the keys of parameters whose change it blocks."""
        return [key for key in keys if not self.blocks or key in self.blocks]


Note = TypeVar("Note", Source, Disagreement)


def read_not_modelled(
    file: TomlFile, entries: Mapping[str, Any], known: Container[str]
) -> tuple[NotModelled, ...]:
    """Read the [not_modelled] table: names, each with `what` and the parameters that it `blocks`.
    Raise StudyError if an entry has no `what`, or blocks an unknown parameter."""
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
    """Read the [[source]] or [[disagrees]] tables. Raise StudyError if a table lacks a required
    text."""
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
