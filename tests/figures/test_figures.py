# SPDX-License-Identifier: GPL-2.0-only
"""Claims about every figure of the study: it repeats to the byte, its letters can be read in every
size, and its jobs finished."""

import re
from itertools import combinations
from pathlib import Path

import pytest
from study import Result, System, figures
from study.drawing import files, style
from study.judging import reproduction

LARGEST_B = 250_000
SUFFIXES = {".svg", ".pdf", ".png", ".csv"}
RUNS: dict[tuple, Result] = {}


@pytest.fixture
def swept_once(name: str, drawings, monkeypatch, request: pytest.FixtureRequest) -> None:
    """That the same jobs give the same numbers is a claim of test_study_run; here they run once."""
    if name == "residuals":
        rows = request.getfixturevalue("fresh_rows")
        monkeypatch.setattr(reproduction, "rows", lambda: rows)
    table, module = drawings[name].table, figures.FIGURES.module(name)
    if hasattr(module, "sweep"):
        monkeypatch.setattr(module, "sweep", lambda *_: table)
    run = System.run

    def once(system: System, *, segments: bool = False) -> Result:
        key = (system.name, *system.flags(), segments)
        if key not in RUNS:
            RUNS[key] = run(system, segments=segments)
        return RUNS[key]

    monkeypatch.setattr(System, "run", once)


@pytest.mark.parametrize("name", figures.FIGURES)
def test_a_figure_repeats_to_the_byte_in_every_format(
    name: str, drawings, tmp_path: Path, swept_once
):
    saved = []
    for number, drawn in enumerate((drawings[name], figures.draw(name))):
        folder = tmp_path / str(number)
        paths = files.save_all(drawn, folder / name)
        assert {path.suffix for path in paths} == SUFFIXES
        saved.append([path.read_bytes() for path in paths])
    assert saved[0] == saved[1]


def texts_drawn(figure, monkeypatch) -> list:
    """The texts that come to paper; a tick outside the axes does not."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.text import Text

    drawn, draw = [], Text.draw

    def record(text, renderer, *arguments) -> None:
        drawn.append(text)
        draw(text, renderer, *arguments)

    monkeypatch.setattr(Text, "draw", record)
    FigureCanvasAgg(figure).draw()
    return [text for text in dict.fromkeys(drawn) if text.get_text() and text.get_visible()]


@pytest.mark.parametrize("size", style.SIZES)
@pytest.mark.parametrize("name", figures.FIGURES)
def test_letters_are_at_least_7_points_do_not_touch_and_stay_inside(
    name: str, size: str, drawings, swept_once, monkeypatch
):
    """The slide's are drawn at half its size, so there they are 14 points at least."""
    drawn = drawings[name] if size == "page" else figures.draw(name, size)
    figure = drawn.figure
    assert figure.get_figwidth() == style.SIZES[size].width_in
    if size == "slide":
        assert figure.get_figwidth() / figure.get_figheight() == pytest.approx(16 / 9)
    with style.house(size):
        texts = texts_drawn(figure, monkeypatch)
    assert min(text.get_fontsize() for text in texts) >= 7
    # Slanted letters have no upright box: a contour's own labels, a line's.
    upright = [text for text in texts if text.get_rotation() in (0, 90)]
    boxes = {text: text.get_window_extent().padded(-2) for text in upright}  # what letters leave
    inside = figure.bbox.padded(1)
    outside = [t.get_text() for t, box in boxes.items() if not holds(inside, box)]
    assert outside == []
    touching = [
        (one.get_text(), other.get_text())
        for (one, box), (other, next_box) in combinations(boxes.items(), 2)
        if box.overlaps(next_box)
    ]
    assert touching == []


@pytest.mark.parametrize("name", figures.FIGURES)
def test_letters_and_legends_stay_on_a_column_of_85_mm(
    name: str, drawings, swept_once, monkeypatch
):
    """A little narrower than the column by name: a legend too wide for it loses both its ends."""
    figure = figures.draw(name, "85mm").figure
    with style.house("85mm"):
        texts = texts_drawn(figure, monkeypatch)
    legends = [*figure.legends, *(axes.get_legend() for axes in figure.axes)]
    boxes = {text.get_text(): text.get_window_extent() for text in texts}
    boxes |= {f"legend {n}": each.get_window_extent() for n, each in enumerate(legends) if each}
    page = figure.bbox.padded(1)
    assert [name for name, box in boxes.items() if not holds(page, box)] == []


def test_a_legend_wider_than_its_figure_gets_fewer_columns():
    def draw() -> style.Drawing:
        import pandas as pd

        figure, axes = style.one(3.0)
        for number in range(6):
            axes.plot([1, 2], [1, number], label=f"a family with a long name, {number}")
        figure.legend(loc="outside upper center", ncols=3)
        return style.Drawing(figure, pd.DataFrame(), "")

    for size, rows in (("page", 2), ("85mm", 6)):
        figure = style.drawn(draw, size).figure
        figure.draw_without_rendering()
        (legend,) = figure.legends
        assert holds(figure.bbox.padded(1), legend.get_window_extent())
        texts = [text.get_window_extent() for text in legend.get_texts()]
        assert len({round(box.y0) for box in texts}) == rows
        assert all(not box.overlaps(axes.bbox) for box in texts for axes in figure.axes)


def holds(outer, inner) -> bool:
    """Whether a box lies in another."""
    across = outer.x0 <= inner.x0 and inner.x1 <= outer.x1
    return across and outer.y0 <= inner.y0 and inner.y1 <= outer.y1


@pytest.mark.parametrize("name", figures.FIGURES)
def test_a_figure_says_its_point_in_a_sentence_over_it(name: str, drawings):
    title = drawings[name].title
    assert len(title.split()) > 5 and "\n" not in title and not title.endswith(".")
    assert not {"{", "}"} & {*title}
    over = [" ".join(text.get_text().split()) for text in drawings[name].figure.texts]
    assert title in over


@pytest.mark.parametrize("name", figures.FIGURES)
def test_no_number_of_a_sentence_over_a_figure_is_typed(name: str):
    """But what has one in its name."""
    text = figures.FIGURES.module(name).TITLE
    for called in ("TcpAckFrequency 1", "ns-3"):
        text = text.replace(called, "")
    assert re.findall(r"\d", re.sub(r"\{[^}]*\}", "", text)) == []


@pytest.mark.parametrize("name", figures.FIGURES)
def test_a_figure_s_svg_is_no_burden_on_a_page(name: str, drawings):
    assert len(files.as_file(drawings[name], "svg")) < LARGEST_B


@pytest.mark.parametrize("name", figures.FIGURES)
def test_a_caption_has_all_its_numbers(name: str, drawings):
    assert not {"{", "}"} & {*drawings[name].caption}


@pytest.mark.parametrize("name", figures.FIGURES)
def test_every_job_of_a_figure_finished(name: str, drawings):
    table = drawings[name].table
    if "outcome" in table:
        assert set(table.outcome) - {"closed form"} == {"finished"}
