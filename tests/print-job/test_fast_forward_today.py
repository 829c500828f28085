# SPDX-License-Identifier: GPL-2.0-only
"""A fast-forwarded run tells what the full run tells, with TCP as it is today: what Linux's send
buffer, its receive window, its timers and its congestion control go by is part of the proof."""

import random

import pytest
from both_ways import alike, both, difference, taken
from study import systems

POINTS = 70


def flags_of(values: dict[str, object]) -> list[str]:
    return [f"--{flag}={value}" for flag, value in values.items()]


# The estimate of the round trip comes down from the time of a slow SYN-ACK long after the segments
# repeat themselves, and with it more of them leave as a block: then fewer blocks fill the memory of
# the send buffer, and the sender waits for less. Each was wrong as long as the proof knew nothing
# of that, the last by a fifth.
SLOW_SYN_ACK: dict[str, object] = {
    "protocol": "raw",
    "send-buffer-rule": "linux",
    "send-buffer-overhead": 2000,
    "congestion-control": "cubic",
    "rto-rule": "linux",
    "timer-tick": "1ns",
    "segment-time": "1us",
    "initial-rto": "3s",
    "delayed-ack-timeout": "40ms",
    "write-size": 8192,
    "write-time": "20us",
    "link": "path",
    "path-queue": "1000p",
    "path-rate": "1Gbps",
    "syn-ack-latency": "500ms",
    "job-size": 500_000,
}
CHANGED: dict[str, dict[str, object]] = {
    "every second segment": {
        "receive-window": 24000,
        "initial-window": 24,
        "send-buffer": 13275,
        "ack-latency": "1us",
        "ack-frequency": 2,
        "rtt": "3ms",
        "path-rate": "50Mbps",
        "write-time": "1ns",
        "job-size": 240_426,
    },
    "every third segment": {
        "receive-window": 32120,
        "initial-window": 24,
        "send-buffer": 43195,
        "ack-latency": "300us",
        "ack-frequency": 3,
        "rtt": "3ms",
        "nagle": "false",
        "write-returns": "all-fits",
        "write-time": "1ns",
        "syn-ack-latency": "2500ms",
        "job-size": 455_156,
    },
    "a long way": {
        "receive-window": 16384,
        "initial-window": 64,
        "send-buffer": 21705,
        "ack-latency": "300us",
        "ack-frequency": 2,
        "rtt": "6ms",
        "nagle": "false",
        "write-returns": "all-fits",
        "job-size": 494_046,
    },
}


@pytest.mark.parametrize("case", CHANGED)
def test_what_leaves_as_a_block_follows_the_round_trip(program, case: str):
    ((fast, full),) = both([flags_of(SLOW_SYN_ACK | CHANGED[case])])
    assert difference(fast, full) == {}


def test_with_a_settled_round_trip_the_same_job_is_fast_forwarded(program):
    large = SLOW_SYN_ACK | CHANGED["a long way"] | {"job-size": 5_000_000}
    # A block a write: the rest of a longer one leaves alone, and its round trips alternate.
    large |= {"write-size": 7300}
    ((fast, full),) = both([flags_of(large)])
    assert difference(fast, full) == {}
    assert fast["method"] == "fast-forwarded"


@pytest.mark.parametrize("rtt", ["50ms", "600ms"])
def test_a_long_path_of_linux_is_fast_forwarded(program, rtt: str):
    """The sender waits longer than a tail loss probe may be early, and its own receive window goes
    by when data last came: neither holds up a cycle."""
    far = {"receive_window": 45 * 1448, "rtt": rtt, "path_rate": "10Mbps", "job_size": 8_000_000}
    system = systems["bulk"].with_host("linux-6").with_(**far)
    ((fast, full),) = both([system.flags()])
    assert difference(fast, full) == {}
    assert fast["method"] == "fast-forwarded"


def some_point(draw: random.Random) -> list[str]:
    """A lossless job of a host of today, which a short path and a send buffer of its own kind keep
    where what its TCP remembers matters."""
    one_of = draw.choice
    values: dict[str, object] = {
        "protocol": one_of(["raw", "raw", "lpr"]),
        "job-size": draw.randint(200_000, 900_000),
        "receive-window": one_of([5840, 16384, 24000, 32120, 65535, 131072]),
        "host-window-scale": "auto",
        "device-window-scale": "auto",
        "mss": one_of([536, 1460, 1460, 1460]),
        "send-buffer-rule": one_of(["linux", "linux", "linux", "bytes"]),
        "send-buffer": one_of([16384, 46080, 4194304, draw.randint(4000, 60000)]),
        "send-buffer-grows": one_of(["true", "false"]),
        "send-buffer-overhead": one_of([832, 2000, 4000]),
        "congestion-control": one_of(["newreno", "reno", "cubic", "cubic"]),
        "initial-window": one_of([10, 14, 24, 48, 64]),
        "loss-detection": one_of(["rfc6675", "rack-tlp"]),
        "host-sack": "true",
        "device-sack": one_of(["true", "false"]),
        "host-timestamps": "true",
        "device-timestamps": one_of(["true", "false"]),
        "rto-rule": one_of(["linux", "rfc6298"]),
        "minimum-rto": one_of(["200ms", "200ms", "1s", "20ms"]),
        "timer-tick": one_of(["1ns", "1ms", "4ms"]),
        "initial-rto": "3s",
        "nagle": one_of(["true", "false"]),
        "nagle-rule": one_of(["rfc896", "minshall"]),
        "push-flag": one_of(["true", "false"]),
        "host-ack-rule": one_of(["counted", "adaptive"]),
        "host-first-window": one_of([0, 14600]),
        "segment-bound": one_of(["mss", "half-window"]),
        "silly-window-avoidance": one_of(["rfc1122", "burst"]),
        "write-size": one_of([1000, 4096, 8192, 65536]),
        "write-returns": one_of(["some-fits", "all-fits", "acknowledged"]),
        "write-time": one_of(["1ns", "20us", "3ms"]),
        "ack-latency": one_of(["1us", "300us", "2ms"]),
        "ack-frequency": one_of([0, 1, 2, 3]),
        "delayed-ack-timeout": one_of(["40ms", "200ms"]),
        "syn-ack-latency": one_of(["1us", "100ms", "500ms", "2500ms"]),
        "segment-time": one_of(["1us", "7us"]),
        "link": one_of(["path", "path", "path", "ethernet"]),
        "rtt": one_of(["100us", "1ms", "3ms", "6ms", "40ms"]),
        "path-rate": one_of(["10Mbps", "50Mbps", "1Gbps"]),
        "path-queue": "1000p",
        "link-rate": "100Mbps",
    }
    if draw.random() < 0.25:
        values |= {"port-rate": one_of(["16Mbps", "3Mbps"]), "port-chunk": one_of([1460, 4096])}
    return flags_of(values)


def test_any_job_of_a_host_of_today_tells_the_same_both_ways(program):
    records = alike(some_point, POINTS, seed=5)
    fast = taken(records)
    assert len(fast) > POINTS / 8
    rules = {record["parameters"]["send_buffer_rule"] for record in fast}
    assert rules == {"bytes", "linux"}, "else nothing was tested"
    assert len({record["parameters"]["congestion_control"] for record in fast}) == 3
