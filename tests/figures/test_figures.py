# SPDX-License-Identifier: GPL-2.0-only
"""Claims about every figure of the study: it repeats to the byte, its letters can be read in every
size, and its jobs finished."""

import re
from pathlib import Path

import pytest
from study import Result, System, drawing, figures, systems
from study.base.project import FIGURES
from study.drawing import files, style
from study.judging import reproduction

from tests.figures import boxes
from tests.figures.test_kinds import OF_WHOLE_JOBS

LARGEST_B = 250_000
MOST_HIGH_IN = 8.8  # so much of a page is left above a caption
MOST_NAMED = 11  # eight kinds and "other", what was measured, and what was not run
ENGLISH = {"the", "of", "and", "with", "measured", "simulated", "throughput", "time", "per", "job"}
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


# Of packets, a sweep, the systems' rows, and a committed table. CI compares all of them:
# ./waf reproduce makes each anew and may change no committed file.
OF_EACH_KIND = ("ladder", "throughput-vs-window", "residuals", "kernel")


@pytest.mark.parametrize("name", OF_EACH_KIND)
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


@pytest.mark.parametrize("size", ["page", "slide"])
@pytest.mark.parametrize("name", figures.FIGURES)
def test_letters_are_at_least_7_points_do_not_touch_and_stay_inside(
    name: str, size: str, drawings, swept_once
):
    """The slide's are drawn at half its size, so there they are 14 points at least. A column is
    narrower and in German in the next claim."""
    drawn = drawings[name] if size == "page" else figures.draw(name, size)
    figure = drawn.figure
    assert figure.get_figwidth() == style.SIZES[size].width_in
    if size == "slide":
        assert figure.get_figwidth() / figure.get_figheight() == pytest.approx(16 / 9)
    readable(figure, size)


def readable(figure: object, size: str) -> list:
    """Return its texts, which are large enough, inside and apart."""
    with style.house(size):
        texts = boxes.texts(figure)
    assert min(text.get_fontsize() for text in texts) >= 7
    assert boxes.outside(figure, texts) == []
    assert boxes.touching(texts) == []
    return texts


@pytest.mark.parametrize("name", figures.FIGURES)
def test_a_figure_holds_at_85_mm_in_grey_and_in_german(name: str, drawings, swept_once):
    """The narrowest column that it is drawn for, without colours, with longer words."""
    holds_in_german(figures.draw(name, "85mm", "grey", locale="de"))


@pytest.mark.parametrize("name", ["hawking-hps1u", "telnet-xp"])
@pytest.mark.parametrize("kind", drawing.KINDS)
def test_a_kind_holds_at_85_mm_in_grey_and_in_german(kind: str, name: str, program):
    span = drawing.Span() if kind in OF_WHOLE_JOBS else drawing.Span(0, 0.5)
    holds_in_german(drawing.draw(kind, systems[name], span, "85mm", dress="grey", locale="de"))


def holds_in_german(drawn: style.Drawing) -> None:
    """Nothing is clipped, nothing covers anything, all can be read, and in one language."""
    figure = drawn.figure
    assert figure.get_figheight() <= MOST_HIGH_IN
    texts = readable(figure, "85mm")
    assert boxes.covered(figure, texts) == []
    for text in figure.texts:  # the sentence over it
        assert text.get_window_extent().height < figure.bbox.height / 6
    for said in (*(text.get_text() for text in texts), drawn.title, drawn.caption):
        words = re.sub(r"nennt: .*?\. (?=[A-Z])", "", said)  # a source's own words stay
        words = words.replace("write and read until", "")
        assert not ENGLISH & set(re.findall(r"\b[a-z]+\b", words)), said
        assert not re.search(r"[a-z]_[a-z]|[a-z] = ", said), said
    for legend in boxes.legends(figure):
        assert len(legend.get_texts()) <= MOST_NAMED


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
        assert boxes.holds(figure.bbox.padded(1), legend.get_window_extent())
        texts = [text.get_window_extent() for text in legend.get_texts()]
        assert len({round(box.y0) for box in texts}) == rows
        assert all(not box.overlaps(axes.bbox) for box in texts for axes in figure.axes)


@pytest.mark.parametrize("name", figures.FIGURES)
def test_a_figure_says_its_point_in_a_sentence_over_it_of_jobs_that_finished(name: str, drawings):
    """With every number filled in, there and in its caption; its file is no burden on a page. Its
    table is the committed one, which test_claims reads."""
    drawn = drawings[name]
    (committed, made), *_ = files.rendered(drawn, FIGURES / name, formats=("csv",)).items()
    assert made == committed.read_bytes(), "run ./waf reproduce"
    assert len(drawn.title.split()) > 5 and "\n" not in drawn.title
    assert not drawn.title.endswith(".") and not {"{", "}"} & {*drawn.title, *drawn.caption}
    over = [" ".join(text.get_text().split()) for text in drawn.figure.texts]
    assert drawn.title in over
    if "outcome" in drawn.table:
        assert set(drawn.table.outcome) - {"closed form"} == {"finished"}
    assert len(files.as_file(drawn, "svg")) < LARGEST_B


@pytest.mark.parametrize("name", figures.FIGURES)
def test_no_number_of_a_sentence_over_a_figure_is_typed(name: str):
    """But what has one in its name."""
    text = figures.FIGURES.module(name).TITLE
    for called in ("TcpAckFrequency 1", "ns-3"):
        text = text.replace(called, "")
    assert re.findall(r"\d", re.sub(r"\{[^}]*\}", "", text)) == []
