# SPDX-License-Identifier: GPL-2.0-only
"""What the commands of ./waf promise around the study: the build, --run, systems as flags, and an
ns-3 of one's own."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
import run_commands
import set_up
from study.base import project
from study.base.errors import StudyError

from tests.copies import ROOT, assert_one_sentence, copy_launcher, launch, waf
from tests.waiting import HANG_S

EXAMPLE = "backup-unit.cc"  # of scratch/; other programs there are the user's own
WHEEL = Path(sysconfig.get_path("purelib"), "ns3")
PROGRAM = """
#include "ns3/simulator.h"
#include <cstdio>
int main(int argc, char** argv)
{
    std::printf("%s at %s\\n", argc > 1 ? argv[1] : "", argv[0]);
    return ns3::Simulator::IsFinished() ? 3 : 0;
}
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return copy_launcher(tmp_path / "study")


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built study of one program, build/answer, that prints its first flag and ends with 3."""
    if not WHEEL.exists():
        pytest.skip("set up with an ns-3 of one's own")
    tree = copy_launcher(tmp_path_factory.mktemp("build") / "study")
    (tree / "scratch" / "answer.cc").write_text(PROGRAM)
    done = waf(tree, "build")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3.44 of the wheel, release profile, asserts on, logs on" in done.stdout
    return tree


@pytest.mark.parametrize("is_set_up", [False, True])
def test_help_lists_our_commands_with_or_without_set_up(tree: Path, is_set_up: bool):
    done = waf(tree, "--help") if is_set_up else launch(tree, "--help")
    assert done.returncode == 0, done.stderr
    for command in ("configure", "build", "test", "reproduce", "distclean"):
        assert re.search(rf"^  {command} +\w", done.stdout, re.MULTILINE), command
    assert "_run" not in done.stdout and "uninstall" not in done.stdout
    assert ("--with-ns3 PREFIX" in done.stdout) == is_set_up
    assert not (tree / ".venv").exists()


def test_the_way_help_shows_to_choose_among_the_tests_works(study: Path):
    shown = re.search(r"--pytest-args=\S+ \w+'", " ".join(waf(study, "--help").stdout.split()))
    done = waf(study, "build", *shlex.split(shown[0].replace("WORD", "zero")))
    assert done.returncode == 0, done.stderr


def test_a_file_in_scratch_becomes_a_program_and_leaves_with_it(study: Path):
    new = study / "scratch" / "what-if.cc"
    new.write_text("int main() {}\n")
    assert waf(study, "build").returncode == 0
    assert (study / "build" / "what-if").exists()
    new.unlink()
    assert waf(study, "build").returncode == 0
    assert not (study / "build" / "what-if").exists()
    assert (study / "build" / "answer").exists()


def test_a_build_with_nothing_to_do_compiles_nothing(study: Path):
    done = waf(study, "build")
    assert done.returncode == 0 and "Compiling" not in done.stdout + done.stderr


def test_no_source_is_compiled_twice_whatever_is_built(study: Path):
    sources = [study / "benchmarks" / "plain.cc", study / "scenarios" / "one" / "one.cc"]
    for source in sources:
        source.parent.mkdir()
        source.write_text(PROGRAM)
    assert "Compiling scenarios/one/one.cc" in waf(study, "build").stdout
    run = waf(study, "build", "--run", "plain").stdout
    for source in sources:
        shutil.rmtree(source.parent)
    assert re.findall("Compiling .*", run) == ["Compiling benchmarks/plain.cc"]


def test_a_compile_error_is_the_compilers_own(study: Path):
    bad = study / "scratch" / "bad.cc"
    bad.write_text("int main() { return nothing; }\n")
    done = waf(study, "build")
    unconcerned = waf(study, "reproduce")
    bad.unlink()
    assert done.returncode == 1
    assert "the copy's own study" in unconcerned.stdout
    assert "bad.cc" not in unconcerned.stdout + unconcerned.stderr
    assert (study / "build" / "answer").exists()  # left alone, too
    said = done.stdout + done.stderr
    assert "scratch/bad.cc:1:21: error:" in said and "Traceback" not in said


def test_the_commonest_headers_are_compiled_before_all_that_reads_them(tree: Path):
    """`reproduce` builds in two groups, and the first figure waits for the first one alone."""
    for source in ("model/part/part.cc", "print-job/print-job.cc"):
        (tree / "scenarios" / source).parent.mkdir(parents=True)
    (tree / "scenarios" / "model" / "part" / "part.cc").write_text("int unused;\n")
    (tree / "scenarios" / "print-job" / "print-job.cc").write_text(PROGRAM)
    paths = [each for each in os.environ["PATH"].split(":") if "ccache" not in each]
    done = waf(tree, "reproduce", PATH=":".join(paths), CXXFLAGS="-Werror=invalid-pch")
    if "(C++ compiler)        : clang" in done.stdout:
        pytest.skip("only for GCC")
    assert done.returncode == 0, done.stdout + done.stderr
    first = re.findall(r"^\[ *\d+/\d+\] (.*)", done.stdout, re.MULTILINE)
    assert "precompiled.h" in first[0] and any("print-job.cc" in each for each in first[1:])


def test_a_program_that_the_first_command_leaves_out_is_built_when_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    programs = tmp_path / "build"
    programs.mkdir()
    (tmp_path / "waf").write_text('#!/bin/sh\ntouch "$1/live-end"\n')
    (tmp_path / "waf").chmod(0o755)
    monkeypatch.setattr(project, "ROOT", tmp_path)
    monkeypatch.setattr(project, "PROGRAMS", programs)
    assert project.program_built_now("live-end") == programs / "live-end"
    assert "no program build/live-end yet; ./waf build makes it" in capfd.readouterr().err
    with pytest.raises(StudyError, match="build/wire could not be built"):
        project.program_built_now("wire")


def test_what_is_run_compiles_python_once_whatever_the_container_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    from waflib import Context

    monkeypatch.setattr(Context, "top_dir", str(tmp_path))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    run_commands.run([sys.executable, "-c", "import json.tool"])
    kept = tmp_path / run_commands.BYTECODE
    assert [each.name for each in kept.rglob("tool.*.pyc")]


LATE = (
    "trap 'sleep 1; echo tidied up; exit 3' {signal}; touch '{ready}'; while :; do sleep 0.1; done"
)
BUILD = """import os, signal, subprocess, sys, threading, time
sys.path.insert(0, "waf-tools")
from waflib import Context
Context.top_dir = "."
from run_commands import begin, run
def when(ready, what):
    while not os.path.exists(ready):
        time.sleep(0.01)
    what()
"""


def _build(code: str, **words: object) -> subprocess.CompletedProcess:
    """A build that runs this code."""
    command = [sys.executable, "-c", BUILD + code.format(**words)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=HANG_S)


def test_what_was_begun_is_waited_for_and_its_status_counts():
    assert _build("begin(['sh', '-c', 'exit 3']); run(['true'])").returncode == 3


def test_what_was_begun_ends_with_a_failed_build(tmp_path: Path):
    """Otherwise a program would write on behind the prompt. The build waits until it has ended."""
    ready = tmp_path / "ready"
    late = ["sh", "-c", LATE.format(signal="TERM", ready=ready)]
    done = _build(
        "begin({late}); when({ready!r}, lambda: sys.exit(1))", late=late, ready=str(ready)
    )
    assert (done.returncode, done.stdout) == (1, "tidied up\n"), done.stderr


def test_a_command_that_is_interrupted_ends_in_its_own_time(tmp_path: Path):
    """Ctrl-C reaches the build, too. A command that stores its results then is not ended by a
    second signal."""
    ready = tmp_path / "ready"
    late = ["sh", "-c", LATE.format(signal="INT", ready=ready)]
    code = "os.setsid(); interrupt = lambda: os.killpg(0, signal.SIGINT)\n"
    code += "threading.Thread(target=when, args=({ready!r}, interrupt)).start(); run({late})"
    done = _build(code, late=late, ready=str(ready))
    assert done.returncode != 0
    assert done.stdout == "tidied up\n", done.stderr


def test_two_programs_of_one_name_are_refused(study: Path):
    other = study / "scenarios" / "answer"
    other.mkdir()
    (other / "answer.cc").write_text(PROGRAM)
    done = waf(study, "build")
    shutil.rmtree(other)
    assert done.returncode == 1 and "would both be build/answer" in done.stderr


def test_run_passes_flags_and_the_exit_status_on(study: Path):
    done = waf(study, "build", "--run", "answer --window=2920")
    assert done.returncode == 3
    assert done.stdout.splitlines()[-1] == f"--window=2920 at {study}/build/answer"


def test_run_goes_through_the_command_template(study: Path):
    done = waf(study, "--run", "answer --window=2920", "--command-template", "echo debug %s")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == f"debug {study}/build/answer --window=2920"


def test_run_without_such_a_program_names_the_near_ones(study: Path):
    done = waf(study, "build", "--run", "anwser")
    assert_one_sentence(done, "no anwser.cc", "near: answer")


def test_a_system_becomes_flags_and_leaves_with_its_file(study: Path):
    toml = study / "scenarios" / "systems" / "box.toml"
    toml.write_text(
        "[parameters]\n"
        "receive_window = { value = 2920, unit = 'B' }\n"
        "ack_latency = { value = 116.5, unit = 'ms' }\n"
        "loss_to_host = { value = 0.01 }\n"
        "nagle = { value = false }\n"
    )
    assert waf(study, "build").returncode == 0
    arguments = study / "build" / "systems" / "box.args"
    assert arguments.read_text().split() == [
        "--receive-window=2920B",
        "--ack-latency=116.5ms",
        "--loss-to-host=0.01",
        "--nagle=false",
    ]
    toml.unlink()
    assert waf(study, "build").returncode == 0
    assert not arguments.exists()


def test_a_system_that_cannot_be_read_is_one_sentence(study: Path):
    toml = study / "scenarios" / "systems" / "torn.toml"
    toml.write_text("[parameters")
    done = waf(study, "build")
    toml.unlink()
    assert_one_sentence(done, "scenarios/systems/torn.toml:1: not TOML")


def test_a_system_takes_its_hosts_parameters_and_its_own_win(study: Path):
    host = study / "scenarios" / "hosts" / "old.toml"
    toml = study / "scenarios" / "systems" / "box.toml"
    toml.write_text("host = 'old'\n[parameters]\nmss = { value = 536, unit = 'B' }\n")
    missing = waf(study, "build")
    host.write_text(
        "[parameters]\n"
        "mss = { value = 1024, unit = 'B' }\n"
        "reply_time = { value = 1, unit = 'ms' }\n"
    )
    done = waf(study, "build")
    flags = (study / "build" / "systems" / "box.args").read_text().split()
    host.unlink(), toml.unlink()
    assert_one_sentence(missing, "box.toml: cannot read ", "hosts/old.toml: no such file")
    assert done.returncode == 0, done.stderr
    assert flags == ["--mss=536B", "--reply-time=1ms"]


def test_the_device_of_contributing_md_builds_and_runs(study: Path, program: Path):
    from study.kit.systems import load

    (example,) = re.findall(r"```toml\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.S)
    shutil.copytree(ROOT / "scenarios/hosts", study / "scenarios/hosts", dirs_exist_ok=True)
    toml = study / "scenarios" / "systems" / "my-device.toml"
    toml.write_text(example)
    done = waf(study, "build")
    assert done.returncode == 0, done.stderr
    flags = (study / "build" / "systems" / "my-device.args").read_text().split()
    system = load(toml)
    toml.unlink()
    # The file's text has the unit, Python's flags are canonical.
    assert sorted(each.removesuffix("B") for each in flags) == sorted(system.flags())
    assert system.measured
    assert system.run().outcome == "finished"


def test_the_worked_example_fits_on_a_page_and_prints_a_throughput():
    source = ROOT / "scratch" / EXAMPLE
    assert len(source.read_text().splitlines()) <= 66  # a line printer's page
    done = subprocess.run([ROOT / "build" / source.stem], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert re.search(r"\d k?B/s", done.stdout)


# An ns-3 of one's own


def test_an_own_ns3_is_tried_and_named(study: Path, tmp_path: Path):
    for name in ("include", "lib64"):
        (tmp_path / name).symlink_to(WHEEL / name)
    done = waf(study, "configure", f"--with-ns3={tmp_path}")
    assert done.returncode == 0, done.stderr
    assert f"3.44 of {tmp_path}, release profile, asserts on, logs on" in done.stdout
    assert "runs : yes" in done.stdout


def test_an_own_ns3_needs_no_wheel(tree: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(set_up, "ROOT", tree)
    monkeypatch.setattr(set_up, "STAMP", tree / ".venv" / "set-up.json")
    monkeypatch.setattr(set_up, "OWN_NS3", tree / ".ns3" / "in-use" / "ns3.json")
    assert "ns3" in set_up.needs(["build"])
    assert "ns3" in set_up.needs([])
    for own in (["ns3"], ["build", "--with-ns3=/opt/ns-3"], ["build", "--with-ns3", "/opt/ns-3"]):
        assert "ns3" not in set_up.needs(own)
    assert "ns3" in set_up.needs(["configure", "--with-ns3=wheel"])
    set_up.OWN_NS3.parent.mkdir(parents=True)
    set_up.OWN_NS3.touch()
    assert "ns3" not in set_up.needs(["build"])
    lock = Path(set_up.without_ns3()).read_text()
    assert "numpy==" in lock and "ns3" not in lock


def fake_ns3(prefix: Path, version: str) -> None:
    """As Debian installs it: no version in the library's name."""
    package = prefix / "lib" / "some-linux-gnu" / "cmake" / "ns3"
    package.mkdir(parents=True)
    (package / "ns3ConfigVersion.cmake").write_text(f'set(PACKAGE_VERSION "{version}")\n')
    (package / "ns3Targets.cmake").write_text("")
    (prefix / "lib" / "some-linux-gnu" / "libns3-core.so").write_bytes(b"")


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("3.37", ["ns-3 3.37", "3.44 or later"]),
        ("3.45", ["cannot be used", "ns3/csma-channel.h"]),
        (None, ["there is no ns-3 in {there}"]),
    ],
)
def test_an_ns3_that_is_too_old_or_broken_or_not_there_is_refused_with_the_reason(
    study: Path, tmp_path: Path, version: str | None, words: list[str]
):
    if version:
        fake_ns3(tmp_path, version)
    done = waf(study, "configure", f"--with-ns3={tmp_path}")
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert all(each.format(there=tmp_path) in done.stderr for each in words)
