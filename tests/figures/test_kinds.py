# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the kinds of figures: each can be drawn of any system, and shows what it says."""

from itertools import combinations

import pytest
from study import Result, StudyError, System, drawing, systems
from study.drawing import Span
from study.drawing.flow import stretch_of

OF_WHOLE_JOBS = {"curve", "limits", "map", "sensitivity"}


@pytest.mark.parametrize("name", ["hp-jetdirect-610n", "imagen-v2"])
@pytest.mark.parametrize("kind", drawing.KINDS)
def test_a_kind_can_be_drawn_of_any_system(kind: str, name: str, program):
    system = systems[name].with_(job_size=60000)
    if kind in OF_WHOLE_JOBS:
        with pytest.raises(StudyError, match=f"--from or --to: {kind} is not drawn of a part"):
            drawing.draw(kind, system, Span(0, 2.0))
    drawn = drawing.draw(kind, system, Span() if kind in OF_WHOLE_JOBS else Span(0, 2.0))
    assert len(drawn.table) > 0
    assert "simulated" in drawn.caption


def test_the_largest_effect_is_the_upper_bar(program):
    drawn = drawing.draw("sensitivity", systems["imagen-v2"].with_(job_size=60000), Span())
    (axes,) = drawn.figure.axes
    widths = [bar.get_width() for bar in axes.patches]
    tops = [axes.transData.transform((0, bar.get_y()))[1] for bar in axes.patches]
    assert len(widths) > 1 and widths == sorted(widths, reverse=True)
    assert tops == sorted(tops, reverse=True)


def test_nothing_is_sent_beyond_the_window_and_all_is_within_it(
    hawking: System, hawking_run: Result
):
    """What the time-sequence graph shows of any receiver: data ends at the green line or below."""
    stretch = stretch_of(hawking_run.packets, Span(0.1, 2.0), hawking.name)
    edge = 0
    for packet in stretch.packets:
        if packet.sender != "host" and packet.ack is not None:
            edge = packet.ack + packet.window
        elif packet.length:
            assert packet.seq + packet.length <= edge
    assert max(stretch.outstanding_B()) == 2920


def test_data_sent_twice_is_told_from_data_sent_once(hawking: System):
    system = hawking.with_(job_size=100_000, loss_to_device=0.05)
    stretch = stretch_of(system.run(segments=True).packets, Span(0, 1e6), system.name)
    again = stretch.is_repeated()
    seen: set[int] = set()
    for packet, repeated in zip(stretch.data, again, strict=True):
        assert repeated == (packet.seq in seen)
        seen.add(packet.seq)
    assert any(again)


def test_neighbouring_limits_differ_on_a_grey_printer():
    """By a tenth of the way from black to white, or by a hatch."""
    from matplotlib.colors import to_rgb

    def grey(colour: str) -> float:
        red, green, blue = to_rgb(colour)
        return 0.299 * red + 0.587 * green + 0.114 * blue

    from study.drawing.kinds.limits import looks
    from study.programs.declaration import all_limits

    for (one, hatch), (other, next_hatch) in combinations(looks(all_limits()).values(), 2):
        assert hatch != next_hatch or abs(grey(one) - grey(other)) > 0.1


def test_the_line_above_a_figure_names_the_first_changes_and_breaks(hawking: System):
    from study.drawing.flow import MOST_CHANGES, TITLE_LETTERS, title_of

    keys = ("ack_latency", "receive_window", "send_buffer", "mss", "job_size", "seed")
    many = hawking.with_(**dict(zip(keys, ("20ms", 1024, 2048, 512, 9999, 7), strict=True)))
    lines = title_of(many).splitlines()
    assert max(map(len, lines)) <= TITLE_LETTERS
    assert lines[-1].endswith(f"and {len(keys) - MOST_CHANGES} more")
    assert title_of(hawking) == title_of(hawking).replace("\n", "")


def test_a_ladder_over_frame_relay_has_not_the_ethernet_s_slant(program):
    """No frame of it takes the Ethernet's time: the slant is that on all of its lines, as told."""
    wan = systems["hawking-hps1u"].with_(link="frame-relay", job_size=20_000)
    drawn = drawing.draw("ladder", wan, Span(0, 2.0))
    assert "the slant is the time on the path, waiting in its queue included" in drawn.caption
    sent = [p for p in wan.run(segments=True).packets if p.sender == "host" and p.length]
    assert min(p.far_s - p.time_s for p in sent) > 0.06  # the network's transit alone
    assert (
        "transmission time"
        in drawing.draw("ladder", wan.with_(link="ethernet"), Span(0, 2.0)).caption
    )


def test_a_part_of_a_job_says_so_and_all_of_it_does_not(program):
    """Or a reader takes the beginning for the whole."""
    system = systems["hawking-hps1u"].with_(job_size=20_000)
    whole_s = system.run(segments=True).packets[-1].time_s
    for kind in ("ladder", "time-sequence", "outstanding"):
        title = drawing.draw(kind, system, Span(0, 0.3)).figure.axes[0].get_title(loc="left")
        assert f" ms of {whole_s * 1000:.0f} ms" in title
        assert "\n0 to 300 ms of " in title or kind == "ladder"
    for kind in ("time-sequence", "outstanding"):
        title = drawing.draw(kind, system, Span(0, whole_s)).figure.axes[0].get_title(loc="left")
        assert " of " not in title


def test_a_ladder_of_two_sides_fits_on_a_page_in_every_size(program):
    """A page has nine inches for it and its caption."""
    from study.drawing.beside_capture import Captured

    system = systems["hawking-hps1u"].with_(job_size=100_000)
    captured = Captured("job.pcap", system.run(segments=True).packets)
    for size in ("column", "page", "slide"):
        drawn = drawing.draw("ladder", system, Span(0, 1.5), size, captured)
        assert drawn.figure.get_figheight() <= 8.5
        assert " of " in drawn.figure.axes[0].get_title(loc="left")
        assert " of " in drawn.caption.partition(";")[0]


def test_an_axis_of_many_bytes_has_no_bare_power_of_ten(program):
    system = systems["hp-jetdirect-610n"]
    axes = drawing.draw("time-sequence", system, Span(5.0, 5.01)).figure.axes[0]
    axes.figure.draw_without_rendering()
    assert axes.yaxis.get_offset_text().get_text() == ""
    assert axes.get_ylabel() in ("sequence number (KiB)", "sequence number (MiB)")
    shown = [float(text.get_text().replace(",", "")) for text in axes.get_yticklabels()]
    scale = 2**20 if "MiB" in axes.get_ylabel() else 2**10
    assert shown == pytest.approx([tick / scale for tick in axes.get_yticks()])
