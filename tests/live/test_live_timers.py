# SPDX-License-Identifier: GPL-2.0-only
"""How far the kernel's timers may end from the simulated ones, of waits that are known."""

import pytest
from study.live import timers


@pytest.mark.parametrize(
    ("waits", "tick_s", "earlier_s", "later_s"),
    [
        ([], 0.004, 0, 0),
        ([0.208], 0.004, 0.004, 0.008),  # 52 ticks: each has a bucket, and a tick may be seen late
        ([0.427], 0.004, 0.032, 0.036),  # 104 and more: every eighth
        ([0.208, 0.427], 0.004, 0.036, 0.044),
        ([0.208], 0.001, 0.008, 0.009),
        ([0.6], 0.001, 0.064, 0.065),  # from 504 on every 64th
    ],
)
def test_timers_may_be_apart_by_their_bucket_and_be_seen_a_tick_late(
    waits: list[float], tick_s: float, earlier_s: float, later_s: float
):
    assert timers.apart_s(waits, tick_s) == (pytest.approx(earlier_s), pytest.approx(later_s))
