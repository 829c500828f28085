# SPDX-License-Identifier: GPL-2.0-only
"""A server that reads so much at a time and is busy with it, by hand: its reads take their time one
after the other, whatever the windows do."""

from pathlib import Path

import pytest
from both_ways import batch, both, difference

SIZE_B, READ_S = 60_000, 0.02
EXCHANGE = ["--commands=1", f"--command-text={SIZE_B}", "--command-end=0", "--echo=false"]
EXCHANGE += ["--server-time=1ns", "--reply-writes=1", "--reply-write=1", "--client-time=1ns"]
# With a window of the whole job, and with a small one at a Linux, which tells each opening of it.
SERVERS = {
    "whole": ["--server-window=64240"],
    "linux": ["--server-window=8760", "--server-ack-rule=adaptive", "--server-delayed-ack=40ms"],
}


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("read_B", [1000, 1460, 4096, 7000])
def test_it_takes_the_time_of_its_reads(server: str, read_B: int, program: Path):
    flags = [*EXCHANGE, *SERVERS[server], f"--server-read={read_B}"]
    (record,) = batch("request-reply", [[*flags, f"--server-read-time={READ_S}s"]])
    reads = -(-SIZE_B // read_B)
    # Before the first read and behind the last one there is a segment's exchange or two.
    assert record["duration_s"] == pytest.approx(reads * READ_S, abs=0.02)


def test_a_read_of_all_that_comes_takes_no_time(program: Path):
    lines = [EXCHANGE, [*EXCHANGE, "--server-read-time=1s"]]
    without, unused = batch("request-reply", lines)
    assert without["duration_s"] == unused["duration_s"]
    assert without["duration_s"] < 0.1


def test_many_such_commands_are_the_same_fast_forwarded(program: Path):
    flags = [*EXCHANGE, "--commands=300", "--command-text=6000", "--server-read=2000"]
    ((fast, full),) = both([[*flags, "--server-window=4096"]], "request-reply")
    assert fast["cycles_skipped"] > 0
    assert difference(fast, full) == {}
