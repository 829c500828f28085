# SPDX-License-Identifier: GPL-2.0-only
"""A sweep's rows as they come, in columns: what every table knows of its points, and a table in
memory."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from study.programs.declaration import Declaration
from study.programs.values import Value
from study.runs.columns import FAILED, OUTCOMES, Block, Numbers, block, placed
from study.runs.outcomes import Answer, Failure
from study.runs.sweep_table import frame
from study.runs.varied import varied_columns

if TYPE_CHECKING:
    import pandas as pd


class Rows:
    """Base of all tables: the outcome of each point and a hash of its results."""

    def __init__(
        self, declared: Declaration, varied: Mapping[str, Sequence[Value]], count: int
    ) -> None:
        self.declared, self.count = declared, count
        self.varied = varied_columns(declared, varied)
        self.outcome = np.zeros(count, "int8")
        self.prints = np.zeros(count, "uint64")
        self.first_failure: tuple[int, str] | None = None  # row number and reason

    def add(self, start: int, answers: list[Answer]) -> None:
        """Add the answers of consecutive points."""
        made = block(self.declared, answers)
        if FAILED in made.outcome and (self.first_failure is None or start < self.first_failure[0]):
            place = next(n for n, answer in enumerate(answers) if isinstance(answer, Failure))
            self.first_failure = (start + place, answers[place].reason)
        self.take(start, made)

    def take(self, start: int, made: Block) -> None:
        """Add consecutive finished points given as columns."""
        end = start + len(made.outcome)
        self.outcome[start:end], self.prints[start:end] = made.outcome, made.prints()
        self.keep(start, made)

    def keep(self, start: int, made: Block) -> None:
        raise NotImplementedError

    def counts(self) -> list[int]:
        """Return the number of points with each of OUTCOMES."""
        return np.bincount(self.outcome, minlength=len(OUTCOMES)).tolist()

    def ended(self) -> list[int]:
        """Return the row numbers of points with a result."""
        return np.flatnonzero(self.outcome != FAILED).tolist()


class Table(Rows):
    """Table in memory. Each column has its full length from the first block on, so that it exists
    once."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)
        self._method = np.zeros(self.count, "int8")
        self._reason = [""] * self.count
        self._results: dict[str, dict[str, Numbers]] = {key: {} for key in self.declared.results}

    def keep(self, start: int, made: Block) -> None:
        end = start + len(made.outcome)
        self._method[start:end], self._reason[start:end] = made.method, made.reason
        for key, parts in made.results.items():
            whole = self._results[key]
            for part, numbers in parts.items():
                whole[part] = placed(whole.get(part), self.count, start, numbers)

    def frame(self) -> "pd.DataFrame":
        """Return the whole table; it can be asked for once."""
        return frame(self.declared, self.varied, [self.block()])

    def block(self) -> Block:
        """Return the whole table as one block."""
        return Block(self.outcome, self._method, self._reason, self._results)
