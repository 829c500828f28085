# SPDX-License-Identifier: GPL-2.0-only
"""The tables of results/ as CSV: columns by name, values as texts, each file with its own columns
and no others."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from study.base.errors import StudyError


def to_csv(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    """Return the rows as the file's text."""
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def from_csv(text: str, columns: Sequence[str], file: str, remedy: str) -> list[dict[str, str]]:
    """Return the rows of the file's text. Raise StudyError if the columns are others. The message
    names `file` and `remedy`."""
    reader = csv.DictReader(io.StringIO(text))
    if reader.fieldnames != list(columns):
        raise StudyError(f"{file} has other columns than this version's: {remedy}")
    return list(reader)
