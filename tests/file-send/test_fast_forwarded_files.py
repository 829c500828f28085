# SPDX-License-Identifier: GPL-2.0-only
"""Cycles of a file's sending are taken off, and the record is the full run's to the nanosecond."""

import random

import pytest
from both_ways import alike, both, difference, taken
from study import systems

POINTS = 80


def relook(**changes: object):
    return systems["relook-400s"].with_(**changes)


def some_point(draw: random.Random) -> list[str]:
    """A lossless transfer without random numbers, anything else about its machine drawn."""
    sometimes: dict[str, list[object]] = {
        "disk_reading": ["waited", "read-ahead"],
        "interface_transfer": ["dma"],
        "nagle": [False],
        "nagle_rule": ["minshall"],
        "file_buffer": [4096, 8192, 10_000, 29_200, draw.randint(2048, 70_000)],
        "sendfile": [False],
        "write_returns": ["acknowledged"],
        "send_buffer": [8192, 65_536, draw.randint(4096, 70_000)],
        "receive_window": [5840, 8760, 32_120, 65_535],
        "cpu_clock": [25, 100, 777.3],
        "disk_rate": ["5Mbps", "16Mbps", "333Mbps"],
        "ack_frequency": [0, 1, 3],
        "delayed_ack_timeout": ["33ms", "40ms"],
        "delayed_ack_timer": ["free-running"],
        "mss": [536, 1024, 1448],
        "bus_clock": [7.7, 33],
        "word_cycles": [3, 80],
        "socket_copy_cycles": [0, 5.37],
        "send_cycles": [0, 777],
        "link_rate": ["10Mbps", "1Gbps"],
        "send_buffer_rule": ["linux"],
        "congestion_control": ["cubic", "reno"],
        "initial_window": [10, 64],
        "minimum_rto": ["20ms", "1s"],
        "timer_tick": ["1ms", "10ms"],
        "reply_time": ["15us"],
        "syn_ack_latency": ["500ms"],
        "time_limit": ["500ms", "1500ms"],
    }
    values = {key: draw.choice(those) for key, those in sometimes.items() if draw.random() < 0.2}
    link = draw.choice(["ethernet", "ethernet", "path", "frame-relay"])
    if link == "path":
        values |= {"rtt": draw.choice(["100us", "2ms"]), "path_rate": "100Mbps"}
    size_B = draw.randint(500_000, 500_000 if link == "frame-relay" else 3_000_000)
    return relook(**values, link=link, job_size=size_B).flags()


def test_any_transfer_tells_the_same_both_ways(program):
    records = alike(some_point, POINTS, "file-send")
    # Else nothing was tested: a good part was fast-forwarded, of each kind.
    fast = taken(records)
    assert len(fast) > POINTS / 4
    for parameter, values in {
        "disk_reading": {"held", "waited", "read-ahead"},
        "interface_transfer": {"pio", "dma"},
        "sendfile": {"true", "false"},
        "link": {"ethernet", "path"},
    }.items():
        assert {record["parameters"][parameter] for record in fast} >= values, parameter
    assert {record["outcome"] for record in fast} == {"finished", "cut-off"}


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"disk_reading": "waited"},
        {"disk_reading": "read-ahead", "interface_transfer": "dma", "nagle": False},
        {"sendfile": False},
        {"write_returns": "acknowledged"},
        {"time_limit": "7.123456789s"},
    ],
    ids=str,
)
def test_the_measured_box_tells_the_same_both_ways(program, changes: dict[str, object]):
    ((fast, full),) = both([relook(**changes).flags()], "file-send")
    assert difference(fast, full) == {}
    assert fast["method"] == "fast-forwarded"


def test_nearly_all_of_a_large_file_is_taken_off(program):
    """The rest of every second buffer leaves as a small segment, so two buffers are a cycle."""
    record = relook(job_size=100_000_000).run().record
    assert record["cycles_skipped"] > 0.98 * 100_000_000 / (2 * 65_536)
    assert record["simulated_share"] < 0.02


@pytest.mark.parametrize("file_buffer", [4096, 8192])
def test_a_buffer_can_be_copied_between_two_acks(program, file_buffer: int):
    system = relook(file_buffer=file_buffer, link_rate="1Gbps", job_size=6_000_000)
    ((fast, full),) = both([system.flags()], "file-send")
    assert difference(fast, full) == {}
    assert fast["method"] == "fast-forwarded"


@pytest.mark.parametrize("mss", [536, 1460])
@pytest.mark.parametrize("file_buffer", [4096, 8192])
def test_small_buffers_of_the_program_s_own_machine_are_fast_forwarded(
    program, file_buffer: int, mss: int
):
    given = {"file-buffer": file_buffer, "mss": mss, "link-rate": "1Gbps", "job-size": 10_000_000}
    ((fast, full),) = both([[f"--{key}={value}" for key, value in given.items()]], "file-send")
    assert difference(fast, full) == {}
    assert fast["method"] == "fast-forwarded"


@pytest.mark.parametrize("job_size", range(2_000_001, 2_000_001 + 131_072, 10_007))
def test_the_rest_of_a_file_is_of_any_size(program, job_size: int):
    ((fast, full),) = both([relook(job_size=job_size).flags()], "file-send")
    assert difference(fast, full) == {}
    assert fast["method"] == "fast-forwarded"


def test_a_cycle_longer_than_the_file_runs_in_full_and_says_so(program):
    """Segments that are always whole lie in the buffers as before only after the least common
    multiple of both: 365 buffers, 23.9 MB."""
    system = relook(disk_reading="read-ahead", send_buffer=65_535, receive_window=65_535)
    ((fast, full),) = both([system.with_(job_size=6_000_000).flags()], "file-send")
    assert difference(fast, full) == {}
    assert (fast["method"], fast["cycles_skipped"], fast["simulated_share"]) == ("full", 0, 1)
