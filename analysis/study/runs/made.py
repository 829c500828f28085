# SPDX-License-Identifier: GPL-2.0-only
"""What a worker of a cluster can do with a chunk's answers so that the client has little to do: the
columns of the table and the checksums of the store. A client feeds more than twice as many."""

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
    """Of a chunk that is whole, all of it run in full: nothing in it is looked at one by one."""

    columns: Block
    sums: list[bytes]

    def is_of(self, declared: Declaration, rows: Sequence[Row]) -> bool:
        """Whether the first of it is what it would be here: a worker's Python may be of another
        version than the client's, where the program is the same."""
        key, point, record = rows[0]
        own = block(declared, [record])
        theirs = self.columns.results
        return (
            len(self.sums) == len(rows)
            and self.sums[0] == checksum(key, point.encode(), record)
            and {key: [*parts] for key, parts in own.results.items()}
            == {key: [*parts] for key, parts in theirs.items()}
            and own.prints()[0] == self.columns.prints()[0]
        )


def with_columns(program: Identity, lines: Sequence[str], answers: Sequence[Answer]) -> Made | None:
    """What can be made of a chunk's answers here."""
    if len(answers) != len(lines) or any(isinstance(each, Failure) for each in answers):
        return None
    columns = block(declaration(program.scenario), answers)
    if (columns.method != FULL).any():
        return None
    sums = [
        checksum(key_of(program.digest, line), line.encode(), answer)
        for line, answer in zip(lines, answers, strict=True)
    ]
    return Made(columns, sums)
