# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the laws of losses: they give what is published of them, they know where they do not
hold, and what is shown of them says how far off it is. The grid of checks holds them to runs."""

from dataclasses import replace

import pytest
from study import System, systems
from study.answers.on_paper import on_paper
from study.drawing.job_table import on_paper as form_of
from study.kit import response
from study.scenarios.print_job import lossy_path

# RFC 8312, 5.1, tables 1 and 2: fraction lost, Standard TCP (RFC 3649), CUBIC at 100 ms and at 10
# ms.
TABLES = [
    (1e-2, 12, 12, 12),
    (1e-3, 38, 38, 38),
    (1e-4, 120, 187, 120),
    (1e-5, 379, 1054, 379),
    (1e-6, 1200, 5926, 1200),
    (1e-7, 3795, 33325, 5926),
    (1e-8, 12000, 187400, 33325),
]
# Table 3, 100 ms and packets of 1500 B: Mbit/s, window, the fraction lost that Standard TCP needs,
# and CUBIC.
NEEDED = [
    (1, 8.3, 2.0e-2, 2.0e-2),
    (10, 83.3, 2.0e-4, 2.9e-4),
    (100, 833.3, 2.0e-6, 1.4e-5),
    (1000, 8333.3, 2.0e-8, 6.3e-7),
    (10000, 83333.3, 2.0e-10, 2.9e-8),
]


def larger(loss: float, rtt_s: float) -> float:
    return max(response.square_root_window(loss), response.cubic_window(loss, rtt_s))


@pytest.mark.parametrize(("loss", "standard", "cubic", "near"), TABLES)
def test_the_windows_of_rfc_8312(loss: float, standard: float, cubic: float, near: float):
    """Printed with 1.2, where the square root of 3/2 is 1.22."""
    assert response.square_root_window(loss) == pytest.approx(standard, rel=0.03)
    assert larger(loss, 0.1) == pytest.approx(cubic, rel=0.03)
    if near != 5926:  # its column for 10 ms is CUBIC's from here on, a decade of losses later
        assert larger(loss, 0.01) == pytest.approx(near, rel=0.03)


@pytest.mark.parametrize(("mbps", "window", "standard", "cubic"), NEEDED)
def test_the_losses_that_a_rate_allows(mbps: float, window: float, standard: float, cubic: float):
    assert mbps * 1e6 / 8 * 0.1 / 1500 == pytest.approx(window, rel=0.01)
    assert response.square_root_window(standard) == pytest.approx(window, rel=0.05)
    assert larger(cubic, 0.1) == pytest.approx(window, rel=0.05)


def test_timeouts_take_little_of_a_wide_window_and_most_of_a_narrow_one():
    """RFC 5348, 3.1, with its simplification of a timeout of four round trips."""
    few, many = (
        response.timeouts_s(loss, 0.4) * response.square_root_window(loss) / 0.1
        for loss in (0.0001, 0.1)
    )
    assert few < 0.01 and many > 1


def test_a_queue_is_worth_a_quarter_of_the_line_and_no_more_than_that():
    """Without one 3/4; behind one as long as the pipe all of it; never less with a longer one."""
    assert response.sawtooth_share(1000, 0) == pytest.approx(0.75, abs=0.001)
    assert response.sawtooth_share(1000, 1000) == response.sawtooth_share(10, 99) == 1
    shares = [response.sawtooth_share(50, queue) for queue in range(0, 60, 5)]
    assert shares == sorted(shares)


def test_the_sawtooth_meets_the_square_root_where_a_round_trip_is_nothing():
    for b in (1, 2):
        wide = response.sawtooth_window(1e6, b) / response.square_root_window(1e-6, b)
        assert wide == pytest.approx(1, abs=0.003)
        assert response.sawtooth_window(60, b) < 0.95 * response.square_root_window(1 / 60, b)


@pytest.fixture(scope="module")
def reno(program) -> System:
    return systems["rebbr"].with_(congestion_control="reno")


HOLDS_NOT = [
    ({"path_loss": 0.05}, "timeouts decide"),
    ({"path_loss": 0.012, "rtt": "10ms", "minimum_rto": "1s"}, "timeouts decide"),
    ({"path_loss": 0.015, "congestion_control": "cubic"}, "timeouts decide"),
    ({"path_loss": 1e-9}, "such a job expects fewer than one"),
    ({"job_size": 1_000_000}, "such a job expects about 7"),
    ({"receive_window": 20_000}, "the window ends at 13 segments"),
    ({"path_rate": "2Mbps"}, "the path's line ends at 1"),
    ({"congestion_control": "bbr"}, "BBR goes by the rate"),
    ({"congestion_control": "cubic", "rtt": "500ms"}, "CUBIC grows by the clock"),
    ({"path_loss_back": 0.01}, "no lost ACKs"),
    ({"path_loss": 0, "path_lost_packets": "60,90"}, "lost by number"),
    ({"path_loss": 0, "path_queue": "20p", "path_queue_kind": "codel"}, "the queue is codel"),
    (
        {"path_loss": 0, "path_queue": "20p", "congestion_control": "cubic"},
        "the law halves the window at a full queue, and CUBIC does not",
    ),
    ({"path_loss": 0, "path_queue": "2p"}, "a queue of 2 segments"),
    ({"path_loss": 0, "path_queue": "20p"}, "sawteeth of the window or more, and this job has"),
]


def test_the_law_holds_for_the_published_case(reno: System):
    assert lossy_path.why_not(form_of(reno.run())) == ""


def test_renos_law_goes_on_where_cubics_has_ended(reno: System):
    """To windows of 8 segments, one packet in fifty, and of 12, one in a hundred."""
    form = form_of(reno.with_(path_loss=0.02).run())
    assert lossy_path.why_not(form) == ""
    cubic = replace(form, congestion_control="cubic")
    for loss, control, holds in (
        (0.02, form, True),
        (0.025, form, False),
        (0.01, cubic, True),
        (0.02, cubic, False),
    ):
        assert (lossy_path.law_rate_Bps(replace(control, path_loss=loss)) is not None) == holds


def test_a_line_in_a_picture_has_the_law_at_every_round_trip_and_no_more_than_the_path_carries(
    reno: System,
):
    """Notebook 9 draws it from 10 ms on, where a single run is not held to it."""
    form = form_of(reno.run())
    near, far = (lossy_path.law_rate_Bps(replace(form, rtt_s=rtt_s)) for rtt_s in (0.01, 0.1))
    assert near == pytest.approx(10 * far, rel=0.05)
    assert lossy_path.law_rate_Bps(replace(form, path_loss=0.05)) is None
    assert lossy_path.law_rate_Bps(replace(form, path_rate_bps=1e6)) < 125_000


@pytest.mark.parametrize(("segments", "holds"), [(1999, False), (2000, True)])
def test_a_job_has_the_law_from_the_number_of_losses_on_that_the_reason_names(
    reno: System, segments: int, holds: bool
):
    """One packet in a hundred: 20 of 2000. Otherwise the reason sends a user to a refused job."""
    form = replace(form_of(reno.run()), path_loss=0.01)
    why = lossy_path.why_not(replace(form, job_size_B=segments * lossy_path.segment_B(form)))
    assert ("an average over 20 losses or more" in why) != holds


@pytest.mark.parametrize(("change", "why"), HOLDS_NOT)
def test_where_a_law_does_not_hold_there_is_the_reason_and_no_number(
    reno: System, change: dict, why: str
):
    result = reno.with_(**change).run()
    shown = on_paper("print-job", result, result.parameters)
    assert isinstance(shown.cycle, str), shown.cycle
    assert shown.cycle.startswith(lossy_path.DOES_NOT_HOLD) and why in shown.cycle
    assert shown.whole_s is None and shown.compared is None


def test_the_answer_shows_the_law_with_its_residual_and_how_many_losses_it_rests_on(reno: System):
    result = reno.run()
    shown = on_paper("print-job", result, result.parameters)
    rate_Bps = shown.cycle.rate_Bps
    assert rate_Bps == pytest.approx(result.throughput_Bps, rel=0.2)
    assert shown.cycle.law == lossy_path.BY_CHANCE
    lost = result.record["path_losses"]
    assert shown.holds or f"average over many losses. This run had {lost}." in shown.remark()


def test_a_queue_that_a_transfer_fills_has_the_sawtooth(reno: System):
    narrow = {"path_loss": 0, "path_rate": "2Mbps", "congestion_control": "newreno"}
    for queue, rests in (("6p", True), ("40p", False)):
        result = reno.with_(**narrow, path_queue=queue, job_size=16_000_000).run()
        assert result.record["path_queue_drops"] > 3
        cycle = on_paper("print-job", result, result.parameters).cycle
        assert cycle.law == lossy_path.FULL_QUEUE
        assert (cycle.terms[1].time_s > 0) == rests
        assert cycle.rate_Bps == pytest.approx(result.throughput_Bps, rel=0.05)
