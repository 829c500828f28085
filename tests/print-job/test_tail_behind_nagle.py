# SPDX-License-Identifier: GPL-2.0-only
"""The end of a job by hand: Nagle's algorithm at the host, and a device that acknowledges every
second segment.

1,500,000 B are 1,027 whole segments and one of 580 B. The last whole segment is alone, so its ACK
is withheld, and the tail waits for it (RFC 896). Then the tail is alone, and its ACK is withheld,
too. Each of the two waits ends with the device's delayed ACK, or with the host's retransmission
timeout, whichever is first: 200 ms, and twice that for the tail, since no round trip is measured of
what was sent again (RFC 6298, 5.5 and Karn's algorithm).
"""

from pathlib import Path

import pytest
from both_ways import batch

JOB = ["--protocol=raw", "--job-size=1500000", "--ack-frequency=2"]
RTO_S = 0.2
DELAYED_S = [0.01, 0.05, 0.1, 0.15, 0.19, 0.21, 0.25, 0.3, 0.39, 0.41, 0.5, 1]
EXCHANGE_S = 0.003  # a segment and its ACK, on a line of 10 Mbit/s


@pytest.fixture(scope="module")
def records(program: Path) -> dict[float, dict]:
    lines = [[*JOB, f"--delayed-ack-timeout={each}s"] for each in DELAYED_S]
    return dict(zip(DELAYED_S, batch("print-job", lines), strict=True))


def by_hand_s(delayed_s: float) -> float:
    """What the two waits take."""
    if delayed_s < RTO_S:
        return 2 * delayed_s
    return RTO_S + min(delayed_s, 2 * RTO_S)


def test_two_waits_are_as_long_as_the_first_of_two_timers(records, program: Path):
    (unheld,) = batch("print-job", [[*JOB, "--nagle=false"]])  # two segments at the end
    for delayed_s, record in records.items():
        wait_s = record["duration_s"] - unheld["duration_s"]
        assert wait_s == pytest.approx(by_hand_s(delayed_s), abs=EXCHANGE_S), delayed_s


def test_what_ends_a_wait_before_the_ack_is_sent_again(records):
    for delayed_s, record in records.items():
        again = (delayed_s > RTO_S) + (delayed_s > 2 * RTO_S)
        assert record["retransmissions"] == again, delayed_s


def test_a_device_that_acknowledges_each_segment_has_neither(program: Path):
    (record,) = batch("print-job", [["--protocol=raw", "--job-size=1500000", "--ack-frequency=0"]])
    assert record["retransmissions"] == 0
    assert record["limits_s"]["delayed_ack"] == 0
