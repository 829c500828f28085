# SPDX-License-Identifier: GPL-2.0-only
"""File of a run's waits: which end waited for what, and how full the send buffers were."""

import csv
import io
from collections.abc import Mapping
from typing import NamedTuple

from study.base.errors import StudyError

COLUMNS = ["from_s", "waits_for", "end"]
BUFFER = "_buffer_B"  # after the name of the end whose send buffer it is


class Wait(NamedTuple):
    """From an instant on, until that of the next one. The last is the end: it waits for nothing."""

    from_s: float  # since the first row of the segment table; what waits before that is below 0
    limit: str  # as `limits_s` calls it
    end: str  # which end waits, or none: the transfer does
    buffers_B: Mapping[str, int]  # what is written and not acknowledged, of each end that tells


def read(text: str) -> list[Wait]:
    """The records of such a file."""
    rows = csv.reader(io.StringIO(text))
    titles = next(rows, None)
    if titles is None or titles[:3] != COLUMNS:
        raise StudyError(f"such a file begins with {','.join(COLUMNS)}; this one does not")
    ends = [title.removesuffix(BUFFER) for title in titles[3:]]
    return [
        Wait(float(since), limit, end, dict(zip(ends, map(int, held), strict=True)))
        for since, limit, end, *held in rows
    ]
