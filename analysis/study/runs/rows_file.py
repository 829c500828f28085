# SPDX-License-Identifier: GPL-2.0-only
"""The file that a sweep's rows go to as they come."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from study.runs.csv_file import CsvFile
    from study.runs.parquet_file import ParquetFile


def rows_file(path: Path | None, *given: object) -> "CsvFile | ParquetFile":
    """Return a table whose rows are written to a file, by its suffix Parquet or CSV. A path of None
    is standard output. Close it at the end."""
    if path is not None and path.suffix == ".parquet":
        from study.runs.parquet_file import ParquetFile as Kind
    else:
        from study.runs.csv_file import CsvFile as Kind
    return Kind(path, *given)
