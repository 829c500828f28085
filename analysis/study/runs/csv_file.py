# SPDX-License-Identifier: GPL-2.0-only
"""A sweep's table as CSV, straight from its columns: pandas, which writes the same bytes, takes
longer to start than ten thousand rows to write."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, repeat
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import numpy as np

from study.base.project import in_place
from study.runs.columns import METHODS, OUTCOMES, Integers, Numbers, in_columns
from study.runs.rows import Table
from study.runs.varied import Texts

ROWS_AT_ONCE = 50_000
MISSING = ""


class CsvFile(Table):
    """Table that is written when it is complete: the last point may change a column's type. A path
    of None is standard output."""

    def __init__(self, path: Path | None, *given: object) -> None:
        super().__init__(*given)
        self._path = path

    def finish(self, attributes: Mapping[str, object]) -> None:
        """Write the table; CSV has no place for `attributes`."""
        if self._path is None:
            for part in self.parts():
                click.echo(part, nl=False)
            return
        with TemporaryDirectory(prefix=f".{self._path.name}.", dir=self._path.parent) as folder:
            whole = Path(folder, "whole")
            with whole.open("w", encoding="utf-8", newline="") as file:
                file.writelines(self.parts())
            in_place({self._path: whole})

    def parts(self) -> Iterator[str]:
        """Yield the table as text, several rows at a time."""
        block = self.block()
        columns: dict[str, Sequence[str] | Numbers | Texts] = dict(self.varied)
        columns["outcome"] = Texts(block.outcome, OUTCOMES)
        columns["reason"] = block.reason
        columns["method"] = Texts(block.method, METHODS)
        for _, found in in_columns(self.declared, [block]):
            columns |= found
        yield ",".join(map(_cell, columns)) + "\n"
        for start in range(0, self.count, ROWS_AT_ONCE):
            some = slice(start, start + ROWS_AT_ONCE)
            rows = len(range(self.count)[some])
            cells = _beside([_cells(column, some) for column in columns.values()], rows)
            yield "".join([",".join(row) + "\n" for row in zip(*cells, strict=True)])

    def close(self) -> None:
        """Do nothing. No file is open."""


def _beside(columns: Sequence[Sequence[str] | str], rows: int) -> Iterator[Iterable[str]]:
    """Yield the columns of a row's parts. Neighbouring columns that are constant, as most are,
    become one text."""
    for is_same, some in groupby(columns, lambda cells: isinstance(cells, str)):
        if is_same:
            yield repeat(",".join(some), rows)
        else:
            yield from some


def _cells(column: Sequence[str] | Numbers | Texts, some: slice) -> Sequence[str] | str:
    """Return the cells of some rows of a column; one text if they are all equal."""
    if isinstance(column, Texts):
        cells = [*map(_cell, column.names), MISSING]  # MISSING is for a code of -1
        codes = column.codes[some]
        return cells[codes[0]] if _is_same(codes) else [cells[code] for code in codes.tolist()]
    if isinstance(column, Integers):
        data, missing = (part[some] for part in column)
        if _is_same(data) and _is_same(missing):
            return MISSING if missing[0] else str(data[0])
        pairs = zip(_each(str, data.tolist()), missing.tolist(), strict=True)
        return [MISSING if is_missing else cell for cell, is_missing in pairs]
    if isinstance(column, list):
        texts = column[some]
        return _cell(texts[0]) if texts.count(texts[0]) == len(texts) else _each(_cell, texts)
    numbers = column[some]
    if numbers.dtype != np.float64:
        return str(numbers[0]) if _is_same(numbers) else _each(str, numbers.tolist())
    # Compare bits: 0.0 and -0.0 are equal, but look different.
    bits = numbers.view("int64")
    if _is_same(bits):
        return _real(numbers[0].item())
    return _each(_real, numbers.tolist(), bits.tolist())


def _is_same(numbers: np.ndarray) -> bool:
    return bool((numbers == numbers[0]).all())


def _each(
    write: Callable[[object], str], values: Sequence, keys: Sequence | None = None
) -> Sequence[str]:
    """Return all values as text; write each repeated value once."""
    keys = values if keys is None else keys
    different = dict(zip(keys, values, strict=True))
    if len(different) > len(values) / 2:
        return list(map(write, values))
    cells = {key: write(value) for key, value in different.items()}
    return [cells[key] for key in keys]


def _real(number: float) -> str:
    return MISSING if number != number else repr(number)


def _cell(text: str) -> str:
    """Return a cell, quoted if it needs that."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow([text, MISSING])
    return line.getvalue().removesuffix(",\n")
