# SPDX-License-Identifier: GPL-2.0-only
"""A host whose timers are in Linux's timer wheel: they count whole ticks, never expire early, and
the later they are the coarser their ends (kernel/time/timer.c)."""

import random
from itertools import pairwise

import pytest
from both_ways import alike, taken
from study.base.errors import StudyError
from study.base.units import seconds
from study.kit.systems import systems

WAIT_S = 0.19  # longer than any ACK, and the host's own


def timeouts(**changes: object) -> list[tuple[float, float]]:
    """When the host sent something without being asked, and how long it had waited [s]."""
    host = {"congestion_control": "cubic", "timer_tick": "4ms", "job_size": 60000}
    system = systems["imagen-v2"].with_host("linux-6").with_(**host | changes)
    packets = system.run(segments=True).packets
    return [
        (each.time_s, each.time_s - before.time_s)
        for before, each in pairwise(packets)
        if each.sender == "host" and each.time_s - before.time_s > WAIT_S
    ]


def beats(time_s: float, beat_s: float) -> float:
    """A whole number, to a few microseconds that the host's reaction takes."""
    return time_s / beat_s


@pytest.mark.parametrize(("tick", "beat_s"), [("4ms", 0.004), ("10ms", 0.01), ("1ms", 0.008)])
def test_a_retransmission_timeout_ends_at_a_beat_and_never_early(tick: str, beat_s: float):
    """200 ms are 50 ticks of 4 ms, each with a bucket of its own, but 200 of 1 ms, where every
    eighth has one."""
    (plain,) = timeouts(timer_wheel=False)
    (ended,) = timeouts(timer_wheel=True, timer_tick=tick)
    assert beats(ended[0], beat_s) == pytest.approx(round(beats(ended[0], beat_s)), abs=0.01)
    tick_s = min(beat_s, seconds(tick))
    assert plain[1] < ended[1] < plain[1] + beat_s + tick_s, "to the next tick, to the next bucket"
    assert beats(plain[0], beat_s) != pytest.approx(round(beats(plain[0], beat_s)), abs=0.01)


@pytest.mark.parametrize(
    ("initial_rto", "tick", "again_s"),
    [
        ("240ms", "4ms", 0.244),  # 60 ticks: each has a bucket
        ("1s", "4ms", 1.024),  # 250: every eighth, and the next one
        ("1s", "1ms", 1.024),  # 1000: every 64th
        ("30s", "1ms", 30.208),  # 30000: every 512th
    ],
)
def test_a_syn_is_sent_again_at_the_wheels_next_beat(initial_rto: str, tick: str, again_s: float):
    lost = {"link": "path", "path_lost_packets": "1", "initial_rto": initial_rto}
    system = systems["imagen-v2"].with_host("linux-6")
    chosen = system.with_(timer_tick=tick, job_size=2000, timer_wheel=True, **lost)
    packets = chosen.run(segments=True).packets
    syns = [each.time_s for each in packets if each.flags == "S"][:2]
    assert syns[1] - syns[0] == pytest.approx(again_s, abs=1e-6)


@pytest.mark.parametrize("tick", ["1ns", "100us", "999us"])
def test_a_tick_that_no_kernel_has_is_refused_in_the_wheel(tick: str):
    """CONFIG_HZ is 1000 at most; without the wheel any will do."""
    system = systems["imagen-v2"].with_host("linux-6").with_(timer_tick=tick, job_size=2000)
    with pytest.raises(StudyError, match=r"timer.tick.*1ms to 1s.*timer-wheel=false") as refused:
        system.with_(timer_wheel=True).run()
    assert "\n" not in str(refused.value).strip()
    assert system.with_(timer_wheel=False).run().record["outcome"] == "finished"


def some_point(draw: random.Random) -> list[str]:
    """A device that lets the host wait for one of its timers, mostly in every cycle."""
    one_of = draw.choice
    values = {
        "timer-wheel": "true",
        "timer-tick": one_of(["1ms", "4ms", "10ms"]),
        "receive-window": one_of([1024, 2920, 4096, 6144]),
        "job-size": draw.randint(100_000, 600_000),
        "protocol": "raw",
        "ack-latency": one_of(["1ms", "20ms", "117ms", "250ms"]),
        "ack-threshold": one_of([0, 0, 0.5]),
        "delayed-ack-timeout": one_of(["200ms", "500ms"]),
        "drain-latency": one_of(["1742us", "300us", "1ns"]),
        "port-rate": one_of(["16Mbps", "1Mbps", "300kbps"]),
        "drain-pause-every": one_of([0, 20_000, 50_000]),
        "drain-pause": one_of(["300ms", "1500ms"]),
        "minimum-rto": one_of(["200ms", "50ms", "20ms"]),
        "rto-rule": one_of(["linux", "rfc6298"]),
        "silly-window-avoidance": one_of(["rfc1122", "burst"]),
        "override-timeout": one_of(["500ms", "20ms"]),
        "host-sack": "true",
        "device-sack": one_of(["true", "false"]),
        "loss-detection": one_of(["rfc6675", "rack-tlp"]),
    }
    return [f"--{flag}={value}" for flag, value in values.items()]


def test_jobs_that_wait_for_the_wheel_tell_the_same_both_ways():
    records = alike(some_point, 150)
    assert len(taken(records)) > 20
    assert sum(full["window_probes"] + full["retransmissions"] > 0 for _, full in records) > 10
