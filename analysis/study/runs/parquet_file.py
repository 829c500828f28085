# SPDX-License-Identifier: GPL-2.0-only
"""A Parquet file that grows with a sweep's rows."""

import base64
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from study.base.project import in_place
from study.runs.columns import WHOLE, Block
from study.runs.rows import Rows
from study.runs.sweep_table import frame

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

ATTRIBUTES = "PANDAS_ATTRS"  # where pandas keeps a table's attributes in a file
ROW_GROUP = 10_000  # at least, except for the last group
SCHEMA = "ARROW:schema"  # where Arrow keeps the schema in a file


class ParquetFile(Rows):
    """Table that is written while its points run, in their order, with several blocks in a row
    group. The file appears when it is complete."""

    def __init__(self, path: Path, *given: object) -> None:
        super().__init__(*given)
        self._path, self._next, self._ready_to = path, 0, 0
        self._ready: list[Block] = []  # for a row group, in order
        self._waiting: dict[int, Block] = {}  # blocks that came before their turn
        self._parts: list[Path] = []  # a new part whenever a column changes its type
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
        """Finish the file, with the attributes of the whole table."""
        if len(self._parts) > 1:
            self._unite()
        # Readers look for it in the schema, whose copy was written before the first row.
        schema = self._writer.schema
        units = {name: each for name, each in self._attrs["units"].items() if name in schema.names}
        said = {ATTRIBUTES: json.dumps(self._attrs | {"units": units} | dict(attributes))}
        whole = schema.with_metadata(schema.metadata | said).serialize().to_pybytes()
        self._writer.add_key_value_metadata({SCHEMA: base64.b64encode(whole).decode()})
        self._end_part()
        in_place({self._path: self._parts[-1]})

    def _unite(self) -> None:
        """Join parts whose columns differ: floats win over integers, and absent columns are missing
        values."""
        import pyarrow as pa
        from pyarrow import parquet

        self._end_part()
        parts = [parquet.ParquetFile(part) for part in self._parts]
        schemas = [part.schema_arrow for part in parts]
        widest = max(schemas, key=lambda each: len({*each.names} - self._split))
        both = pa.unify_schemas([widest, *schemas], promote_options="permissive")
        # A part whose points all failed does not have it.
        both = pa.schema(field for field in both if field.name not in self._split)
        both = both.with_metadata(_described(widest.metadata, both))
        self._parts.append(self._folder / "united")
        self._writer = parquet.ParquetWriter(self._parts[-1], both)
        for part in parts:
            for group in range(part.num_row_groups):
                self._writer.write_table(_as(part.read_row_group(group), both))

    def close(self) -> None:
        """Delete temporary files, whether or not the table was finished."""
        with suppress(OSError):
            self._end_part()
        self._temporary.cleanup()


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
    """Return pandas' description of its types, corrected for columns that changed."""
    own = json.loads(metadata[b"pandas"])
    own["columns"] = [each for each in own["columns"] if each["name"] in schema.names]
    for column in own["columns"]:
        if str(schema.field(column["name"]).type) == "double":
            column["pandas_type"] = column["numpy_type"] = "float64"
    return {**metadata, b"pandas": json.dumps(own).encode()}
