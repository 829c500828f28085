# SPDX-License-Identifier: GPL-2.0-only
"""Claims about --help and `study describe`: what belongs to the system's scenario and nothing else,
a line a parameter, in 80 columns."""

import json
import re
import subprocess
import sys

import pytest
from study import systems
from study.base.project import scenarios
from study.commands.main import FAMILIES, FOR_MAINTAINERS, main, study
from study.programs.declaration import declaration

OF = {system.scenario: system.name for system in systems.values()}
WITH_SYSTEM = ["run", "what-if", "explain", "describe", "sweep", "sensitivity", "figure"]


@pytest.fixture(autouse=True)
def narrow(monkeypatch, program):
    monkeypatch.setenv("COLUMNS", "80")


def help_of(capsys, *arguments: str) -> str:
    assert main([*arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert [line for line in out.splitlines() if len(line) > 80] == []
    return out


def flags_in(text: str) -> list[str]:
    return re.findall(r"^  --([a-z0-9-]+)", text, re.MULTILINE)


@pytest.mark.parametrize("command", WITH_SYSTEM)
@pytest.mark.parametrize("scenario", scenarios())
def test_each_parameter_of_the_systems_scenario_has_one_line_and_no_other_one(
    scenario: str, command: str, capsys
):
    kind = ["ladder"] if command == "figure" else []
    text = help_of(capsys, command, *kind, OF[scenario], "--help", "all")
    parameters, options = text[text.index("\nParameters of ") :].split("\nOptions:\n")
    declared = declaration(scenario).parameters.values()
    assert flags_in(parameters) == [each.flag for each in declared]  # in the declared order
    groups = re.findall(r"^([a-z]+):$", parameters, re.MULTILINE)
    assert groups == list(dict.fromkeys(each.group for each in declared))
    assert not {each.flag for each in declared} & set(flags_in(options))


def test_a_line_has_the_unit_the_default_the_range_and_the_systems_own_value(capsys):
    text = help_of(capsys, "run", "hawking-hps1u", "-h", "all")
    assert re.search(
        r"^  --receive-window B  Largest r.* 2920 \[32120; 1\.\.1073725440\]$", text, re.M
    )
    assert re.search(r"^  --ack-latency .* 116\.4074ms \[100µs; 1ns\.\.1h\]$", text, re.M)
    assert re.search(r"^  --window-probe-latency .*…  +\[100µs; 1ns\.\.1h\]$", text, re.M)
    assert re.search(r"^  --nagle .* false \[true\]$", text, re.M)
    assert re.search(r"^  --link .*…  +\[ethernet; path\|frame-relay\]$", text, re.M)
    assert not re.search(r"\dus\b", text)


def test_a_wide_terminal_has_room_for_what_a_parameter_is(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "150")
    assert main(["run", "hawking-hps1u", "--help", "all"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    whole = [each for each in declaration("print-job").parameters.values() if each.help in told]
    assert len(whole) > 60


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help", "hawking-hps1u"],
        ["--receive-window", "5840", "hawking-hps1u", "--help"],
        ["--host", "linux-2.2", "--format=json", "-h", "hawking-hps1u", "--nagle=true"],
        ["--no-fast-forward", "hawking-hps1u", "--pcap", "x.pcap", "--help"],
    ],
)
def test_the_system_may_stand_anywhere(arguments: list[str], capsys):
    assert "Parameters of hawking-hps1u, a print-job" in help_of(capsys, "run", *arguments)


@pytest.mark.parametrize("command", WITH_SYSTEM)
@pytest.mark.parametrize("scenario", scenarios())
def test_help_is_one_screen_with_the_parameters_that_have_a_short_flag(
    scenario: str, command: str, capsys
):
    kind = ["ladder"] if command == "figure" else []
    text = help_of(capsys, command, *kind, OF[scenario], "--help")
    assert text.count("\n") <= 40
    parameters, options = text[text.index("\nParameters of ") :].split("\nOptions:\n")
    short = [each.short for each in declaration(scenario).parameters.values() if each.short]
    assert flags_in(parameters) == short and "size" in short
    assert len(flags_in(options)) <= 6


@pytest.mark.parametrize("command", WITH_SYSTEM)
def test_without_a_system_help_is_short_and_says_where_the_parameters_are(command: str, capsys):
    text = help_of(capsys, command, "--help")
    assert text.count("\n") <= 40
    kind = "NAME " if command == "figure" else ""
    assert f"study {command} {kind}SYSTEM --help all" in " ".join(text.split())
    every = {each.flag for name in scenarios() for each in declaration(name).parameters.values()}
    assert not every & set(flags_in(text))


def test_an_option_of_another_scenario_is_refused_with_what_there_is(refused):
    for flag, hint in {
        "--burst-size": "did you mean --write-size",
        "--qqqqqq": "see study run hawking-hps1u --help",
    }.items():
        said = refused("run", "hawking-hps1u", flag, "3")
        assert f"a print-job has no option {flag}; {hint}" in said
    assert main(["run", "netware", "--file-size", "20000", "--burst-size", "3"]) == 0


@pytest.mark.parametrize("command", ["run", "what-if", "explain"])
def test_a_bad_value_is_one_line_with_parameter_given_unit_and_range(command: str, refused):
    said = refused(command, "hawking-hps1u", "--receive-window", "2000000000")
    assert said == "study: --receive-window: 2000000000 is out of range; give 1 to 1073725440 B\n"


def test_what_is_shown_with_a_micro_sign_can_be_typed_so(capsys):
    for micro in ("\u00b5", "\u03bc"):
        changed = ["--ack-latency", f"50{micro}s", "--job-size", "20000", "--format", "json"]
        assert main(["run", "hawking-hps1u", *changed]) == 0
        record = json.loads(capsys.readouterr().out)
        assert record["parameters"]["ack_latency"] == "50us"


def test_the_commands_are_grouped_by_what_one_wants_each_with_a_whole_sentence(capsys):
    text = help_of(capsys, "--help")
    families = {**FAMILIES, **FOR_MAINTAINERS}
    assert re.findall(r"^(\S.*):$", text, re.MULTILINE) == ["Options", *families]
    assert list(FAMILIES) == ["Ask", "Diagnose", "Live", "Sweep", "Draw", "Teach", "Publish"]
    for name, command in study.commands.items():
        (line,) = re.findall(rf"^  {name} +([A-Z].*\.)$", text, re.MULTILINE)
        assert command.help.startswith(line)
    assert sum(map(len, families.values())) == len(study.commands)


@pytest.mark.parametrize("scenario", scenarios())
def test_the_table_of_a_system_has_every_parameter_with_its_value_and_basis(scenario, capsys):
    text = help_of(capsys, "describe", OF[scenario])
    known = declaration(scenario)
    declared = known.parameters
    assert re.findall(r"^--([a-z0-9-]+) ", text, re.M) == [each.flag for each in declared.values()]
    together = " ".join(text.split())
    meanings = [known.help_of(each) for each in declared.values()]
    assert all(each.replace("100 us", "100 µs") in together for each in meanings)
    for key, setting in systems[OF[scenario]].settings.items():
        assert re.search(rf"^--{declared[key].flag} .* {setting.basis}\b", text, re.MULTILINE), key


@pytest.mark.parametrize("scenario", scenarios())
def test_a_meaning_has_the_flags_of_other_parameters_and_not_their_names_in_the_code(scenario):
    known = declaration(scenario)
    meanings = {each.flag: known.help_of(each) for each in known.parameters.values()}
    of_code = r"\b(?!Tcp|CoDel\b)[A-Z][a-z]+(?:[A-Z][a-z]+)+\b"
    assert not [each for each in meanings.values() if re.search(of_code, each)]
    if scenario == "request-reply":
        for end in ("client", "server"):
            assert f"if --{end}-first-window is set" in meanings[f"{end}-window"]
            assert f"with --{end}-send-buffer-rule linux" in meanings[f"{end}-send-buffer"]


def test_the_table_as_json_is_what_a_run_would_take(capsys):
    changed = ["hawking-hps1u", "--job-size", "20000", "--format", "json"]
    assert main(["describe", *changed]) == 0
    described = json.loads(capsys.readouterr().out)
    assert main(["run", *changed]) == 0
    ran = json.loads(capsys.readouterr().out)
    rows = {row["key"]: row for row in described["parameters"]}
    assert {key: row["value"] for key, row in rows.items()} == ran["parameters"]
    assert (rows["job_size"]["basis"], rows["ack_latency"]["basis"]) == ("given", "derived")
    assert rows["seed"]["basis"] == "default" and rows["ack_latency"]["source"]


@pytest.mark.parametrize("module", ["study.catalogue", "study.commands.main"])
def test_nothing_heavy_is_imported_before_it_is_needed(module: str):
    heavy = {"pandas", "matplotlib", "numpy", "pyarrow", "jinja2", "asyncio"}
    code = f"import sys, {module}; print(*set(sys.modules) & {heavy!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_the_garbage_collector_looks_at_what_a_command_makes_and_not_at_its_imports():
    code = """
import gc, study, study.commands.main as commands
kept = []
def main():
    kept.extend([] for _ in range(1000))
    print(gc.isenabled(), gc.get_freeze_count())
    return 7
commands.main = main
print(study.command(), gc.get_freeze_count())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    enabled, start, status, end = done.stdout.split()
    assert (enabled, status) == ("True", "7")
    assert int(start) > 10_000 and int(end) >= int(start) + 1000


def test_a_parameter_as_python_has_it_is_told_as_a_flag(refused):
    said = refused("what-if", "hawking-hps1u", "receive_window=8760")
    assert "as in --receive-window 8760" in said
