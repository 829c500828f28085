# SPDX-License-Identifier: GPL-2.0-only
"""What a system or host file says in words: its sources, and what of its figures does not agree
with the simulation, and why."""

from dataclasses import dataclass

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


def read_sources(file: TomlFile, tables: list) -> tuple[Source, ...]:
    """The [[source]] tables."""
    return tuple(Source(**fields) for fields in _texts(file, "source", tables, ("id", "title")))


def read_disagreements(file: TomlFile, tables: list) -> tuple[Disagreement, ...]:
    """The [[disagrees]] tables."""
    found = _texts(file, "disagrees", tables, ("what", "why"))
    return tuple(Disagreement(**fields) for fields in found)


def _texts(file: TomlFile, table: str, entries: list, names: tuple[str, ...]) -> list[dict]:
    for entry in entries:
        if not isinstance(entry, dict):
            raise file.error(f"{table} has to be a list of tables: [[{table}]]", table)
        file.check(entry, dict.fromkeys(names, (str,)), table)
        for name in names:
            if not entry.get(name):
                raise file.error(f"a [[{table}]] table has no {name}; give one", table)
    return entries
