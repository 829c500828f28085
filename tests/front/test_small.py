# SPDX-License-Identifier: GPL-2.0-only
"""What every page draws with."""

import pytest

from tests.front.scripts import NODE, in_node

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")

SCRIPT = (
    "const language = 'en'; const answer = data.map(([low, high]) => ticks(low, high, false, 5))"
)
RANGES = [(0, 1), (0, 30_000), (2e8, 2e8 + 1), (0.1, 0.3), (7955.7, 7955.8)]


def test_ticks_are_few_and_within_their_range_however_narrow_it_is():
    """200 ms are 2e8 ns: one point alone has an axis of 1 ns."""
    for (low, high), marks in zip(RANGES, in_node(["small.js"], SCRIPT, RANGES), strict=True):
        assert 2 <= len(marks) <= 11, (low, high, marks[:20])
        slack = (high - low) / 100
        assert low - slack <= marks[0] and marks[-1] <= high + slack


def test_an_end_that_is_a_step_has_its_tick():
    ((*_, last),) = in_node(["small.js"], SCRIPT, [(0.1, 0.3)])
    assert last == pytest.approx(0.3)
