# SPDX-License-Identifier: GPL-2.0-only
"""A sender that waits for each write stalls once a write, whatever it writes: a print job, a file
or a block. One that does not is held by its connection alone."""

import pytest
from study.programs.run import run_point

RTT_S = 0.05
PATH = ["--link=path", f"--rtt={RTT_S}s", "--path-rate=100Mbps"]
WRITES = 20
WRITE_B = 1460
# One segment a write, so that a write is one round trip; windows and buffers that never matter.
SENDERS = {
    "print-job": [
        "--protocol=raw", f"--job-size={WRITES * WRITE_B}", f"--first-write={WRITE_B}",
        f"--write-size={WRITE_B}", "--initial-window=64", "--write-time=1us",
    ],
    "file-send": [
        f"--job-size={WRITES * WRITE_B}", f"--file-buffer={WRITE_B}", "--initial-window=64",
    ],
    "request-reply": [
        "--commands=1", f"--command-text={WRITES * WRITE_B}", "--command-end=0", "--echo=false",
        f"--write-size={WRITE_B}", "--client-initial-window=64", "--server-ack-frequency=1",
        "--reply-writes=1",
    ],
}  # fmt: skip


def duration_s(scenario: str, returns: str) -> float:
    record = run_point(scenario, [*SENDERS[scenario], *PATH, f"--write-returns={returns}"])
    assert record["outcome"] == "finished" and record["retransmissions"] == 0
    return record["duration_s"]


@pytest.mark.parametrize("scenario", SENDERS)
def test_a_write_that_waits_for_its_ack_takes_a_round_trip(program, scenario: str):
    at_once = duration_s(scenario, "all-fits")
    waits = duration_s(scenario, "acknowledged")
    assert at_once < 4 * RTT_S
    assert waits - at_once == pytest.approx((WRITES - 1) * RTT_S, rel=0.1)


@pytest.mark.parametrize("scenario", ["print-job", "request-reply"])
def test_without_a_time_between_two_writes_it_is_the_same_whether_some_fits_or_all(
    program, scenario: str
):
    small = ["--client-send-buffer=2920"] if scenario == "request-reply" else ["--send-buffer=2920"]
    runs = [
        run_point(scenario, [*SENDERS[scenario], *PATH, *small, f"--write-returns={returns}"])
        for returns in ("some-fits", "all-fits")
    ]
    assert runs[0]["duration_s"] == pytest.approx(runs[1]["duration_s"], rel=0.01)


def test_the_time_between_two_writes_begins_when_the_one_before_returns(program):
    """A write of two buffers: the second half finds room a round trip later, and its ACK is there
    after another. What returns at once is always ahead."""
    writes = WRITES // 2
    flags = [*SENDERS["print-job"], *PATH, f"--send-buffer={WRITE_B}", "--write-time=80ms"]
    flags += [f"--first-write={2 * WRITE_B}", f"--write-size={2 * WRITE_B}"]
    expected_s = {
        "some-fits": writes * 2 * RTT_S,
        "all-fits": writes * (RTT_S + 0.08),
        "acknowledged": writes * (2 * RTT_S + 0.08),
    }
    for returns, time_s in expected_s.items():
        took_s = run_point("print-job", [*flags, f"--write-returns={returns}"])["duration_s"]
        assert took_s == pytest.approx(time_s, abs=2.5 * RTT_S), returns  # handshake, last ACK


def test_the_time_before_a_command_s_end_begins_when_the_write_of_its_text_returns(program):
    flags = ["--commands=1", "--command-text=2920", "--command-end=2", "--echo=false", *PATH]
    flags += ["--client-send-buffer=1460", "--command-write-time=200ms", "--server-ack-frequency=1"]
    fits = [f"--write-returns={returns}" for returns in ("some-fits", "all-fits")]
    at_once, later = (run_point("request-reply", [*flags, each])["duration_s"] for each in fits)
    assert later - at_once == pytest.approx(RTT_S, rel=0.1)


def test_who_waits_for_a_write_does_not_wait_for_an_application(program):
    flags = [*SENDERS["print-job"], *PATH, "--write-returns=acknowledged"]
    limits_s = run_point("print-job", flags)["limits_s"]
    assert limits_s["application"] < 0.001
    assert max(limits_s, key=limits_s.get) == "round_trip"
