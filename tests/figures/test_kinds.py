# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the kinds of figures: each can be drawn of any system, and shows what it says."""

from itertools import combinations

import pytest
from study import Result, System, drawing, systems
from study.drawing import Span
from study.drawing.flow import flow


@pytest.mark.parametrize("name", ["hp-jetdirect-610n", "imagen-v2"])
@pytest.mark.parametrize("kind", drawing.KINDS)
def test_a_kind_can_be_drawn_of_any_system(kind: str, name: str, program):
    drawn = drawing.draw(kind, systems[name].with_(job_size=60000), Span(0, 2.0))
    assert len(drawn.table) > 0
    assert "simulated" in drawn.caption


def test_nothing_is_sent_beyond_the_window_and_all_is_within_it(
    hawking: System, hawking_run: Result
):
    """What the time-sequence graph shows of any receiver: data ends at the green line or below."""
    stretch = flow(hawking, hawking_run, Span(0.1, 2.0))
    edge = 0
    for packet in stretch.packets:
        if packet.sender != "host" and packet.ack is not None:
            edge = packet.ack + packet.window
        elif packet.length:
            assert packet.seq + packet.length <= edge
    assert max(stretch.outstanding_B()) == 2920


def test_data_sent_twice_is_told_from_data_sent_once(hawking: System):
    system = hawking.with_(job_size=100_000, loss_to_device=0.05)
    stretch = flow(system, system.run(segments=True), Span(0, 1e6))
    again = stretch.is_repeated()
    seen: set[int] = set()
    for packet, repeated in zip(stretch.data, again, strict=True):
        assert repeated == (packet.seq in seen)
        seen.add(packet.seq)
    assert any(again)


def test_neighbouring_limits_differ_on_a_grey_printer():
    """By a tenth of the way from black to white, or by a hatch."""
    from matplotlib.colors import to_rgb
    from study.drawing.kinds.limits import LOOKS

    def grey(colour: str) -> float:
        red, green, blue = to_rgb(colour)
        return 0.299 * red + 0.587 * green + 0.114 * blue

    for (one, hatch), (other, next_hatch) in combinations(LOOKS.values(), 2):
        assert hatch != next_hatch or abs(grey(one) - grey(other)) > 0.1
