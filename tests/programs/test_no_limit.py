# SPDX-License-Identifier: GPL-2.0-only
"""A rate without limit is the word "none", in the program, in files, in formulas and on a slider;
the largest rate is a rate as any other."""

import json
import subprocess
from math import inf
from pathlib import Path

import pytest
from study import systems
from study.base.errors import StudyError
from study.base.project import ROOT
from study.kit import controls
from study.kit.plan import Plan
from study.kit.scenario import plans
from study.kit.systems import load
from study.programs import values
from study.programs.declaration import declaration
from study.scenarios.print_job import cycles
from study.scenarios.print_job.messages import PrintJob
from study.trials import numbers

UNLIMITED = "hawking-hps1u"  # its port takes everything at once


def record(program: Path, *flags: str) -> dict:
    command = [program, "--protocol=raw", "--job-size=300000", *flags]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


def test_a_hosts_own_line_has_no_limit_unless_one_is_given(program: Path):
    parameter = declaration("print-job").parameter("path_access_rate")
    assert (parameter.default, parameter.word) == ("none", "none")
    path = ("--link=path", "--rtt=20ms", "--path-rate=10Mbps")
    unlimited, fastest, slow = (
        record(program, *path, f"--path-access-rate={rate}")
        for rate in ("none", "100Gbps", "1Mbps")
    )
    assert unlimited["parameters"]["path_access_rate"] == "none"
    assert unlimited["duration_s"] == pytest.approx(fastest["duration_s"], rel=1e-6)
    assert slow["duration_s"] > 2 > unlimited["duration_s"]


def test_a_port_has_no_limit_unless_one_is_given(program: Path):
    parameter = declaration("print-job").parameter("port_rate")
    assert (parameter.default, parameter.word) == ("none", "none")
    assert parameter.allowed() == "1bps to 100Gbps or none"
    own, said = record(program), record(program, "--port-rate=none")
    assert own == said and said["parameters"]["port_rate"] == "none"


def test_the_largest_rate_is_a_rate(program: Path):
    """1460 B at 100 Gbit/s take 116.8 ns, for which the port takes nothing else."""
    fastest = record(program, "--port-rate=100Gbps", "--receive-window=1460")
    assert fastest["parameters"]["port_rate"] == "100Gbps"
    unlimited = record(program, "--receive-window=1460")
    assert 0 <= fastest["duration_s"] - unlimited["duration_s"] < 1e-3


@pytest.mark.parametrize("given", ["nothing", "None", "0bps", "101Gbps"])
def test_what_is_neither_a_rate_nor_the_word_is_refused(given: str, program: Path):
    command = [program, f"--port-rate={given}"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    (said,) = done.stderr.splitlines()
    assert said.startswith("port-rate: ") and said.endswith("give 1bps to 100Gbps or none")
    with pytest.raises(StudyError, match="give 1bps to 100Gbps or none"):
        values.read(declaration("print-job").parameter("port_rate"), given)


def test_a_rate_that_must_be_one_does_not_take_the_word():
    with pytest.raises(StudyError, match="'none' is not a data rate"):
        values.read(declaration("print-job").parameter("link_rate"), "none")


def test_nothing_is_ranked_by_a_port_without_limit(program: Path):
    """80 Gbit/s would be a limit, which is no 20 % of none."""
    assert numbers.movable(systems[UNLIMITED], ["port_rate", "receive_window"]) == [
        "receive_window"
    ]
    assert numbers.moved(systems[UNLIMITED], "port_rate", 0.8) is None


def test_on_paper_it_takes_no_time():
    job = PrintJob.of(systems[UNLIMITED].parameters())
    assert cycles.port_rate_Bps(job) == inf
    assert "port" not in cycles.window_cycle(job).terms[0].name


def test_a_file_and_a_sweep_may_say_it(program: Path, tmp_path: Path, store: Path):
    file = tmp_path / "fast.toml"
    text = (ROOT / "scenarios" / "systems" / "troy-pocketpro-100s.toml").read_text()
    file.write_text(text.replace('value = 8, unit = "Mbps"', 'value = "none"'))
    assert load(file).parameters()["port_rate"] == "none"
    box = systems["troy-pocketpro-100s"].with_(job_size=100_000)
    table = box.sweep(port_rate=["8Mbps", "none"])
    assert list(table.port_rate_bps) == [8e6, inf]
    assert table.throughput_Bps[1] > table.throughput_Bps[0]


def test_a_slider_ends_in_it(program: Path):
    """After what is usual; JSON has no infinity."""
    plan: Plan = plans()["print-job"]
    parameter = declaration("print-job").parameter("port_rate")
    made = controls.control(parameter, systems[UNLIMITED].parameters(), plan)
    assert made["own"] == made["stops"][-1] == "none"
    assert "2Mbps" in made["stops"]
    assert made["numbers"] == sorted(json.loads(json.dumps(made["numbers"], allow_nan=False)))


def test_a_slider_ends_in_the_largest_value_that_needs_no_other_parameter(program: Path):
    """A window without scaling (RFC 7323, 2.2); no round number is the last."""
    hawking = systems["hawking-hps1u"]
    window = declaration(hawking.scenario).parameter("receive_window")
    assert controls.stops(window, hawking.parameters(), plans()[hawking.scenario])[-1] == "65535"


def test_an_empty_list_is_none_too(program: Path):
    """Whoever reads "none" where a list is empty may give it."""
    for key in ("path_lost_packets", "path_lost_packets_back"):
        parameter = declaration("print-job").parameter(key)
        assert values.read(parameter, "none").text == values.read(parameter, "").text == ""
    path = ("--link=path", "--rtt=20ms", "--path-rate=10Mbps")
    empty, said = (record(program, *path, f"--path-lost-packets={its}") for its in ("", "none"))
    assert empty == said
