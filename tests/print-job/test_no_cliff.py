# SPDX-License-Identifier: GPL-2.0-only
"""A little more or less of window, segment or send buffer changes a device's rate by no more than
one segment a cycle: whether an ACK is early or late does not depend on how full a segment is."""

from itertools import pairwise

import pytest
from study import systems
from study.base.units import seconds

AXES = {
    "receive_window": sorted({*range(512, 8761, 61), 1459, 1460, 1461, 2919, 2920, 2921, 4380}),
    "mss": sorted({*range(64, 1461, 12), 535, 536, 537, 1459, 1460}),
    "send_buffer": sorted({*range(512, 8761, 61), 1024, 1459, 1460, 1461, 2919, 2920, 2921}),
}
LARGEST_SEGMENT_B = 1460
SETTLING = 1.02  # what the first cycles, in which the congestion window grows, may add to that


@pytest.mark.parametrize("host", ["linux-2.2", "linux-6"])
@pytest.mark.parametrize("axis", AXES)
def test_neighbours_differ_by_no_more_than_one_segment_a_cycle(program, axis: str, host: str):
    system = systems["hawking-hps1u"].with_host(host).with_(job_size=300_000, protocol="raw")
    cycle_s = seconds(system.settings["ack_latency"].text)
    values = AXES[axis]
    records = [system.with_(**{axis: value}).run() for value in values]
    assert {record.outcome for record in records} == {"finished"}
    per_cycle_B = [record.throughput_Bps * cycle_s for record in records]
    for (value, before_B), (other, after_B) in pairwise(zip(values, per_cycle_B, strict=True)):
        segment_B = other if axis == "mss" else LARGEST_SEGMENT_B
        assert abs(after_B - before_B) <= SETTLING * segment_B, (axis, value, other)
