# SPDX-License-Identifier: GPL-2.0-only
"""What a system or host file says in words: its sources, and what of its figures does not agree
with the simulation, and why."""

from dataclasses import dataclass
from typing import TypeVar

from study.base.toml_file import TomlFile


@dataclass(frozen=True)
class Source:
    """A document that figures and parameters are quoted from."""

    id: str
    title: str


@dataclass(frozen=True)
class Disagreement:
    """What does not agree, in a few words, and why."""

    what: str
    why: str


Note = TypeVar("Note", Source, Disagreement)


def read_notes(file: TomlFile, table: str, kind: type[Note], entries: list) -> tuple[Note, ...]:
    """The [[source]] or the [[disagrees]] tables, each of which has to have every text of its
    kind."""
    names = tuple(kind.__dataclass_fields__)
    for entry in entries:
        if not isinstance(entry, dict):
            raise file.error(f"{table} has to be a list of tables: [[{table}]]", table)
        file.check(entry, dict.fromkeys(names, (str,)), table)
        for name in names:
            if not entry.get(name):
                raise file.error(f"a [[{table}]] table has no {name}; give one", table)
    return tuple(kind(**entry) for entry in entries)
