# SPDX-License-Identifier: GPL-2.0-only
"""Which jobs of a live run its text names first."""

from unittest.mock import Mock

import numpy as np
import pytest
from study.live.end import Heard
from study.live.outcome import MOST_JOBS, Job, Outcome
from study.live.session import Seen

NONE = np.zeros(0, np.int64)
LONG = MOST_JOBS + 3


def told(jobs: int, lost: set[int]) -> tuple[list[str], int]:
    """The text's rows of so many jobs, those with these numbers lost, and the status."""
    made = []
    for number in range(1, jobs + 1):
        heard = Heard(number, 9100, 40000 + number, ended="lost" if number in lost else "closed")
        made.append(Job(None, heard, 100, "", number not in lost, None, None))
    found = Outcome(Mock(scenario="print-job"), Seen(0, (), False, 0, NONE, NONE), tuple(made))
    return [line for line in found.lines() if "9100" in line or "more" in line], found.status


@pytest.mark.parametrize(
    ("jobs", "lost", "first", "last"),
    [
        (3, set(), ["1", "2", "3"], None),
        (3, {2}, ["2", "1", "3"], None),
        (LONG, {LONG - 2, LONG - 1}, [str(LONG - 2), str(LONG - 1), "1"], "and 3 more"),
        (LONG, set(range(1, LONG)), ["1", "2", "3"], "and 3 more, 2 of them not whole"),
    ],
)
def test_a_job_that_is_not_whole_is_named_first(jobs: int, lost: set, first: list, last: str):
    rows, status = told(jobs, lost)
    assert [row.split()[0] for row in rows[:3]] == first
    assert ["not whole: lost" in row for row in rows[:3]] == [int(each) in lost for each in first]
    assert rows[-1] == last or last is None
    assert status == (1 if lost else 0)
