# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the figures: every one can be drawn, repeats to the byte, and shows what it says."""

from pathlib import Path

import pytest

from analysis import System, figures, style
from analysis.figures import (
    imagen_send_buffer,
    linksys_pauses,
    silly_windows,
    throughput_vs_window,
)

SWEPT = {
    "imagen-send-buffer": imagen_send_buffer,
    "linksys-pauses": linksys_pauses,
    "silly-windows": silly_windows,
    "throughput-vs-window": throughput_vs_window,
}
SUFFIXES = {".svg", ".pdf", ".png", ".csv"}


@pytest.fixture(scope="module")
def drawings(program: Path) -> dict[str, style.Drawing]:
    return {name: figures.draw(name) for name in figures.FIGURES}


@pytest.mark.parametrize("name", figures.FIGURES)
def test_a_figure_repeats_to_the_byte_in_every_format(
    name: str, drawings, tmp_path: Path, monkeypatch
):
    # That the same jobs give the same numbers is a claim of test_study_run; here they run once.
    for swept, module in SWEPT.items():
        monkeypatch.setattr(module, "sweep", lambda *_, swept=swept: drawings[swept].table)
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


@pytest.mark.parametrize(("name", "cycle"), [("ladder", 3), ("netgear-ladder", 3)])
def test_a_ladder_shows_the_same_packets_on_both_sides(name: str, cycle: int, drawings):
    table = drawings[name].table
    packets = {side: rows for side, rows in table.groupby("exchange")}
    compared = ["sender", "length", "ack", "window"]
    measured, simulated = (
        packets[side][compared].values.tolist() for side in ("measured", "simulated")
    )
    assert measured == simulated
    assert len(measured) == 3 * cycle  # two frames and an ACK; or a frame, its ACK, the update


def test_the_published_imagen_point_lies_on_its_curve_and_the_patch_ends_it(drawings):
    table = drawings["imagen-send-buffer"].table
    old = table[table.system == "imagen-v2"].set_index("send_buffer_B").throughput_Bps
    assert old[2048] == pytest.approx(4096, rel=0.005)
    slow = old[old.index <= 4608]
    assert (slow / (2 * slow.index)).tolist() == pytest.approx([1] * len(slow), rel=0.005)
    assert old[6144] > 200 * old[2048]


def test_pauses_cost_what_they_take_and_no_more(drawings):
    """Within 0.1 %: the latencies are drawn."""
    table = drawings["linksys-pauses"].table
    assert (table.throughput_Bps / table.closed_form_Bps).tolist() == pytest.approx(
        [1] * len(table), rel=0.001
    )


def test_only_without_both_rules_do_segments_shrink_to_the_chunk(drawings):
    table = drawings["silly-windows"].table
    syndrome = (table.sender_rule == "none") & ~table.device_rule
    assert (table[syndrome].mean_segment_B <= table[syndrome].port_chunk_B).all()
    assert (table[~syndrome].mean_segment_B > 700).all()  # half of a segment at least
    assert table.mean_segment_B.tolist() == pytest.approx(
        table.closed_form_segment_B.tolist(), rel=0.05
    )


def test_the_measured_point_lies_on_the_simulated_curve(drawings, hawking: System):
    rate = next(row for row in hawking.measured if row.kind == "cycle_rate")
    table = drawings["throughput-vs-window"].table
    own = table[(table.receive_window_B == 2920) & table.ack_latency.str.startswith("116")]
    assert own.throughput_Bps.item() == pytest.approx(rate.value, rel=0.005)


@pytest.mark.parametrize("name", SWEPT)
def test_every_job_of_the_curves_finished(name: str, drawings):
    assert set(drawings[name].table.outcome) == {"finished"}


def test_throughput_never_falls_with_a_larger_window(drawings):
    for _, curve in drawings["throughput-vs-window"].table.groupby("ack_latency"):
        rates = curve.sort_values("receive_window_B").throughput_Bps
        # 2 %: near the line's rate the ACKs compete with the data for the line
        assert (rates.diff().dropna() > -0.02 * rates.max()).all()
