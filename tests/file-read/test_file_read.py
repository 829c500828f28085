# SPDX-License-Identifier: GPL-2.0-only
"""A file read over frame relay: the record of a run, its limits, and how runs end."""

import subprocess

import pytest
from study.base.project import scenario_program
from study.programs.run import run_point

BURST = ("--protocol=packet-burst", "--file-size=200000")
LOSSES = ("--loss-to-branch=0.1", "--loss-to-headquarters=0.1")
POINTS = {
    "request-reply": ("--file-size=100000",),
    "request-reply with losses": ("--file-size=100000", *LOSSES),
    "packet burst": BURST,
    "packet burst with losses": (*BURST, *LOSSES),
    "packet burst with gaps": (*BURST, "--burst-gap=60ms"),
    "larger than the queues": (*BURST, "--burst-size=256", "--switch-queue=20"),
    "time limit reached": (*BURST, "--time-limit=2s"),
    "stalled": (*BURST, "--loss-to-branch=1"),
}


pytestmark = pytest.mark.usefixtures("program")


def run(*flags: str) -> dict:
    return run_point("file-read", flags)


@pytest.mark.parametrize("flags", POINTS.values(), ids=POINTS)
def test_the_limits_add_up_to_the_duration(flags):
    record = run(*flags)
    nanoseconds = [round(share * 1e9) for share in record["limits_s"].values()]
    assert sum(nanoseconds) == round(record["duration_s"] * 1e9)


def test_request_reply_is_limited_by_the_wait_for_requests():
    record = run(*POINTS["request-reply"])
    assert record["requests"] == record["packets"] == 70  # 100000 B by 1436 B
    assert record["limits_s"]["link"] == 0.0
    assert record["limits_s"]["request"] > 0.99 * record["duration_s"]


def test_packet_burst_is_limited_by_the_line():
    record = run(*BURST, "--burst-size=40")
    assert record["retransmissions"] == 0  # or queues would do more than wait
    assert record["limits_s"]["link"] > 0.9 * record["duration_s"]
    # What is left is a round trip for each request: twice the cloud's 60 ms, and the lines.
    idle = record["duration_s"] - record["line_busy_s"]
    assert 0.120 < idle / record["requests"] < 0.180


def test_gaps_longer_than_a_packet_take_the_place_of_the_line():
    record = run(*POINTS["packet burst with gaps"])
    assert record["limits_s"]["link"] == 0.0
    gaps = record["packets"] - record["requests"]
    # Of each gap between two packets of a burst nothing else takes any.
    assert record["limits_s"]["burst_gap"] == pytest.approx(gaps * 0.060, abs=1e-9)


def test_a_loss_costs_time_that_is_called_retransmission():
    undisturbed = run(*POINTS["packet burst"])
    record = run(*POINTS["packet burst with losses"])
    assert record["outcome"] == "finished" and record["bytes"] == 200_000
    assert record["retransmissions"] > 0
    assert record["packets"] - record["retransmissions"] == undisturbed["packets"]
    lost = record["limits_s"]["loss_recovery"]
    assert undisturbed["limits_s"]["loss_recovery"] == 0.0
    assert lost == pytest.approx(record["duration_s"] - undisturbed["duration_s"], rel=0.1)


def test_what_a_queue_drops_comes_again():
    record = run(*POINTS["larger than the queues"])
    assert record["outcome"] == "finished" and record["bytes"] == 200_000
    assert record["retransmissions"] > 0 and record["missing_lists"] > 0


def test_a_transfer_that_takes_too_long_is_cut_off():
    record = run(*POINTS["time limit reached"])
    assert (record["outcome"], record["duration_s"]) == ("cut-off", 2.0)
    assert record["throughput_Bps"] is None and 0 < record["bytes"] < 200_000


def test_a_workstation_without_a_reply_is_stalled():
    record = run(*POINTS["stalled"], "--maximum-retries=3")
    assert record["outcome"] == "stalled" and record["throughput_Bps"] is None
    assert "asked again 3 times without a reply" in record["reason"]
    assert record["duration_s"] == 1 + 2 + 4 + 8  # the timeouts
    assert record["limits_s"]["loss_recovery"] == record["duration_s"]


@pytest.mark.parametrize(
    ("flag", "refusal"),
    [
        ("--burst-size=257", "burst-size: 257 is out of range; give 1 to 256"),
        ("--read-size=1460", "read-size: 1460 is out of range; give 1 to 1459 B"),
        ("--protocol=tcp", "protocol: 'tcp' is not one of the choices; give request-reply or"),
    ],
)
def test_a_bad_value_is_one_line_and_status_2(tmp_path, flag, refusal):
    table = tmp_path / "read.csv"
    command = [scenario_program("file-read"), flag, f"--segments={table}"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2 and done.stdout == "" and not table.exists()
    assert done.stderr.startswith(refusal) and done.stderr.count("\n") == 1


def test_the_line_is_busy_for_the_packets_and_no_longer():
    record = run("--file-size=14360")
    # Ten replies: 2 octets of address, 8 of RFC 2427, 30 of IPX, 10 of NCP, 1436 of the file;
    # with check sequence, stuffed zeros and a flag as in FrameRelayNetDevice.
    octets = 2 + 8 + 30 + 10 + 1436
    bits = 8 * (octets + 2) * (1 + 1 / 62) + 8
    assert record["line_busy_s"] == pytest.approx(10 * bits / 256_000, abs=10e-9)
    assert run("--file-size=14360", "--time-limit=180ms")["line_busy_s"] < bits / 256_000
