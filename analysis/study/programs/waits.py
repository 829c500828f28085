# SPDX-License-Identifier: GPL-2.0-only
"""File of a run's waits: which end waited for what, and how full the send buffers were."""

import csv
import io
from collections.abc import Mapping
from typing import NamedTuple

from study.base.errors import StudyError

COLUMNS = ["from_s", "waits_for", "end"]
BUFFER = "_buffer_B"  # after the name of an end: its send buffer


class Wait(NamedTuple):
    """A wait, from an instant until the next record's. The last record is the end, with no wait."""

    from_s: float  # after the first row of the segment table; negative before it
    limit: str  # a key of `limits_s`
    end: str  # the end that waits; empty if the whole transfer does
    buffers_B: Mapping[str, int]  # written and unacknowledged bytes, for each end that reports them


def read(text: str) -> list[Wait]:
    """Return the records of a file of waits, or raise StudyError if it is none."""
    rows = csv.reader(io.StringIO(text))
    titles = next(rows, None)
    if titles is None or titles[:3] != COLUMNS:
        raise StudyError(f"such a file begins with {','.join(COLUMNS)}; this one does not")
    ends = [title.removesuffix(BUFFER) for title in titles[3:]]
    return [
        Wait(float(since), limit, end, dict(zip(ends, map(int, held), strict=True)))
        for since, limit, end, *held in rows
    ]
