# SPDX-License-Identifier: GPL-2.0-only
"""A host profile at either end of a request-reply, in files, flags and Python; an end that takes
none is refused with those that do."""

import json
import re
import shutil
from pathlib import Path

import pytest
from study import systems
from study.base.project import ROOT
from study.commands.main import main
from study.kit.systems import load
from study.system.hosts import hosts

CLIENT = """\
title = "An exchange"
scenario = "request-reply"
client = "windows-xp"
"""
SERVER_NAGLE = 'server_nagle = {{ value = {}, basis = "assumed", source = "a test" }}\n'


def test_a_file_names_a_profile_at_either_end_and_its_own_parameters_win(tmp_path: Path, program):
    path = tmp_path / "exchange.toml"
    path.write_text(f'{CLIENT}server = "linux-6"\n[parameters]\n{SERVER_NAGLE.format("false")}')
    system = load(path)
    assert (system.host, system.peer) == ("windows-xp", "linux-6")
    of_server = hosts["linux-6"].settings("request-reply", "server")
    assert of_server["server_congestion_control"].text == "cubic"
    assert {**of_server, "server_nagle": None}.keys() <= system.settings.keys()
    parameters = system.run().parameters
    assert parameters["client_window"] == "17520"
    assert parameters["server_window"] == of_server["server_window"].text
    assert parameters["server_nagle"] == "false"
    assert parameters["client_congestion_control"] != "cubic"


def test_the_same_profile_at_both_ends_is_the_same_tcp(program):
    both = systems["telnet-xp"].with_host("linux-6").with_server("linux-6").parameters()
    of_ends = [
        {key.removeprefix(end): text for key, text in both.items() if key.startswith(end)}
        for end in ("client_", "server_")
    ]
    shared = of_ends[0].keys() & of_ends[1].keys() - {"time"}  # the application's
    assert len(shared) > 30
    assert {key for key in shared if of_ends[0][key] != of_ends[1][key]} == set()


def test_flags_and_python_have_the_words_of_the_file(program, capsys):
    """--host is the client, where there is one."""
    telnet = systems["telnet-xp"]
    wanted = telnet.with_host("ubuntu").with_server("linux-6").run()
    found = telnet.what_if(host="ubuntu", server="linux-6")
    assert found.after.record == wanted.record
    for end in ("--host", "--client"):
        given = [end, "ubuntu", "--server", "linux-6"]
        assert main(["run", "telnet-xp", *given, "--format", "json"]) == 0
        assert json.loads(capsys.readouterr().out) == {"system": "telnet-xp"} | wanted.record
    assert main(["what-if", "telnet-xp", "--server", "linux-6"]) == 0
    assert re.search(r"^server +its own +linux-6$", capsys.readouterr().out, re.MULTILINE)


@pytest.mark.parametrize(
    ("system", "end", "there"),
    [
        ("hawking-hps1u", "server", "; ends that do: host, device"),
        ("hawking-hps1u", "client", "; ends that do: host, device"),
        ("relook-400s", "server", "; ends that do: host"),
        ("relook-400s", "device", "; ends that do: host"),
        ("telnet-xp", "device", "; ends that do: client, server"),
        ("netware", "server", ""),
    ],
)
def test_an_end_that_takes_no_profile_is_refused_with_those_that_do(
    system: str, end: str, there: str, tmp_path: Path, program, refused
):
    """A print server's parameters, and a CPU's, are none of a host's."""
    scenario = systems[system].scenario
    said = f"a {scenario} has no {end} that takes a profile{there}\n"
    assert refused("run", system, f"--{end}", "linux-6") == f"study: {said}"
    path = tmp_path / "own.toml"
    path.write_text(f'title = "One"\nscenario = "{scenario}"\n{end} = "linux-6"\n')
    assert refused("run", str(path)).endswith(f"own.toml:3: {said}")


def test_a_linux_is_a_print_server_that_keeps_its_port(tmp_path: Path, program, capsys):
    """Its TCP is the profile's, in the device's words; port and paper stay the device's own."""
    netgear = systems["netgear-ps101"]
    linux = netgear.with_host("linux-6").with_device("linux-6")
    own, found = netgear.parameters(), linux.parameters()
    assert found["receive_window"] == hosts["linux-6"].settings("print-job")["host_window"].text
    assert (found["device_ack_rule"], found["device_sack"]) == ("adaptive", "true")
    assert {
        key for key in own if key.startswith(("port_", "drain_")) and own[key] != found[key]
    } == set()
    assert found["ack_latency"] == "15us" and own["ack_latency"] != "15us"
    short = {"job_size": 1_000_000}  # a long job is told of its beginning
    after = netgear.with_(**short).what_if(host="linux-6", device="linux-6").after
    assert after.record == linux.with_(**short).run().record
    path = tmp_path / "own.toml"
    path.write_text('title = "One"\nscenario = "print-job"\nhost = "linux-6"\ndevice = "linux-6"\n')
    assert load(path).peer == "linux-6"
    assert main(["what-if", "netgear-ps101", "--device", "linux-6"]) == 0
    assert re.search(r"^device +its own +linux-6$", capsys.readouterr().out, re.MULTILINE)


@pytest.mark.parametrize("name", hosts)
def test_every_profile_is_a_print_server_with_a_hosts_defaults(name: str, program):
    """What it leaves open is what a host has: a delayed ACK, and no update of each opening."""
    system = systems["netgear-ps101"].with_device(name).with_(job_size=100_000)
    if int(system.parameters()["receive_window"]) > 65535:
        system = system.with_host("linux-6")  # which offers to scale windows
    result = system.run()
    assert result.outcome == "finished", result.reason
    if result.parameters["device_ack_rule"] == "counted":
        assert int(result.parameters["ack_frequency"]) > 0
        assert result.parameters["window_updates"] == "from-zero"


def test_one_end_is_named_once(program, refused):
    both = ["--host", "ubuntu", "--client", "ubuntu"]
    assert "are the same end" in refused("run", "telnet-xp", *both)


def test_a_program_that_reads_no_toml_has_both_profiles(tmp_path: Path, monkeypatch, program):
    """build/systems/NAME.args, of the build."""
    monkeypatch.syspath_prepend(ROOT / "waf-tools")
    arguments = pytest.importorskip("system_arguments")
    path = tmp_path / "scenarios" / "systems" / "exchange.toml"
    shutil.copytree(ROOT / "scenarios" / "hosts", tmp_path / "scenarios" / "hosts")
    path.parent.mkdir()
    path.write_text(f'{CLIENT}server = "linux-6"\n')
    monkeypatch.setattr(arguments, "ROOT", tmp_path)
    flags = {f"--{k.replace('_', '-')}" for k in arguments._parameters_of(path)}
    assert {"--client-window", "--server-window", "--server-congestion-control"} <= flags
