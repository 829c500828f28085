# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the generic systems: a question in one line, nothing measured, in no table."""

import json

import pytest
from study import systems
from study.base.project import scenarios
from study.commands.main import main
from study.programs.declaration import declaration

SATELLITE = ["--window", "65535", "--rtt", "600 ms", "--rate", "10 Mbit/s", "--size", "1MB"]


def test_there_is_one_for_each_scenario_of_which_nothing_is_measured(program):
    made = [systems[name] for name in systems.beside]
    assert sorted(each.scenario for each in made) == scenarios()
    assert not any(each.measured for each in made)
    own = [setting for each in made for setting in each.settings.values() if ":" in setting.place]
    of_the_file = [each for each in own if "generic" in each.place]
    assert {each.basis for each in of_the_file} == {"assumed"}
    assert not set(systems.beside) & set(systems)


@pytest.mark.parametrize("name", systems.beside)
def test_it_runs(name: str, program):
    assert systems[name].run().outcome == "finished"


def test_a_satellite_is_one_line(program, capsys):
    assert main(["run", "bulk", *SATELLITE, "--format", "json"]) == 0
    own = json.loads(capsys.readouterr().out)["parameters"]
    short = {each.short: key for key, each in declaration("print-job").parameters.items()}
    assert {name: own[short[name]] for name in ("window", "rtt", "rate", "size")} == {
        "window": "65535",
        "rtt": "600ms",
        "rate": "10Mbps",
        "size": "1000000",
    }
    assert main(["what-if", "bulk", *SATELLITE]) == 0
    assert "receive window" in capsys.readouterr().out
    assert systems["bulk"].with_(window=65535).parameters()["receive_window"] == "65535"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--window", "0"], "--window: 0 is out of range; give 1 to 1073725440 B"),
        (["--window=0"], "--window: 0 is out of range; give 1 to 1073725440 B"),
        (["--receive-window", "0"], "--receive-window: 0 is out of range; give 1 to"),
        (["--rtt", "600"], "--rtt: '600' is not a time: a number and ns, us, ms, s, min or h"),
        (["--rate", "10"], "--rate: '10' is not a data rate: a number and bps"),
        (["--rate", "none"], "--rate: 'none' is not a data rate"),
        (["--size", "50GB"], "(a longer job only repeats itself: its steady rate is that of"),
        (["--window", ""], "--window: '' is not a whole number"),
    ],
)
@pytest.mark.parametrize("command", ["run", "what-if"])
def test_a_bad_value_is_one_line_that_names_what_was_typed(
    command, arguments, said, program, refused
):
    assert said in refused(command, "bulk", *arguments)
