# SPDX-License-Identifier: GPL-2.0-only
"""Claims about what a notebook's cells call: predictions, measured points, sources, sentences."""

import dataclasses

import pytest
from study import systems
from study.base.errors import StudyError
from study.notebooks import (
    Text,
    curves,
    diagnosed,
    measured_mark,
    mystery,
    predict,
    round_trip_ms,
    say,
    sources,
    table,
    told,
    treads,
    whose,
)
from study.notebooks.mysteries import MYSTERIES
from study.programs.declaration import all_limits


def test_a_prediction_stands_beside_the_result():
    text = predict("rate", "kB/s", 50).against(25.0).markdown
    assert "50 kB/s" in text and "25.0 kB/s" in text and "too high by a factor of 2" in text
    assert "too low by a factor of 2" in predict("rate", "kB/s", 12.5).against(25.0).markdown
    assert "right" in predict("rate", "kB/s", 26).against(25.0).markdown
    assert "not written down" in predict("rate", "kB/s").against(25.0).markdown


def test_a_prediction_is_a_number_or_words():
    with pytest.raises(StudyError, match="neither"):
        predict("rate", "kB/s", [1])
    for wrong in (-3, "-3 kB/s", float("nan"), float("inf")):
        with pytest.raises(StudyError, match="cannot be; write a number from 0 up"):
            predict("rate", "kB/s", wrong)


@pytest.mark.parametrize(
    ("yours", "said"),
    [
        ("50 kB/s", "too high by a factor of 2"),
        ("50 KB/s", "too high by a factor of 2"),
        ("50,0", "too high by a factor of 2"),
        ("1000000,0 kB/s", "too high by a factor of 4"),
        (" 50", "too high by a factor of 2"),
        ("0", "You were too low."),
    ],
)
def test_a_prediction_in_words_is_read_as_meant(yours: str, said: str):
    assert said in predict("rate", "kB/s", yours).against(25.0).markdown


@pytest.mark.parametrize("yours", ["400 kbit/s", "fast"])
def test_words_where_a_number_is_wanted_are_refused_at_their_cell(yours: str):
    with pytest.raises(StudyError, match=f"'{yours}' is not a number in kB/s; write one"):
        predict("rate", "kB/s", yours)


def test_a_comma_that_could_be_two_things_is_asked_again():
    with pytest.raises(StudyError, match=r"1,500 could be 1500 or 1\.500"):
        predict("rate", "kB/s", "1,500")
    assert predict("rate", "kB/s", "0,500").yours == 0.5


@pytest.mark.parametrize("said", ["2 times", "2x", "2 \u00d7", "2 times as fast", "2,0"])
def test_a_factor_is_said_in_many_ways(said: str):
    assert predict("the job", "times as fast", said).yours == 2


def test_a_name_can_be_right_too():
    assert "right" in predict("limit", "", "Link").against("link").markdown
    assert "right" not in predict("limit", "", "window").against("link").markdown


def test_a_measured_point_stands_where_it_was_measured(hawking):
    mark = measured_mark(hawking, "rate of the steady cycle", at=2920)
    assert (mark.x, mark.y) == (2920, 24801.0)
    swept = hawking.sweep(receive_window=[1460, 2920], progress=False)
    guess = predict("rate", "kB/s", 30)
    picture = curves(swept, x="receive_window_B", marks=[mark], prediction=(2920, guess))
    axes = picture.drawing.figure.axes[0]
    points = {tuple(line.get_xydata()[0]) for line in axes.lines if len(line.get_xydata()) == 1}
    assert points == {(2920.0, 24.801), (2920.0, 30.0)}
    drawn = next(line for line in axes.lines if len(line.get_xydata()) == 2)
    assert list(drawn.get_ydata() * 1000) == pytest.approx(list(swept.throughput_Bps))


def test_an_unknown_measured_figure_is_named(hawking):
    with pytest.raises(StudyError, match="rate of the steady cycle"):
        measured_mark(hawking, "rate of the steady cyle", at=1)


def test_sources_say_what_does_not_agree():
    said = sources("netgear-ps101").markdown
    system = systems["netgear-ps101"]
    assert system.sources[0].title in said
    assert all(each.why in said for each in system.disagreements)


def test_sentences_and_tables_are_markdown():
    assert say("a\n  b", "c") == Text("a b c")
    shown = table([{"kB/s": 24.8117, "stalls": True}]).markdown
    assert "24.8" in shown and "yes" in shown


def test_a_round_trip_is_the_path_s_and_what_waits_in_its_queue():
    far = systems["http2-go"].with_(job_size=300_000)
    assert 55 < round_trip_ms(far.run(segments=True), "0s", "1s") < 56
    narrow = far.with_(path_rate="2Mbps", receive_window=500_000)
    waits_ms = round_trip_ms(narrow.run(segments=True), "0s", "1s")
    assert waits_ms > 100
    bare = dataclasses.replace(far.run(), origin=None)
    with pytest.raises(StudyError, match="no system"):
        round_trip_ms(bare, "0s", "1s")


@pytest.mark.parametrize("name", MYSTERIES)
def test_a_mystery_is_told_as_it_was_made(name: str):
    """Its name gives nothing away, and what the judge finds lies at the door where it was put."""
    found = diagnosed(name)
    assert found.capture == f"{name}.pcap"
    assert all_limits()[found.main].who == whose(name)
    assert name in told(name) and MYSTERIES[name] in told(name)
    assert mystery(name) != mystery(name, "after")


def test_no_two_mysteries_are_one_fault():
    assert len({whose(name) for name in MYSTERIES}) == len(MYSTERIES)
    with pytest.raises(StudyError, match="'E'"):
        whose("E")


def test_a_truth_beside_a_prediction_is_called_what_it_is():
    text = predict("whose fault", "", "the path").against("the path", called="as it was made")
    assert "as it was made | the path" in text.markdown and "You were right." in text.markdown


def test_a_stair_has_both_ends_of_every_tread():
    assert treads(1000, 5000, 1460) == [1000, 1095, 1277, 1459, 1460, 2919, 2920, 4379, 4380, 5000]
    assert treads(1460, 2920, 1460) == [1460, 2919, 2920]
