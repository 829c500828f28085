# SPDX-License-Identifier: GPL-2.0-only
"""Work done on a cluster's worker to unload the client: the columns of the table and the checksums
of the store. The client feeds more than twice as many."""

from collections.abc import Sequence
from dataclasses import dataclass

from study.programs.declaration import Declaration, declaration
from study.programs.identity import Identity
from study.runs.columns import METHODS, Block, block
from study.runs.outcomes import Answer, Failure
from study.runs.records import Row, checksum, key_of

FULL = METHODS.index("full")


@dataclass(frozen=True)
class Made:
    """Columns and checksums of consecutive points that were all run in full. No record is inspected
    singly."""

    columns: Block
    sums: list[bytes]

    def is_of(self, declared: Declaration, rows: Sequence[Row]) -> bool:
        """Return whether its first record gives the same columns here: a worker's Python may have
        another version than the client's although the program is the same."""
        key, point, record, sum_ = rows[0]
        own = block(declared, [record])
        return (
            len(self.columns.prints()) == len(rows)
            and sum_ == checksum(key, point.encode(), record)
            and own.begins_like(self.columns)
            and own.prints()[0] == self.columns.prints()[0]
        )


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
