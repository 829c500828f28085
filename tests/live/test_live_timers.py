# SPDX-License-Identifier: GPL-2.0-only
"""How far the kernel's timers may end from the simulated ones, of waits that are known."""

import pytest
from study import systems
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


BEAT_S = 0.032  # of timers of 63 ticks and more, at 250 Hz


def job(name: str, **changes):
    system = systems[name].with_host("linux-6")
    return system.with_(timer_tick="4ms", protocol="raw", **changes)


def test_a_job_without_timeouts_takes_as_long_however_the_clock_stands(program):
    system = job("hawking-hps1u", job_size=20_000)
    low_s, high_s = timers.over_phases_s(system, BEAT_S)
    assert low_s == pytest.approx(system.run().duration_s, abs=1e-9)
    assert high_s == pytest.approx(low_s, abs=1e-9)


def test_a_job_with_a_timeout_is_simulated_over_a_beat_of_the_clock(program):
    system = job("imagen-v2", job_size=100_000)
    low_s, high_s = timers.over_phases_s(system, BEAT_S)
    assert low_s <= system.run().duration_s <= high_s
    # It ends anywhere in a beat; of what is tried the first and the last are a step less apart.
    assert high_s - low_s == pytest.approx(BEAT_S * (1 - 1 / timers.PHASES), abs=1e-6)


def test_a_dialogue_is_not_put_off_by_its_first_write_alone(program):
    lpr = job("hawking-hps1u", job_size=20_000).with_(protocol="lpr")
    assert timers.over_phases_s(lpr, BEAT_S) is None
