# SPDX-License-Identifier: GPL-2.0-only
"""Claims about published transfers over long paths: a window a round trip, whatever the line could
carry, and what paper says of it."""

import pytest
from study import Result, System, systems
from study.answers.explain import explain
from study.judging.comparison import Comparison, compare
from study.scenarios.print_job import whole_job
from study.scenarios.print_job.messages import PrintJob


@pytest.fixture(scope="module")
def sftp(program) -> System:
    return systems["rclone-sftp"]


@pytest.fixture(scope="module")
def http2(program) -> System:
    return systems["http2-go"]


def judged(system: System) -> dict[str, Comparison]:
    rows = compare(system, system.run(segments=True))
    return {each.measured.quantity: each for each in rows}


def share(result: Result, limit: str) -> float:
    return result.limits_s[limit] / result.duration_s


def test_sixty_four_requests_are_the_window(sftp: System):
    assert sftp.settings["receive_window"].text == str(64 * 32768)


def test_the_round_trip_takes_over_from_the_ceiling(sftp: System):
    assert share(sftp.run(), "link") > 0.99
    assert share(sftp.with_(rtt="200ms").run(), "receive_window") > 0.98


def test_sftps_times_are_as_far_off_as_its_file_says(sftp: System):
    """The long one by what a rounded digit allows; the middle one, where two limits meet, not."""
    rows = judged(sftp)
    assert abs(rows["rate at 1 ms each way"].residual_pct) < 0.1
    assert 5 < rows["rate at 100 ms each way"].residual_pct < 12
    assert 25 < rows["rate at 10 ms each way"].residual_pct < 40


def test_http_2_takes_its_eight_and_a_half_seconds_from_window_and_round_trip(http2: System):
    rows = judged(http2)
    assert abs(rows["the body over HTTP/2"].residual_pct) < 2
    assert share(http2.run(), "receive_window") > 0.95
    slow, fast = rows["the body over HTTP/2"], rows["the body over HTTP/1.1"]
    assert slow.simulated / fast.simulated == pytest.approx(8.5 / 1.8, rel=0.15)


@pytest.mark.parametrize("rtt", ["1ms", "55ms", "1s"])
@pytest.mark.parametrize("window", [14480, 65160, 1042560])
@pytest.mark.parametrize("rate", ["1Mbps", "46Mbps", "1Gbps"])
def test_paper_agrees_wherever_nothing_is_lost(http2: System, rtt: str, window: int, rate: str):
    """Windows of whole segments: what is left of one waits, which the form does not know."""
    result = http2.with_(rtt=rtt, receive_window=window, path_rate=rate).run()
    assert result.record["retransmissions"] == 0
    on_paper = whole_job.whole_job_rate_Bps(PrintJob.of(result.parameters))
    assert on_paper == pytest.approx(result.throughput_Bps, rel=0.02)


def test_a_host_that_cannot_have_the_window_is_no_candidate(sftp: System):
    """One that does not scale windows is refused before 2 MiB of them; the others are tried."""
    tried = {trial.flag for trial in explain(sftp.with_(job_size=10_000_000)).trials}
    assert "--host bsd-4.2" not in tried
    assert any(each.startswith("--receive-window ") for each in tried)


# Random losses


@pytest.fixture(scope="module")
def rebbr(program) -> System:
    return systems["rebbr"]


def row(system: System, quantity: str) -> System:
    return system.with_(**next(r for r in system.measured if r.quantity == quantity).with_)


def payload_kbit_s(system: System) -> float:
    result = system.run()
    assert result.outcome == "finished", result.reason
    return result.throughput_Bps * 8 / 1000


def test_nothing_of_the_lossy_runs_was_taken_from_their_rates(rebbr: System):
    assert {each.used_as for each in rebbr.measured} == {"prediction"}


def test_what_is_lost_is_sent_again_and_hardly_more(rebbr: System):
    for quantity in ("CUBIC, 1 %", "Reno, 2 %"):
        record = row(rebbr, quantity).run().record
        assert record["path_losses"] <= record["retransmissions"] <= 1.2 * record["path_losses"]


def test_cubic_on_the_lossy_pipe_lies_about_the_measured_runs(rebbr: System):
    """Five seeds, as one run of a minute is worth some ten percent: their mean lies within a tenth
    of the measured mean of four."""
    measured = next(each for each in rebbr.measured if each.quantity == "CUBIC, 1 %").value
    simulated = [payload_kbit_s(rebbr.with_(seed=seed)) for seed in range(1, 6)]
    assert sum(simulated) / len(simulated) == pytest.approx(measured, rel=0.1)


def test_the_three_stand_in_their_order(rebbr: System):
    """Measured: BBR carries sixty times what CUBIC does at 1 %; and CUBIC grows by the clock, so it
    keeps more than a tenth of its rate where the round trip is five times as long."""
    cubic, bbr = payload_kbit_s(rebbr), payload_kbit_s(row(rebbr, "BBR, 1 %"))
    assert 45 < bbr / cubic < 75
    assert payload_kbit_s(row(rebbr, "CUBIC, 1 %, 500 ms")) > 0.3 * cubic


def test_the_law_of_the_square_root_holds_from_a_thousandth_to_a_fiftieth(rebbr: System):
    """By the formula for one loss after the other at even distances; at 5 % timeouts decide."""
    for quantity in ("Reno, 0.1 %", "Reno, 1 %", "Reno, 2 %"):
        system = row(rebbr, quantity)
        result = system.run()
        on_paper = whole_job.whole_job_rate_Bps(PrintJob.of(result.parameters))
        assert on_paper == pytest.approx(result.throughput_Bps, rel=0.3), quantity
