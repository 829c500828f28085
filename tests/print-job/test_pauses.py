# SPDX-License-Identifier: GPL-2.0-only
"""The port's pauses by hand: a raw job of 206 segments into a buffer of one, and pauses of 100 ms.

The interval moves over a fine grid. Neither the program's count of what was taken since the last
pause nor the closed form's is used: an interval has its pauses at its multiples.
"""

from pathlib import Path

import pytest
from both_ways import batch
from study.scenarios.print_job import pauses
from study.scenarios.print_job.messages import PrintJob

JOB_B, WINDOW_B, PAUSE_S = 300_000, 1460, 0.1
# From small to large, between multiples of the segment and on both sides of them.
EVERY_B = [*range(1460, 6000, 70), 2900, 3000, 4000, 2919, 2920, 2921, 14_600, 99_999, 250_000]


@pytest.fixture(scope="module")
def runs(program: Path) -> dict[int, dict]:
    """The records of a bare device, by the interval; 0 for no pauses."""
    flags = ["--protocol=raw", f"--job-size={JOB_B}", f"--receive-window={WINDOW_B}"]
    flags.append(f"--drain-pause={PAUSE_S}s")
    intervals_B = [0, *EVERY_B]
    lines = [[*flags, f"--drain-pause-every={every_B}"] for every_B in intervals_B]
    return dict(zip(intervals_B, batch("print-job", lines), strict=True))


def count_by_hand(every_B: int) -> int:
    """Segments are taken whole, so a pause begins with the segment that reaches a multiple. The
    buffer holds one segment more meanwhile: pauses that begin with the last two delay nothing."""
    segments = -(-JOB_B // WINDOW_B)
    begun = [-(-multiple_B // WINDOW_B) for multiple_B in range(every_B, JOB_B, every_B)]
    return sum(number <= segments - 2 for number in begun)


def test_an_interval_has_its_pauses_at_its_multiples(runs: dict[int, dict]):
    """By how much a pause is shorter than its 100 ms is the exchange of the segment that fills the
    buffer meanwhile: on average that of the job without pauses."""
    bare_s = runs[0]["duration_s"]
    exchange_s = bare_s / (JOB_B / WINDOW_B)
    assert [count_by_hand(every_B) for every_B in (2900, 3000, 4000)] == [102, 99, 74]
    for every_B in EVERY_B:
        by_hand_s = bare_s + count_by_hand(every_B) * (PAUSE_S - exchange_s)
        simulated_s = runs[every_B]["duration_s"]
        assert simulated_s == pytest.approx(by_hand_s, rel=1e-3), every_B


def test_the_closed_form_counts_them_as_by_hand(runs: dict[int, dict]):
    for every_B in EVERY_B:
        job = PrintJob.of(runs[every_B]["parameters"])
        assert pauses.pause_count(job) == count_by_hand(every_B), every_B
