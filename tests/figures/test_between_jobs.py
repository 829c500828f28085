# SPDX-License-Identifier: GPL-2.0-only
"""Claims about what stands between two jobs of a curve: a closed form where it holds, a line where
nothing lies between them, "not run" everywhere else; and both sides of every step."""

import re
from math import nan

import pytest
from study import drawing, plot, systems
from study.drawing import bytes_axis, gaps, style
from study.drawing.gaps import NOT_RUN, THIN
from study.system.system import System

LOOK = ("black", "-", "o")


@pytest.fixture(scope="module")
def short(program) -> System:
    return systems["hawking-hps1u"].with_(job_size=100_000)


def drawn(jobs: tuple, paper=None, form=None, step: float = 0.0) -> list[tuple[str, list]]:
    """How each line looks and between which x."""
    with style.house():
        _, axes = style.one(3.0)
        gaps.join(axes, LOOK, gaps.gaps(jobs, form, step), paper)
    found = []
    for line in axes.lines:
        xs = [x for x, y in line.get_xydata() if y == y]
        if xs:
            is_thin = line.get_linewidth() == THIN["linewidth"]
            found.append(("not run" if is_thin else "line", [min(xs), max(xs)]))
    return found


def test_a_closed_form_is_drawn_only_between_jobs_that_it_holds_for():
    """It is right at 1 and 2 and three times too much at 4; of 8 it says nothing."""
    jobs = [1.0, 2.0, 4.0, 8.0], [10.0, 20.0, 30.0, 40.0]
    paper = [1.0, 1.5, 2.0, 3.0, 4.0, 8.0], [10.0, 15.0, 20.0, 60.0, 90.0, 90.0]
    found = drawn(jobs, paper, [10.0, 20.0, 90.0, nan])
    assert sorted(found) == [
        ("line", [1.0, 2.0]), ("not run", [2.0, 4.0]), ("not run", [4.0, 8.0])
    ]  # fmt: skip


def test_neighbouring_whole_numbers_are_joined_and_others_are_marked():
    jobs = [1460.0, 1461.0, 2920.0], [1.0, 2.0, 3.0]
    assert drawn(jobs, step=1.0) == [("line", [1460, 1461]), ("not run", [1461, 2920])]
    assert drawn(jobs) == [("not run", [1460, 1461]), ("not run", [1461, 2920])]  # of a time


def test_a_fraction_has_values_between_any_two(short: System):
    """As a curve over 0.1 %, 1 % and 10 % of losses would claim, if its neighbours were joined."""
    table = short.sweep(path_loss=["0.1%", "1%", "10%"], link="path", protocol="raw")
    (axes,) = plot(table, "path_loss", "throughput").figure.axes
    assert gaps.has_unrun(axes)


def test_not_run_stands_in_the_legend_once_and_last(short: System):
    table = short.sweep(receive_window=[1460, 2920, 5840], ack_latency=["1ms", "9ms"])
    figure = plot(table, "receive_window", "throughput", "ack_latency").figure
    names = [text.get_text() for each in figure.legends for text in each.get_texts()]
    assert names == ["1 ms", "9 ms", NOT_RUN]


def test_both_sides_of_each_step_are_run(program):
    """The Relook's client waits for a delayed ACK with a window of 537 B, and does not with one of
    538 B: 2.7 kB/s become 1329. A line held from the job at 512 B or drawn to the one at 1024 B
    would say something else of every window between."""
    relook = systems["relook-400s"].with_(job_size=300_000)
    found = relook.figure("curve", vary={"receive_window": [512, 1024, 2048]})
    rates = found.table.set_index("receive_window_B").throughput_Bps.sort_index()
    (step,) = [
        (low, high)
        for low, high in zip(rates.index, rates.index[1:], strict=False)
        if rates[high] > 10 * rates[low]
    ]
    assert step[1] - step[0] == 1
    assert "small dots: further jobs, run to find both sides of a step" in found.caption
    assert "dotted: nothing was run there" in found.caption


def test_a_step_that_only_the_closed_form_knows_is_run(program):
    """By the formula the older IMAGEN takes 679 kB/s with windows of 2048 to 2730 B, between two
    windows for which the form holds. The jobs there give 506 kB/s, so no line says 679."""
    imagen = systems["imagen-v2"].with_(job_size=60_000)
    found = imagen.figure("curve", vary={"receive_window": [1536, 3072]})
    rates = found.table.set_index("receive_window_B").throughput_Bps
    assert {2047, 2048, 2730, 2731} <= set(rates.index)
    curves = [line for line in found.figure.axes[0].lines if list(line.get_xdata()) != [0, 1]]
    highest = max(y for line in curves for _, y in line.get_xydata() if y == y)
    assert highest * 1000 == pytest.approx(rates.max())
    assert rates.max() < 0.8 * found.table.closed_form_throughput_Bps.max()


def test_what_chance_has_a_part_in_has_no_steps(short: System):
    lossy = short.with_(loss_to_device=0.01)
    table = lossy.figure("curve", vary={"receive_window": [1460, 2920, 5840]}).table
    assert list(table.receive_window_B) == [1460, 2920, 5840]


@pytest.mark.parametrize("kind", ["curve", "map", "time-sequence", "outstanding"])
def test_an_axis_of_bytes_ticks_in_powers_of_two(kind: str, short: System):
    span = drawing.Span() if kind in ("curve", "map") else drawing.Span(0, 1.0)
    figure = drawing.draw(kind, short, span).figure
    figure.draw_without_rendering()
    seen = 0
    for axis in [each for axes in figure.axes for each in (axes.xaxis, axes.yaxis)]:
        unit = re.search(r"(?:^|\()(B|KiB|MiB)\)?$", axis.get_label_text())
        if unit:
            seen += 1
            size = bytes_axis.UNITS[unit[1]]
            ticks = [float(text.get_text().replace(",", "")) for text in axis.get_ticklabels()]
            in_B = [tick * size for tick in ticks if tick]
            step = min(in_B)
            assert len(in_B) >= 2 and step == 2 ** round(step).bit_length() // 2
            assert all(tick % step == 0 for tick in in_B)
    assert seen


def test_ticks_of_bytes_are_neither_too_many_nor_too_few():
    assert bytes_axis.powers(512, 65535) == [2**n for n in range(9, 16)]
    assert bytes_axis.powers(2900, 3100) == [2912, 2944, 2976, 3008, 3040, 3072]
    assert bytes_axis.multiples(0, 100_000) == [16384 * n for n in range(7)]
    assert bytes_axis.unit_of(0, 100_000) == ("KiB", 1024)
    assert bytes_axis.unit_of(256, 3000) == ("B", 1)
