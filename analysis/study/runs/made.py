# SPDX-License-Identifier: GPL-2.0-only
"""Work done on the worker to unload the client: the columns of the table, and on a cluster the
checksums of the store. A client of a cluster feeds more than twice as many; on one machine a
record is read once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from study.programs.declaration import Declaration, declaration
from study.programs.identity import Identity
from study.runs.columns import METHODS, Block, block, block_of, values_of
from study.runs.outcomes import Answer, Failure
from study.runs.records import Row, checksum, key_of

FULL = METHODS.index("full")
FEWEST = 50  # points; for fewer, columns cost more than single records


@dataclass(frozen=True)
class Made:
    """Columns of consecutive points that were all run in full. No record is inspected singly."""

    columns: Block
    sums: list[bytes] | None = None  # from a cluster's worker only

    def is_of(self, declared: Declaration, rows: Sequence[Row]) -> bool:
        """Return whether its first record gives the same columns here: a worker's Python may have
        another version than the client's although the program is the same."""
        if self.sums is None:
            return len(self.columns.outcome) == len(rows)
        key, point, record = rows[0]
        own = block(declared, [record])
        return (
            len(self.sums) == len(self.columns.prints()) == len(rows)
            and self.sums[0] == checksum(key, point.encode(), record)
            and own.begins_like(self.columns)
            and own.prints()[0] == self.columns.prints()[0]
        )


class Handed(Protocol):
    """Callback for part of a chunk: index of the first point, the answers, and what was made of
    them."""

    def __call__(self, start: int, answers: list[Answer], made: Made | None = None) -> object: ...


def with_columns(program: Identity, lines: Sequence[str], answers: Sequence[Answer]) -> Made | None:
    """Return a chunk's columns and checksums, or None if a point failed or was not run in full."""
    if len(answers) != len(lines) or any(isinstance(each, Failure) for each in answers):
        return None
    columns = block(declaration(program.scenario), answers)
    if (columns.method != FULL).any():
        return None
    sums = [
        checksum(key_of(program.digest, line), line.encode(), answer)
        for line, answer in zip(lines, answers, strict=True)
    ]
    return Made(columns._replace(known=columns.prints()), sums)


class Reading:
    """Collects columns of records that are parsed on this machine anyway."""

    def __init__(self, program: Identity) -> None:
        self._declared = declaration(program.scenario)
        self._of_all = values_of(self._declared)
        self._values: list[tuple] = []

    def add(self, record: Mapping) -> None:
        """Add the next record; one with missing values prevents columns."""
        try:
            self._values.append(self._of_all(record))
        except KeyError:
            self._values.append((None, None))

    def made(self, count: int) -> Made | None:
        """Return the columns of all records since the last call, if there are `count`, or None if
        there are too few or not all were run in full."""
        values, self._values = self._values, []
        if (
            len(values) < FEWEST
            or len(values) != count
            or any(each[1] != METHODS[FULL] for each in values)
        ):
            return None
        return Made(block_of(self._declared, values))
