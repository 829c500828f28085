# SPDX-License-Identifier: GPL-2.0-only
"""What limits a job: each limit can be made to slow a job, and goes when its cause goes.

One row a mechanism: the situation in which it is the largest fraction of the job's time, and the
one change that takes it away. If a fraction were charged to the wrong limit, its row would go red.
"""

import pytest
from study import systems
from study.programs.run import run_point

RAW = ["--protocol=raw", "--job-size=200000"]
SLOW_ACK = ["--ack-latency=50ms", "--receive-window=65535"]
LONG_ACK = ["--ack-latency=20ms", "--initial-window=64", "--send-buffer=200000"]
SMALL_WRITES = ["--first-write=100", "--write-size=100", "--write-time=5ms", "--job-size=6000"]
SMALL_WRITES += ["--interactive-ack-latency=60ms", "--interactive-bytes=6000"]
SMALL_WRITES += ["--initial-window=10"]
ALL_AT_ONCE = ["--job-size=60000", "--receive-window=65535", "--send-buffer=200000"]
ALL_AT_ONCE += ["--initial-window=64", "--first-write=60000", "--nagle=false"]
PATH = ["--link=path"]
SLOW_PORT = ["--receive-window=8760", "--port-rate=1Mbps", "--port-chunk=512"]
CASES = {
    "handshake": (["--syn-ack-latency=2s"], ["--syn-ack-latency=1ms"]),
    "application": (
        ["--first-write=1000", "--write-size=1000", "--write-time=50ms"],
        ["--first-write=65536", "--write-size=65536"],
    ),
    # all of it is sent at once, so nothing else is left to wait for
    "last_ack": (
        [*ALL_AT_ONCE, "--ack-latency=150ms"],
        [*ALL_AT_ONCE, "--ack-latency=1us"],
    ),
    "path_queue": (
        [*ALL_AT_ONCE, *PATH, "--rtt=2ms", "--path-rate=1Mbps"],
        [*ALL_AT_ONCE, *PATH, "--rtt=2ms", "--path-rate=10Gbps"],
    ),
    "round_trip": (
        [*PATH, "--protocol=lpr", "--job-size=1000", "--rtt=200ms"],
        [*PATH, "--protocol=lpr", "--job-size=1000", "--rtt=1us"],
    ),
    "window_update": (
        [*SLOW_PORT, "--window-updates=from-zero"],
        [*SLOW_PORT, "--window-updates=every-opening"],
    ),
    "cpu": (["--segment-time=20ms"], ["--segment-time=1us"]),
    "link": (
        ["--link-rate=100kbps", "--ack-latency=5ms"],
        ["--link-rate=1Gbps", "--ack-latency=5ms"],
    ),
    "receive_window": (
        [*LONG_ACK, "--receive-window=2920"],
        [*LONG_ACK, "--receive-window=65535"],
    ),
    "drain": (
        ["--receive-window=2920", "--port-rate=100kbps", "--port-chunk=1460"],
        ["--receive-window=2920", "--port-rate=none"],
    ),
    "delayed_ack": (
        ["--send-buffer=2048", "--ack-threshold=0.5"],
        ["--send-buffer=2048", "--ack-threshold=0"],
    ),
    "congestion_window": (
        [*SLOW_ACK, "--send-buffer=200000", "--initial-window=1"],
        [*SLOW_ACK, "--send-buffer=200000", "--initial-window=64"],
    ),
    "send_buffer": (
        [*SLOW_ACK, "--send-buffer=4096", "--initial-window=64", "--nagle=false"],
        [*SLOW_ACK, "--send-buffer=200000", "--initial-window=64", "--nagle=false"],
    ),
    "nagle": ([*SMALL_WRITES, "--nagle=true"], [*SMALL_WRITES, "--nagle=false"]),
    "loss_recovery": (["--loss-to-device=0.3"], ["--loss-to-device=0"]),
}


def shares(flags: list[str]) -> dict[str, float]:
    record = run_point("print-job", [*RAW, *flags])
    assert record["outcome"] == "finished"
    assert sum(record["limits_s"].values()) == pytest.approx(record["duration_s"], abs=1e-8)
    return {name: time_s / record["duration_s"] for name, time_s in record["limits_s"].items()}


@pytest.mark.parametrize("limit", CASES)
def test_a_limit_holds_the_job_until_its_cause_goes(program, limit):
    cause, cure = CASES[limit]
    with_cause = shares(cause)
    assert max(with_cause, key=with_cause.get) == limit, with_cause
    assert shares(cure)[limit] < with_cause[limit] / 3


def test_every_limit_has_its_case(program):
    assert set(CASES) == set(shares([]))


def test_a_window_that_waits_for_acks_in_a_queue_waits_for_the_line_back(program):
    way = [*PATH, "--rtt=20ms", "--path-rate=100Mbps", "--receive-window=65535"]
    slow = shares([*way, "--path-rate-back=50kbps"])
    assert slow["link"] > 0.5, slow
    quick = shares([*way, "--path-rate-back=100Mbps"])
    assert quick["link"] < 0.1, quick
    assert quick["congestion_window"] > slow["congestion_window"]


# What holds each measured system, as far as its source tells: a test of the split on real files.
HELD_BY = {
    "hawking-hps1u": "receive_window",  # two segments, and an ACK that comes late
    "hp-jetdirect-610n": "drain",  # a port rate is all that is known
    "imagen-v2": "delayed_ack",  # the pregnant pause
    "linksys-ppsx1": "receive_window",  # 5.4 ms to the ACK, 1 ms to the update; pauses are assumed
    "relook-400s": "cpu",  # "the processing power of the CPU becomes the limiting factor"
    "netgear-ps101": "receive_window",  # 10.4 ms to the ACK, 1.7 ms to the update
    "troy-pocketpro-100s": "drain",
}


@pytest.mark.parametrize("name", HELD_BY)
def test_each_system_is_held_by_what_its_source_shows(program, name):
    result = systems[name].run()
    assert max(result.limits_s, key=result.limits_s.get) == HELD_BY[name], result.limits_s


@pytest.mark.parametrize("name", systems)
def test_the_limits_of_each_system_add_up_to_the_nanosecond(program, name):
    result = systems[name].run()
    parts_ns = [round(time_s * 1e9) for time_s in result.limits_s.values()]
    assert sum(parts_ns) == round(result.duration_s * 1e9)


@pytest.mark.parametrize("send_buffer", [512, 2048, 6144, 16384])
def test_the_fixed_imagen_never_keeps_back_an_ack(program, send_buffer):
    result = systems["imagen-v3"].with_(send_buffer=send_buffer).run()
    assert result.limits_s["delayed_ack"] == 0
    assert result.throughput_Bps > 20 * 4096
