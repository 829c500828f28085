# SPDX-License-Identifier: GPL-2.0-only
"""The measure by which a simulated transfer is compared with a captured one."""

import numpy as np
import pytest
from study.diagnosis import byte_curves
from study.diagnosis.byte_curves import distance, histogram, histograms_apart, parting

SEGMENT_B, ROUND_TRIP_S = 1000, 0.04


def transfer(gap_s, count=100, window_B=65535, at_least_s=0.0):
    """Segments at a pace, each acknowledged a round trip later."""
    sent_s = np.maximum(np.arange(count) * gap_s, at_least_s * (np.arange(count) > count / 2))
    time_s = np.concatenate((sent_s, sent_s + ROUND_TRIP_S))
    is_sent = np.repeat([True, False], count)
    seq = np.concatenate((1 + np.arange(count) * SEGMENT_B, np.ones(count, int)))
    length = np.repeat([SEGMENT_B, 0], count)
    ack = np.concatenate((np.ones(count, int), 1 + (1 + np.arange(count)) * SEGMENT_B))
    window = np.full(2 * count, window_B)
    order = np.argsort(time_s, kind="stable")
    given = (time_s, is_sent, seq, length, ack, window)
    return byte_curves.curves(*(each[order] for each in given), both_ways=False)


def test_the_same_packets_are_at_no_distance():
    one = transfer(0.01)
    assert distance(one, one) == 0
    assert parting(one, one, 0.01) is None
    assert one.carried_B == 100 * SEGMENT_B
    assert one.duration_s == pytest.approx(99 * 0.01 + ROUND_TRIP_S)


def test_the_distance_grows_with_the_rate_s_error():
    one = transfer(0.01)
    near, far = (distance(one, transfer(gap_s)) for gap_s in (0.0105, 0.02))
    assert 0 < near < 0.1 < far < 1


def test_a_pause_that_leaves_the_rate_alone_is_far():
    """One transfer goes evenly, the other waits in its middle for as long as that takes."""
    steady, pausing = transfer(0.01), transfer(0.001, at_least_s=0.9)
    assert steady.rate_Bps == pytest.approx(pausing.rate_Bps, rel=0.1)
    assert distance(steady, pausing) > 0.2
    assert parting(steady, pausing, 0.05) < 0.2


def test_a_window_that_closes_is_told_from_a_line_of_the_same_rate():
    open_, shut = transfer(0.01, window_B=50_000), transfer(0.01, window_B=1000)
    assert open_.flight_B == 5 * SEGMENT_B
    apart = (1 - 1 / 5) * 0.99 / open_.duration_s  # from the first ACK on
    assert distance(open_, shut) == pytest.approx(0.1 * apart, rel=0.02)  # WEIGHT


def test_a_small_difference_of_a_gap_is_a_small_distance_on_both_sides_of_a_bin():
    edge_s = 1e-6 * 10 ** (8 / 4)  # SHORTEST_GAP_S, BINS_PER_DECADE
    below, above = histogram(np.array([edge_s * 0.99])), histogram(np.array([edge_s * 1.01]))
    assert histograms_apart(below, above) < 0.05
    assert below.sum() == pytest.approx(1)
    counted = histogram(np.array([1e-3]))
    assert len(counted) == 12 + 2 and counted[12] == pytest.approx(1)
    assert histogram(np.array([])).sum() == 0
