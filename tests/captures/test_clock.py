# SPDX-License-Identifier: GPL-2.0-only
"""A clock that goes ahead: told by the timestamps that the packets carry."""

import numpy as np
import pytest
from study.captures import read
from study.captures.clock import AHEAD, LEAST_AHEAD_NS, MS, jumps_ahead

from tests.captures import making

COUNT, MIDDLE = 40, 20


def jumps(ahead_ms: int, counted_ms: int, stamped: bool = True):
    """Of packets of both ends in turn, 10 ms apart, with a gap in the middle that the clock of the
    capture has as one number and the timestamps as another."""
    place = np.arange(COUNT)
    time_ns = (10 * place + ahead_ms * (place >= MIDDLE)) * MS
    stamps = 10 * place + counted_ms * (place >= MIDDLE)
    return jumps_ahead(time_ns, place % 2 == 0, stamps if stamped else np.full(COUNT, -1))


def test_a_gap_that_no_timestamp_has_is_a_jump():
    (jump,) = jumps(3_600_000, 0)
    assert jump.row == MIDDLE and -jump.back_ns == pytest.approx(3.6e12, rel=1e-3)


def test_a_pause_that_the_timestamps_have_is_none():
    assert jumps(3_600_000, 3_600_000) == []
    assert jumps(AHEAD * 2000, 2000) == []
    assert len(jumps((AHEAD + 2) * 2000, 2000)) == 1


def test_a_short_gap_is_none():
    assert jumps(LEAST_AHEAD_NS // MS - 20, 0) == []


def test_without_timestamps_nothing_is_known():
    assert jumps(3_600_000, 0, stamped=False) == []


def test_reading_tells_how_far_it_is(tmp_path):
    path = tmp_path / "a.pcap"
    path.write_bytes(making.pcap(making.frames(making.transfer(3, 100))))
    told: list[float] = []
    read(path, told.append)
    assert sum(told) == pytest.approx(1, abs=0.01) and len(told) > 1
