# SPDX-License-Identifier: GPL-2.0-only
"""Claims about `study explain`: what it says is read off runs and formulas, never guessed."""

import json
import re

import pytest

from analysis import Result, explanations, systems
from analysis.cli import main
from analysis.closed_forms import print_job
from analysis.closed_forms.print_job import PrintJob
from analysis.declaration import declaration
from analysis.explanations import Explanation, exchange
from analysis.project import scenarios


@pytest.fixture(scope="module")
def explained(program) -> Explanation:
    return systems["hawking-hps1u"].explain()


def test_every_change_has_the_rate_that_its_flag_gives(explained: Explanation, capsys):
    """Typed as it is printed, around the same job."""
    for trial in explained.trials[:4]:
        assert main(["run", "hawking-hps1u", *trial.flag.split(), "--format", "json"]) == 0
        record = json.loads(capsys.readouterr().out)
        assert record["throughput_Bps"] == trial.throughput_Bps, trial.flag


def test_what_the_window_limits_is_helped_by_window_and_ack_and_not_by_the_line(
    explained: Explanation,
):
    helps = {trial.flag.split()[0]: trial.gain_pct for trial in explained.helps}
    assert list(helps) == ["--receive-window", "--ack-latency"]
    assert helps["--receive-window"] == pytest.approx(100, abs=1)  # twice the data a cycle
    nothing = {trial.flag.split()[0] for trial in explained.does_nothing}
    assert {"--link-rate", "--send-buffer", "--nagle", "--initial-window"} <= nothing


def test_each_change_is_of_one_parameter_or_the_host(explained: Explanation):
    flags = {f"--{each.flag}" for each in declaration("print-job").parameters.values()}
    assert all(trial.flag.split()[0] in {*flags, "--host"} for trial in explained.trials)
    assert len({trial.flag for trial in explained.trials}) == len(explained.trials)


def test_the_exchange_is_the_runs_own_cycle(explained: Explanation, hawking_run: Result):
    """Two segments, the ACK of both after the device's latency, and the host's reply."""
    shown = explained.exchange
    assert [each.length for each in shown.sent] == [1460, 1460]
    assert shown.acked_B == 2920
    assert shown.time_s == pytest.approx(117.691e-3, abs=1e-9)
    index = hawking_run.packets.index(shown.sent[0])
    assert hawking_run.packets[index : index + 3] == [*shown.sent, *shown.answered]
    assert len(shown.lines()) == 4


def test_an_exchange_with_a_closed_window_shows_the_update(program):
    result = systems["netgear-ps101"].with_(job_size=200_000).run(segments=True)
    lines = exchange.typical(result.packets, ("host", "device")).lines()
    assert lines[2] == "device acknowledges 1,024 B, window 0 B; 1.742 ms later window 1,024 B"


def test_an_answer_that_only_opens_the_window_ends_no_cycle(program):
    """The port opens the window by a segment each time; an ACK covers two of them."""
    result = systems["hp-jetdirect-610n"].with_(job_size=500_000).run(segments=True)
    shown = exchange.typical(result.packets, ("host", "device"))
    assert sum(each.length for each in shown.sent) == shown.acked_B == 2920


def test_a_job_without_a_whole_cycle_has_no_exchange(program):
    result = (
        systems["netgear-ps101"].with_(job_size=1, silly_window_avoidance="none").run(segments=True)
    )
    assert exchange.typical(result.packets[:4], ("host", "device")) is None


def test_the_formula_is_the_closed_forms_own_terms(explained: Explanation, hawking_run: Result):
    job = PrintJob.of(hawking_run.parameters)
    assert explained.cycle.time_s == print_job.window_cycle_s(job)
    assert explained.cycle.rate_Bps == print_job.steady_rate_Bps(job)
    numbers = re.search(r"2,920 B / \((.*)\) ms = 24,811 B/s", str(explained))[1]
    total_ms = sum(map(float, numbers.split(" + ")))
    assert total_ms == pytest.approx(117.691, abs=0.0005 * 5)


@pytest.mark.parametrize("name", ["imagen-v2", "netgear-ps101"])
def test_the_text_is_one_screen_of_80_columns(name: str, program):
    lines = str(systems[name].with_(job_size=200_000).explain()).splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 50


def test_a_change_that_stalls_the_job_is_named_with_the_reason(program):
    answer = systems["netgear-ps101"].with_(job_size=100_000).explain()
    worst = answer.makes_worse[0]
    assert (worst.flag, worst.outcome) == ("--silly-window-avoidance whole-segment", "stalled")
    assert worst.throughput_Bps is None and worst.gain_pct is None
    assert "does not use a window that small" in " ".join(str(answer).split())


def test_a_stalled_job_says_so_and_what_would_free_it(program):
    system = systems["netgear-ps101"].with_(
        job_size=100_000, silly_window_avoidance="whole-segment"
    )
    answer = system.explain()
    assert "\nstalled with 0 B in " in str(answer)
    assert "B / " not in str(answer)  # no formula for a job that goes no round
    assert "--receive-window 2048" in [trial.flag for trial in answer.helps]
    assert all(trial.outcome == "stalled" for trial in answer.does_nothing)


def test_a_job_with_losses_is_offered_none(program):
    """Only what is in play is tried: losses where there are any, a threshold where it is not 0."""
    lossy = systems["hawking-hps1u"].with_(job_size=50_000, loss_to_host=0.01)
    flags = [trial.flag for trial in lossy.explain().trials]
    assert "--loss-to-host 0" in flags
    assert not any(flag.startswith("--delayed-ack-timeout") for flag in flags)


def test_the_json_has_all_that_the_text_leaves_out(program, capsys):
    arguments = ["explain", "hawking-hps1u", "--job-size", "50000", "--ack-latency", "20ms"]
    assert main([*arguments, "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["changes"] == {"job_size": "50000", "ack_latency": "20ms"}
    assert len(record["exchange"]["lines"]) == 4
    terms_s = sum(term["time_s"] for term in record["closed_form"]["terms"])
    assert terms_s == pytest.approx(record["closed_form"]["cycle_s"])
    trials = [*record["helps"], *record["does_nothing"], *record["makes_worse"]]
    assert "--ack-latency 10ms" in [trial["flag"] for trial in trials]  # half of the changed one


@pytest.mark.parametrize("scenario", scenarios())
def test_every_scenario_can_be_explained(scenario: str, program):
    """Each candidate is a parameter that the scenario has, and not a dead one."""
    declared = declaration(scenario)
    for candidate in explanations.guide(scenario).candidates:
        declared.parameter(candidate.key)
        if candidate.needs:
            declared.parameter(candidate.needs)
