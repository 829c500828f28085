# SPDX-License-Identifier: GPL-2.0-only
"""A read whose requests were taken off tells what the full run tells, to the nanosecond."""

import random

import pytest
from both_ways import alike, both, difference, taken
from study import systems

POINTS = 160


def some_read(draw: random.Random) -> list[str]:
    """A read of a file without chance losses, anything else about it drawn; short queues drop."""
    values: dict[str, list[object]] = {
        "protocol": ["request-reply", "packet-burst"],
        "file-size": [draw.randint(1, draw.choice([5000, 400_000, 400_000]))],
    }
    sometimes: dict[str, list[object]] = {
        "read-size": [512, 1024, 1023, 1459, draw.randint(100, 1459)],
        "burst-size": [1, 4, 10, 32],
        "fragment-size": [512, 1434, draw.randint(100, 1434)],
        "burst-gap": ["1ms", "250us", "20ms"],
        "turnaround-time": ["1ns", "7ms"],
        "server-time": ["1ns", "15ms"],
        "reply-timeout": ["1us", "200ms"],  # never below two round trips
        "branch-access-rate": ["64kbps", "1Mbps", "10Mbps"],
        "headquarters-access-rate": ["256kbps", "2Mbps"],
        "cloud-delay": ["0s", "1ms", "333333ns"],
        "router-latency": ["1ms", "137us"],
        "committed-rate": ["0bps", "16kbps", "64kbps", "128kbps"],
        "committed-burst": [12000, 64000],
        "excess-burst": [0, 30000],
        "router-queue": [5, 20],
        "switch-queue": [3, 10],
        "congestion-threshold": [3, 10],
        "stuffed-bits": [0, 0.1],
        "time-limit": ["3s", "20s"],
    }
    for flag, choices in sometimes.items():
        if draw.random() < 0.3:
            values[flag] = [draw.choice(choices)]
    return [f"--{flag}={draw.choice(choices)}" for flag, choices in values.items()]


def test_any_read_tells_the_same_both_ways(program):
    records = alike(some_read, POINTS, "file-read")
    fast = taken(records)
    assert len(fast) > POINTS / 4
    protocols = {record["parameters"]["protocol"] for record in fast}
    assert protocols == {"request-reply", "packet-burst"}
    assert {record["outcome"] for record in fast} == {"finished", "cut-off"}
    assert any(record["wan_frames_marked"] for record in fast)
    assert any(full["missing_lists"] for _, full in records)


@pytest.mark.parametrize("protocol", ["request-reply", "packet-burst"])
def test_nearly_all_of_a_large_file_is_taken_off(program, protocol: str):
    system = systems["netware"].with_(protocol=protocol, file_size=20_000_001)
    ((fast, full),) = both([system.flags()], "file-read")
    assert difference(fast, full) == {}
    assert fast["simulated_share"] < 0.05
