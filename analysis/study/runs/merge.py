# SPDX-License-Identifier: GPL-2.0-only
"""Merge of result stores: those of other machines, or the whole records of a damaged one. Every
record is compared with its checksum, its point and its program before it is taken over."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from study.base.errors import StudyError
from study.base.project import shown
from study.programs.identity import Identity
from study.runs.records import Record, Row, key_of, row_of
from study.runs.spot_checks import OF_THE_METHOD, is_fast_forwarded
from study.runs.store import Store
from study.runs.store_file import FILE, file_in


@dataclass
class Merged:
    """Numbers of records from other stores, by what was done with them."""

    taken: int = 0
    known: int = 0  # already in this store
    damaged: int = 0  # did not match their checksum
    gaps: int = 0  # places where a store could not be read

    def __str__(self) -> str:
        parts = [f"{self.taken:,} results taken over", f"{self.known:,} were here already"]
        if self.damaged:
            parts.append(f"{self.damaged:,} did not match their checksums and were left out")
        if self.gaps:
            parts.append(f"in {self.gaps:,} places a store could not be read")
        return ", ".join(parts)


def merge(into: Store, sources: Sequence[Path]) -> Merged:
    """Copy the results of other stores, given as folders or as the files in them. Raise StudyError
    if there is no such store, it is the same store, or two stores disagree."""
    merged = Merged()
    folders = [each.parent if each.name == FILE else each for each in sources]
    for folder in folders:
        if not file_in(folder).is_file():
            raise StudyError(f"there is no result store in {shown(folder)}")
        if file_in(folder).samefile(into.path):
            raise StudyError(f"{shown(folder)} is the store to merge into: name another --store")
    for folder in folders:
        with Store(folder, source=True) as source:
            for records in source.batches():
                _take_over(into, records, merged)
            merged.damaged += source.damaged
            merged.gaps += source.gaps
    return merged


def _take_over(into: Store, records: Sequence[Record], merged: Merged) -> None:
    here = into.get([record.key for record in records])
    rows: dict[str, list[Row]] = {}
    programs = {record.program.digest: record.program for record in records}
    for key, point, record, program in records:
        if key_of(program.digest, point) != key:
            merged.damaged += 1
            continue
        own = here.get(key)
        if own is None or (own != record and _is_better(own, record, point, program.scenario)):
            rows.setdefault(program.digest, []).append(row_of(key, point, record))
        merged.taken += own is None
        merged.known += own is not None
    for digest, new in rows.items():
        program = programs[digest]
        identity = Identity(program.scenario, Path(), digest, ())
        into.put(identity, program.ns3, program.declaration, new)


def _is_better(own: bytes, other: bytes, point: str, scenario: str) -> bool:
    """Return whether the other record is better, because it was run in full. Raise StudyError if
    the two records have different results."""
    one, two = (
        {name: value for name, value in orjson.loads(each).items() if name not in OF_THE_METHOD}
        for each in (own, other)
    )
    if one != two:
        name = next(name for name in {**one, **two} if one.get(name) != two.get(name))
        raise StudyError(
            f"two stores differ: {name} is {one.get(name)} and {two.get(name)} for the {scenario}"
            f" {point}: run it again where each was made"
        )
    return is_fast_forwarded(own) and not is_fast_forwarded(other)
