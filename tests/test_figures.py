# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the figures: every one can be drawn, repeats to the byte, and shows what it says."""

from pathlib import Path

import pytest

from analysis import System, figures, style
from analysis.figures import throughput_vs_window

SUFFIXES = {".svg", ".pdf", ".png", ".csv"}


@pytest.fixture(scope="module")
def drawings(program: Path) -> dict[str, style.Drawing]:
    return {name: figures.draw(name) for name in figures.FIGURES}


@pytest.mark.parametrize("name", figures.FIGURES)
def test_a_figure_repeats_to_the_byte_in_every_format(
    name: str, drawings, tmp_path: Path, monkeypatch
):
    # That the same jobs give the same numbers is a claim of test_study_run; here they run once.
    table = drawings["throughput-vs-window"].table
    monkeypatch.setattr(throughput_vs_window, "sweep", lambda *_: table)
    saved = []
    for number, drawing in enumerate((drawings[name], figures.draw(name))):
        folder = tmp_path / str(number)
        paths = style.save_all(drawing, folder / name)
        assert {path.suffix for path in paths} == SUFFIXES
        saved.append([path.read_bytes() for path in paths])
    assert saved[0] == saved[1]


@pytest.mark.parametrize("name", figures.FIGURES)
def test_letters_are_at_least_7_points_and_the_page_fits(name: str, drawings):
    from matplotlib.text import Text

    figure = drawings[name].figure
    assert figure.get_figwidth() in (style.COLUMN_IN, style.PAGE_IN)
    assert min(text.get_fontsize() for text in figure.findobj(Text) if text.get_text()) >= 7


def test_the_ladder_shows_the_same_packets_on_both_sides(drawings):
    table = drawings["ladder"].table
    packets = {side: rows for side, rows in table.groupby("exchange")}
    compared = ["sender", "length", "ack", "window"]
    measured, simulated = (
        packets[side][compared].values.tolist() for side in ("measured", "simulated")
    )
    assert measured == simulated
    assert len(measured) == 9  # three cycles of two frames and an ACK


def test_the_measured_point_lies_on_the_simulated_curve(drawings, hawking: System):
    rate = next(row for row in hawking.measured if row.kind == "cycle_rate")
    table = drawings["throughput-vs-window"].table
    own = table[(table.receive_window_B == 2920) & table.ack_latency.str.startswith("116")]
    assert own.throughput_Bps.item() == pytest.approx(rate.value, rel=0.005)


def test_every_job_of_the_curves_finished(drawings):
    assert set(drawings["throughput-vs-window"].table.outcome) == {"finished"}


def test_throughput_never_falls_with_a_larger_window(drawings):
    for _, curve in drawings["throughput-vs-window"].table.groupby("ack_latency"):
        rates = curve.sort_values("receive_window_B").throughput_Bps
        # 2 %: near the line's rate the ACKs compete with the data for the line
        assert (rates.diff().dropna() > -0.02 * rates.max()).all()
