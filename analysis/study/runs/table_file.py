# SPDX-License-Identifier: GPL-2.0-only
"""Where a sweep's rows go as they come: into memory, or into a Parquet file that grows with
them."""

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click
import numpy as np

from study.base.project import in_place
from study.programs.declaration import Declaration
from study.programs.values import Value
from study.runs.columns import FAILED, WHOLE, Block, Numbers, block, placed
from study.runs.outcomes import Answer, Failure
from study.runs.table import csv_parts, frame, varied_columns

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

ATTRIBUTES = "PANDAS_ATTRS"  # where pandas keeps a table's attributes in a file
ROW_GROUP = 10_000  # at least, but for the last one
SCHEMA = "ARROW:schema"  # where Arrow keeps the schema in it


class Rows:
    """What every table knows of its points: how they ended, and which came to the same."""

    def __init__(
        self, declared: Declaration, varied: Mapping[str, Sequence[Value]], count: int
    ) -> None:
        self.declared, self.count = declared, count
        self.varied = varied_columns(declared, varied)
        self.outcome = np.zeros(count, "int8")
        self.prints = np.zeros(count, "uint64")
        self.first_failure: tuple[int, str] | None = None  # its row, and its reason

    def add(self, start: int, answers: list[Answer]) -> None:
        """The answers of some points after one another."""
        made = block(self.declared, answers)
        if FAILED in made.outcome and (self.first_failure is None or start < self.first_failure[0]):
            place = next(n for n, answer in enumerate(answers) if isinstance(answer, Failure))
            self.first_failure = (start + place, answers[place].reason)
        self.take(start, made)

    def take(self, start: int, made: Block) -> None:
        """The same of points that have ended, as columns already."""
        end = start + len(made.outcome)
        self.outcome[start:end], self.prints[start:end] = made.outcome, made.prints()
        self.keep(start, made)

    def keep(self, start: int, made: Block) -> None:
        raise NotImplementedError

    def ended(self) -> list[int]:
        """The rows of the points that have a result."""
        return np.flatnonzero(self.outcome != FAILED).tolist()


class Table(Rows):
    """A table in memory: each column is as long as it will be from the first block on, so that it
    is there once."""

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
        """All of it, once."""
        everything = Block(self.outcome, self._method, self._reason, self._results)
        return frame(self.declared, self.varied, [everything])


class CsvFile(Table):
    """A table that is written when all of it is there: a number's column may turn out to be another
    at its last point. Without a path, to standard output."""

    def __init__(self, path: Path | None, *given: object) -> None:
        super().__init__(*given)
        self._path = path

    def finish(self, attributes: Mapping[str, object]) -> None:
        """What there is to say of the whole table has no place in it."""
        if self._path is None:
            for part in csv_parts(self.frame()):
                click.echo(part, nl=False)
            return
        with TemporaryDirectory(prefix=f".{self._path.name}.", dir=self._path.parent) as folder:
            whole = Path(folder, "whole")
            with whole.open("w", encoding="utf-8", newline="") as file:
                file.writelines(csv_parts(self.frame()))
            in_place({self._path: whole})

    def close(self) -> None:
        """Nothing is open."""


class ParquetFile(Rows):
    """A table that is written while its points are run: some blocks a row group, in the points'
    order. The file is there when it is whole."""

    def __init__(self, path: Path, *given: object) -> None:
        super().__init__(*given)
        self._path, self._next, self._ready_to = path, 0, 0
        self._ready: list[Block] = []  # for a row group, and in order
        self._waiting: dict[int, Block] = {}  # for those before them
        self._parts: list[Path] = []  # a new one where a column turned out to be another
        self._writer, self._attrs = None, {}
        self._split: set[str] = set()  # results that are split into parts
        self._temporary = TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent)
        self._folder = Path(self._temporary.name)

    def keep(self, start: int, made: Block) -> None:
        self._waiting[start] = made
        self._split |= {key for key, parts in made.results.items() if WHOLE not in parts}
        while self._ready_to in self._waiting:
            self._ready.append(self._waiting.pop(self._ready_to))
            self._ready_to += len(self._ready[-1].outcome)
            if self._ready_to - self._next >= ROW_GROUP or self._ready_to == self.count:
                places, self._next = slice(self._next, self._ready_to), self._ready_to
                varied = {name: column[places] for name, column in self.varied.items()}
                ready, self._ready = self._ready, []
                self._write(frame(self.declared, varied, ready))

    def _write(self, rows: "pd.DataFrame") -> None:
        import pyarrow as pa
        from pyarrow import parquet

        units = self._attrs.get("units", {}) | rows.attrs["units"]
        self._attrs = rows.attrs | {"units": units}
        rows.attrs = {}
        table = pa.Table.from_pandas(rows, preserve_index=False)
        if self._writer is None or not table.schema.equals(self._writer.schema):
            self._end_part()
            self._parts.append(self._folder / str(len(self._parts)))
            self._writer = parquet.ParquetWriter(self._parts[-1], table.schema)
        self._writer.write_table(table)

    def _end_part(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def finish(self, attributes: Mapping[str, object]) -> None:
        """With what there is to say of the whole table."""
        if len(self._parts) > 1:
            self._unite()
        # Where readers look for it: in the schema, whose copy was written before there was a row.
        schema = self._writer.schema
        units = {name: each for name, each in self._attrs["units"].items() if name in schema.names}
        said = {ATTRIBUTES: json.dumps(self._attrs | {"units": units} | dict(attributes))}
        whole = schema.with_metadata(schema.metadata | said).serialize().to_pybytes()
        self._writer.add_key_value_metadata({SCHEMA: base64.b64encode(whole).decode()})
        self._end_part()
        in_place({self._path: self._parts[-1]})

    def _unite(self) -> None:
        """Parts whose columns differ as one: numbers that are not whole win, what a part has not is
        missing there."""
        import pyarrow as pa
        from pyarrow import parquet

        self._end_part()
        parts = [parquet.ParquetFile(part) for part in self._parts]
        schemas = [part.schema_arrow for part in parts]
        widest = max(schemas, key=lambda each: len({*each.names} - self._split))
        both = pa.unify_schemas([widest, *schemas], promote_options="permissive")
        # Where all points of a part failed, it does not know that.
        both = pa.schema(field for field in both if field.name not in self._split)
        both = both.with_metadata(_described(widest.metadata, both))
        self._parts.append(self._folder / "united")
        self._writer = parquet.ParquetWriter(self._parts[-1], both)
        for part in parts:
            for group in range(part.num_row_groups):
                self._writer.write_table(_as(part.read_row_group(group), both))

    def close(self) -> None:
        """Whether or not it was finished."""
        with suppress(OSError):
            self._end_part()
        self._temporary.cleanup()


@contextmanager
def written(path: Path | None, *given: object) -> Iterator[CsvFile | ParquetFile]:
    """Rows on their way into a file, or, without a name, to standard output as CSV."""
    is_parquet = path is not None and path.suffix == ".parquet"
    rows = (ParquetFile if is_parquet else CsvFile)(path, *given)
    try:
        yield rows
    finally:
        rows.close()


def _as(rows: "pa.Table", schema: "pa.Schema") -> "pa.Table":
    import pyarrow as pa

    columns = [
        rows[field.name].cast(field.type)
        if field.name in rows.schema.names
        else pa.nulls(rows.num_rows, field.type)
        for field in schema
    ]
    return pa.Table.from_arrays(columns, schema=schema)


def _described(metadata: Mapping[bytes, bytes], schema: "pa.Schema") -> dict[bytes, bytes]:
    """What pandas wrote of its own types, where a column has become another."""
    own = json.loads(metadata[b"pandas"])
    own["columns"] = [each for each in own["columns"] if each["name"] in schema.names]
    for column in own["columns"]:
        if str(schema.field(column["name"]).type) == "double":
            column["pandas_type"] = column["numpy_type"] = "float64"
    return {**metadata, b"pandas": json.dumps(own).encode()}
