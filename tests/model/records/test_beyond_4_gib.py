# SPDX-License-Identifier: GPL-2.0-only
"""Sequence numbers go round after 4 GiB; what is counted by them goes on."""

import pytest
from study.programs.run import run_point

WRITES = 260  # of 16 MiB, the largest: 4.06 GiB
WRITE_B = 16777216
LONG = [
    "--link=path", "--path-rate=10Gbps", "--rtt=1ms", "--path-queue=10000p", "--path-mtu=65535",
    *[f"--{end}-{flag}" for end in ("client", "server")
      for flag in ("mss=65495", "window-scale=auto", "window=4000000", "send-buffer=4000000",
                   "minimum-rto=1s")],
    "--echo=false", f"--command-text={WRITE_B}", f"--commands={WRITES}",
]  # fmt: skip


@pytest.mark.parametrize("returns", ["some-fits", "acknowledged"])
def test_more_than_4_gib_are_acknowledged_and_none_of_it_is_taken_for_a_repeat(program, returns):
    record = run_point("request-reply", [*LONG, f"--write-returns={returns}"])
    assert record["outcome"] == "finished"
    assert record["bytes"] > 2**32
    assert record["retransmissions"] == 0
    assert record["needless_retransmissions"] == 0
