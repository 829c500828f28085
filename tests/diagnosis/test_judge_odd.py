# SPDX-License-Identifier: GPL-2.0-only
"""Whatever is missing or blunt in a capture, its budget adds up and nothing in it is negative."""

from dataclasses import replace

import numpy as np
import pytest
from study.diagnosis.judge import budget
from study.diagnosis.of_run import connection_of_run
from study.diagnosis.vantage import find_vantage
from test_judge import a_run

SYSTEMS = ("linksys-ppsx1", "telnet-xp", "rfc2525-stretch-ack", "tcp-frame-relay")
PLACES = (None, "sender", "receiver", "between")


def the_same(packets, rng):
    return packets


def one_direction(packets, rng):
    own = packets[packets["from_client"]]
    return own if len(own) else packets


def a_third_missing(packets, rng):
    kept = packets[rng.random(len(packets)) > 1 / 3]
    return kept if len(kept) else packets


def without_data(packets, rng):
    packets["length"] = 0
    return packets


def a_clock_of_10_ms(packets, rng):
    packets["time_ns"] -= packets["time_ns"] % 10_000_000
    return packets


def stamps_of_1_s(packets, rng):
    packets["time_ns"] -= packets["time_ns"] % 1_000_000_000
    return packets


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize(
    "spoil",
    [the_same, one_direction, a_third_missing, without_data, a_clock_of_10_ms, stamps_of_1_s],
)
@pytest.mark.parametrize("name", SYSTEMS)
def test_a_spoiled_capture_has_a_budget_that_adds_up(name, spoil):
    rng = np.random.default_rng(1)
    whole = connection_of_run(a_run(name))
    for length in (1, 2, 3, 10, 60, 300):
        start = int(rng.integers(0, max(len(whole.packets) - length, 1)))
        packets = spoil(whole.packets[start : start + length].copy(), rng)
        packets["time_ns"] -= packets["time_ns"][0]
        cut = replace(whole, packets=packets, resolution_ns=1000)
        for at in PLACES:
            vantage = find_vantage(cut, at)
            found = budget(cut, vantage)
            assert all(seconds >= 0 for seconds in found.limits_s.values())
            waits = found.waits
            ends = waits["start_ns"] + waits["length_ns"]
            assert (waits["start_ns"][1:] == ends[:-1]).all()
            if not vantage.shift_ns:
                assert found.duration_s == pytest.approx(cut.duration_s, abs=1e-9)
