# SPDX-License-Identifier: GPL-2.0-only
"""Claims about a long reply behind small ones and behind a pause."""

import pytest
from both_ways import batch
from study import systems

SMALL = "c1000:100,s1000:100,"  # a command and its reply, each behind 100 ms


def download_s(control: str, small: int) -> float:
    flags = systems["request"].with_(
        server_congestion_control=control,
        path_rate="50Mbps",
        client_window="2MB",
        turns=f"{SMALL * small}c1000:100,s1000:3000000",
    )
    (record,) = batch("request-reply", [list(flags.flags())])
    return record["duration_s"]


@pytest.mark.parametrize("control", ["bbr", "cubic"])
def test_small_replies_teach_no_low_rate(control: str, program):
    """What the program kept small says nothing of the path: the download takes as long as alone."""
    before_s = 20 * 0.05  # each small command and its reply take a round trip, without the delays
    behind_s, alone_s = download_s(control, 20), download_s(control, 0)
    assert behind_s - before_s < 1.2 * alone_s


def test_a_long_pause_takes_the_congestion_window_back(program):
    """A reply behind a pause takes the round trips of slow start again, one behind none does not:
    in the time of a command without the pause."""
    whole = systems["request"].with_(reply_write="300kB", path_rate="100Mbps", commands=3)
    times = {}
    for pause_s in (0, 0.1, 2):
        system = whole.with_(rtt="100ms", client_time=f"{pause_s}s" if pause_s else "1us")
        times[pause_s] = system.run().duration_s - 3 * pause_s
    assert times[0.1] == pytest.approx(times[0], rel=0.02)
    assert times[2] > 1.2 * times[0]
