# SPDX-License-Identifier: GPL-2.0-only
"""In every scenario and corner the limits add up to the whole time, and none of them is nonsense:
whoever waits for an ACK does not wait for an application."""

from itertools import product

import pytest
from study.programs.run import run_point

MSS = {
    "print-job": "--mss",
    "file-send": "--mss",
    "request-reply": "--client-mss",
    "file-read": "--fragment-size",
}
SMALL = {
    "print-job": [["--job-size=1"], ["--job-size=1", "--protocol=lpr"], ["--job-size=3000"]],
    "file-send": [["--job-size=1"], ["--job-size=3000", "--file-buffer=512"]],
    "request-reply": [
        ["--commands=1", "--command-text=1", "--command-end=0"],
        ["--commands=2", "--command-text=3000", "--command-end=0", "--echo=false"],
    ],
    "file-read": [["--file-size=1"], ["--file-size=3000", "--protocol=packet-burst"]],
}
LATE = {
    "print-job": ["--ack-latency=5s"],
    "file-send": ["--ack-latency=5s"],
    "request-reply": ["--server-reply-time=5s"],
    "file-read": ["--server-time=5s"],
}
WINDOW_OF_1 = {
    "print-job": ["--receive-window=1"],
    "file-send": ["--receive-window=1"],
    "request-reply": ["--server-window=1"],
    "file-read": ["--burst-size=1"],
}
LINKS = [
    [],
    ["--link=path", "--rtt=300ms"],
    ["--link=path", "--path-rate=9600bps", "--path-queue=2p"],
]
CORNERS = [
    (scenario, [*small, *late, *mss, *window, *link])
    for scenario in SMALL
    for small, late, mss, window, link in product(
        SMALL[scenario],
        ([], LATE[scenario]),
        ([], [f"{MSS[scenario]}=64"]),
        ([], WINDOW_OF_1[scenario]),
        LINKS if scenario != "file-read" else [[]],
    )
    if not (window and "3000" in small[0] and link)  # a byte a round trip: hours
]
WORKING = ("application", "client_application", "server_application")


@pytest.mark.parametrize("scenario", SMALL)
def test_the_limits_add_up_in_every_corner(program, scenario: str):
    for _, flags in (corner for corner in CORNERS if corner[0] == scenario):
        record = run_point(scenario, [*flags, "--time-limit=1h"])
        parts_ns = [round(time_s * 1e9) for time_s in record["limits_s"].values()]
        assert sum(parts_ns) == round(record["duration_s"] * 1e9), (flags, record["reason"])
        assert min(parts_ns) >= 0, flags


@pytest.mark.parametrize("scenario", ["print-job", "file-send"])
def test_who_waits_for_an_ack_does_not_wait_for_an_application(program, scenario: str):
    """The programs take 100 us for anything they do, and no reply is waited for."""
    for _, flags in (corner for corner in CORNERS if corner[0] == scenario):
        limits_s = run_point(scenario, flags)["limits_s"]
        if "--protocol=lpr" not in flags:
            assert limits_s["application"] < 0.001, (flags, limits_s)
        # nothing drains: the device passes on at once what it has
        assert limits_s["drain"] == 0, (flags, limits_s)
        if "--link=path" not in flags:
            assert limits_s["path_queue"] == limits_s["round_trip"] == 0, (flags, limits_s)


def test_a_spurious_retransmission_recovers_no_loss(program):
    """An ACK after 5 s: the host sends its byte again and again, and nothing was lost."""
    record = run_point("print-job", ["--protocol=raw", "--job-size=1", "--ack-latency=5s"])
    limits_s = record["limits_s"]
    assert record["retransmissions"] > 0 and limits_s["loss_recovery"] == 0
    assert max(limits_s, key=limits_s.get) == "last_ack"


def test_the_wait_for_the_last_ack_says_where_that_is(program):
    """A byte, and all that lies between it and its ACK: the path, or a device that takes its time,
    or one that withholds the ACK."""
    byte = ["--protocol=raw", "--job-size=1", "--minimum-rto=10s"]
    cases = {
        "last_ack": ["--ack-latency=900ms"],
        "delayed_ack": ["--ack-frequency=2", "--delayed-ack-timeout=400ms"],
        "round_trip": ["--link=path", "--rtt=900ms", "--syn-ack-latency=1ns"],
        "link": ["--link=path", "--rtt=1us", "--path-rate=2000bps", "--path-rate-back=1Gbps"],
    }
    for limit, flags in cases.items():
        limits_s = run_point("print-job", [*byte, *flags])["limits_s"]
        del limits_s["handshake"]  # which has a way of its own
        assert max(limits_s, key=limits_s.get) == limit, limits_s
