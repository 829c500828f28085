# SPDX-License-Identifier: GPL-2.0-only
"""The tables of results/ as CSV: columns by name, values as texts, each file with its own columns
and no others."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from study.base.errors import StudyError


def to_csv(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    """The file's text."""
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def from_csv(text: str, columns: Sequence[str], file: str, remedy: str) -> list[dict[str, str]]:
    """The rows of the file's text; for other columns, an error with what to do."""
    reader = csv.DictReader(io.StringIO(text))
    if reader.fieldnames != list(columns):
        raise StudyError(f"{file} has other columns than this version's: {remedy}")
    return list(reader)
