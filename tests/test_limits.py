# SPDX-License-Identifier: GPL-2.0-only
"""What limits a job: each limit can be made to hold a job back, and goes when its cause goes.

One row a mechanism: the situation in which it is the largest share of the job's time, and the one
change that takes it away. If a share were charged to the wrong limit, its row would go red.
"""

import pytest

from analysis.program import run_point

RAW = ["--protocol=raw", "--job-size=200000"]
SLOW_ACK = ["--ack-latency=50ms", "--receive-window=65535"]
SMALL_WRITES = ["--first-write=100", "--write-size=100", "--write-time=5ms", "--job-size=6000"]
SMALL_WRITES += ["--interactive-ack-latency=60ms", "--initial-window=10"]
CASES = {
    "handshake": (["--syn-ack-latency=2s"], ["--syn-ack-latency=1ms"]),
    "application": (
        ["--first-write=1000", "--write-size=1000", "--write-time=50ms"],
        ["--first-write=65536", "--write-size=65536"],
    ),
    "cpu": (["--segment-time=20ms"], ["--segment-time=1us"]),
    "link": (
        ["--link-rate=100kbps", "--ack-latency=5ms"],
        ["--link-rate=1Gbps", "--ack-latency=5ms"],
    ),
    "receive_window": (
        ["--receive-window=2920", "--ack-latency=50ms"],
        ["--receive-window=2920", "--ack-latency=10us"],
    ),
    "drain": (
        ["--receive-window=2920", "--port-rate=100kbps", "--port-chunk=1460"],
        ["--receive-window=2920", "--port-rate=100Gbps"],
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
    "retransmission": (["--loss-to-device=0.3"], ["--loss-to-device=0"]),
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
