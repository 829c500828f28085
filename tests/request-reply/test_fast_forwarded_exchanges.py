# SPDX-License-Identifier: GPL-2.0-only
"""An exchange whose commands were taken off tells what the full run tells, to the nanosecond."""

import random

import pytest
from both_ways import alike, both, difference, taken
from study import systems

POINTS = 240


def some_exchange(draw: random.Random) -> list[str]:
    """An exchange without random numbers, anything else about it drawn."""
    values: dict[str, object] = {"commands": draw.choice([1, 7, 40, 200, 200])}
    sometimes: dict[str, list[object]] = {
        "command-text": [1, 700, 1460, 4096, 20000],
        "command-end": [0, 100],
        "command-write-time": ["1ns", "5ms", "300ms"],
        "write-returns": ["all-fits", "acknowledged"],
        "write-size": [512, 1000, 4096],
        "client-time": ["1ns", "13ms", "250ms"],
        "echo": ["false"],
        "server-time": ["1ns", "77ms"],
        "reply-writes": [1, 3, 10],
        "reply-write": [1, 1000, 5000, 40000],
        "reply-write-time": ["1ns", "3ms", "210ms"],
        "client-nagle": ["false"],
        "server-nagle": ["false"],
        "client-nagle-rule": ["minshall"],
        "server-delayed-ack": ["40ms", "500ms"],
        "client-delayed-ack": ["40ms", "500ms"],
        "server-ack-frequency": [1, 3],
        "client-ack-rule": ["adaptive"],
        "server-ack-rule": ["adaptive"],
        "client-ack-timer": ["heartbeat"],
        "server-ack-timer": ["heartbeat"],
        "client-minimum-rto": ["1s", "10ms"],
        "server-minimum-rto": ["1s", "10ms"],
        "client-congestion-control": ["reno", "cubic"],
        "server-congestion-control": ["reno", "cubic"],
        "client-window": [1460, 4096],
        "server-window": [1460, 4096],
        "client-send-buffer": [2048, 8192],
        "server-send-buffer": [2048],
        "client-timestamps": ["true"],
        "server-timestamps": ["true"],
        "client-timer-tick": ["10ms"],
        "client-initial-window": [1, 10],
        "server-initial-window": [1],
        "time-limit": ["3s", "20s"],
    }
    path = {
        "rtt": ["0ms", "10ms", "40ms", "250ms"],
        "path-rate": ["500kbps", "10Mbps"],
        "path-rate-back": ["64kbps"],
        "path-queue": ["5p", "9000B"],
    }
    wan = {
        "branch-access-rate": ["64kbps", "1Mbps"],
        "cloud-delay": ["1ms", "10ms"],
        "router-latency": ["137us"],
        "committed-rate": ["0bps", "16kbps"],
    }
    links: dict[str, dict[str, list[str]]] = {
        "ethernet": {"link-rate": ["1Mbps", "100Mbps"]},
        "path": path,
        "frame-relay": wan,
    }
    link = draw.choice(sorted(links))
    for flag, choices in (sometimes | links[link]).items():
        if draw.random() < 0.2:
            values[flag] = draw.choice(choices)
    return [*(f"--{flag}={value}" for flag, value in values.items()), f"--link={link}"]


def test_any_exchange_tells_the_same_both_ways(program):
    records = alike(some_exchange, POINTS, "request-reply")
    fast = taken(records)
    assert len(fast) > POINTS / 8
    assert {record["parameters"]["link"] for record in fast} == {"ethernet", "path", "frame-relay"}
    assert {record["outcome"] for record in fast} == {"finished", "cut-off"}
    assert any(full["retransmissions"] for _, full in records)
    held_by = {max(each["limits_s"], key=each["limits_s"].get) for each in fast}
    assert held_by >= {"nagle", "delayed_ack", "server_application"}


@pytest.mark.parametrize(
    "name", [name for name in systems if systems[name].scenario == "request-reply"]
)
def test_every_measured_exchange_tells_the_same_both_ways(program, name: str):
    system = systems[name].with_(commands=1000)
    ((fast, full),) = both([system.flags()], "request-reply")
    assert difference(fast, full) == {}
    assert fast["method"] == "fast-forwarded"


@pytest.mark.parametrize("server_ack_rule", ["counted", "adaptive"])
def test_a_spurious_retransmission_in_each_command_is_part_of_the_cycle(program, server_ack_rule):
    """The server's timeout is as long as the client's delayed ACK: it sends each reply twice. Its
    congestion window, a segment after each timeout, is as it was after 146 replies of 50 bytes: the
    segment of 1460 is what they make together."""
    flags = ["--commands=2000", f"--server-ack-rule={server_ack_rule}"]
    ((fast, full),) = both([flags], "request-reply")
    assert difference(fast, full) == {}
    assert full["needless_retransmissions"] == 2000
    assert fast["method"] == "fast-forwarded"
    assert fast["simulated_share"] < 0.5
