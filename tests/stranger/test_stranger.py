# SPDX-License-Identifier: GPL-2.0-only
"""What a stranger adds, and nothing else: a device as one file, a parameter as one attribute, a
scenario as one or two folders of its name. (A figure: tests/figures.)"""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import Project
from study.base.project import BUILD, ROOT

HERE = Path(__file__).parent
QUANTITIES = '''
"""What the study says of stop-and-wait."""

from dataclasses import dataclass

from study.kit.formula import Formula
from study.kit.guide import Guide
from study.kit.quantity import Judges, Quantity
from study.kit.scenario import Scenario
from study.kit.terms import Cycle, Term


@dataclass(frozen=True)
class Job(Formula):
    """What the formula takes."""

    block_size_B: float
    reply_time_s: float
    link_rate_bps: float
    link_delay_s: float


def cycle(job: Job) -> Cycle:
    """A block and its answer, 30 octets of headers each, and the answer's one."""
    line_s = (job.block_size_B + 30 + 31) * 8 / job.link_rate_bps
    wait_s = 2 * job.link_delay_s + job.reply_time_s
    return Cycle(job.block_size_B, (Term("on the line", line_s), Term("the answer", wait_s)))


RATE = Quantity(lambda result, _: result.throughput_Bps, lambda job, _: cycle(job).rate_Bps, "B/s")
JUDGES = Judges(Job, {"rate": RATE}, ("sender", "receiver"))
SCENARIO = Scenario(judges=JUDGES, guide=Guide(cycle=cycle))
'''


@pytest.fixture
def extended(project: Project) -> Project:
    """The project with one more scenario: its source, its program, and a system."""
    program = BUILD / "stop-and-wait"
    if not program.exists():
        pytest.fail("there is no build/stop-and-wait: ./waf test builds it")
    folder = project.root / "scenarios" / "stop-and-wait"
    folder.mkdir()
    shutil.copy(HERE / "stop-and-wait.cc", folder)
    shutil.copy(HERE / "tftp-boot.toml", project.root / "scenarios" / "systems")
    (project.root / "build" / "stop-and-wait").symlink_to(program)
    return project


def said(project: Project, *arguments: str) -> str:
    done = project.study(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_scenario_is_its_program_and_a_system(extended: Project):
    run = said(extended, "run", "tftp-boot")
    assert "throughput" in run and "reply" in run
    assert "no rule reads 'rate' off a stop-and-wait run yet" in run

    lines = said(extended, "systems").splitlines()
    (own,) = [line for line in lines if line.startswith("tftp-boot")]
    assert "50 kB/s" in own and "not run" in own  # results/ have no row of it
    assert len([line for line in lines if line.startswith("hawking-hps1u")]) == 1

    rows = said(extended, "sweep", "tftp-boot", "--vary", "block-size=128:1024:x2").splitlines()
    assert len(rows) == 5 and "block_size" in rows[0]

    beside = said(extended, "what-if", "tftp-boot", "--reply-time", "0ms")
    assert "reply" in beside and "closed form" not in beside

    why = said(extended, "explain", "tftp-boot")
    (best,) = re.findall(r"what would help most .*\n  (.*)", why)
    assert best.startswith("block size 512 B -> 1024 B (--block-size 1024)")
    assert "the exchange" not in why  # no packets were told

    said(extended, "figure", "limits", "tftp-boot", "-o", str(extended.root / "drawn"))
    assert (extended.root / "drawn" / "limits-tftp-boot.svg").exists()


def test_what_it_does_not_leave_is_refused_in_a_sentence(extended: Project):
    for flag in ("--segments", "--pcap"):
        before = extended.files()
        done = extended.study("run", "tftp-boot", flag, "file")
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert "stop-and-wait" in done.stderr
        assert extended.files() == before
    done = extended.study("figure", "ladder", "tftp-boot", "-o", "drawn")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "a run of stop-and-wait leaves no segment table" in done.stderr


def test_a_folder_of_its_name_is_all_that_its_formulas_need(extended: Project):
    folder = extended.root / "analysis" / "study" / "scenarios" / "stop_and_wait"
    folder.mkdir()
    (folder / "__init__.py").write_text(QUANTITIES)
    run = said(extended, "run", "tftp-boot")
    (row,) = [line.split() for line in run.splitlines() if line.startswith("rate ")]
    _, unit, measured, on_paper, simulated, residual, used_as = row
    assert (unit, measured, used_as) == ("kB/s", "50", "prediction")
    assert float(on_paper) == pytest.approx(float(simulated), rel=1e-3)
    assert float(residual) == pytest.approx((float(simulated) / 50 - 1) * 100, abs=0.01)


def test_an_unknown_kind_is_named_as_soon_as_there_are_rules(extended: Project):
    folder = extended.root / "analysis" / "study" / "scenarios" / "stop_and_wait"
    folder.mkdir()
    (folder / "__init__.py").write_text(QUANTITIES.replace('"rate"', '"other"'))
    done = extended.study("run", "tftp-boot")
    assert done.returncode == 2
    assert "there is no kind 'rate'" in done.stderr


def test_a_device_is_one_file(project: Project):
    text = (ROOT / "CONTRIBUTING.md").read_text()
    device = text.partition("```toml\n")[2].partition("```")[0]
    name = "my-device"
    (project.root / "scenarios" / "systems" / f"{name}.toml").write_text(device)
    assert name in said(project, "systems")
    record = json.loads(said(project, "run", name, "--format", "json"))
    assert record["outcome"] == "finished"


def test_a_parameter_is_one_declaration(extended: Project):
    """As `AddAttribute` adds one to what --describe says (tests/model/program/parameter-test.cc):
    the program is the true one, which is not told of it."""
    program = extended.root / "build" / "stop-and-wait"
    declared = json.loads(subprocess.run([program, "--describe"], capture_output=True).stdout)
    (size,) = [each for each in declared["parameters"] if each["key"] == "block_size"]
    words = {"name": "ReplySize", "flag": "reply-size", "key": "reply_size"}
    new = size | words | {"default": "1", "help": "Payload of an answer"}
    declared["parameters"].append(new)
    (extended.root / "declared.json").write_text(json.dumps(declared))
    program.unlink()
    true, sed = BUILD / "stop-and-wait", "sed -u 's/--reply-size=[0-9]*//'"
    as_block, as_reply = "sed -u s/reply-size/block-size/g", "sed -u s/block-size/reply-size/g"
    program.write_text(
        f"#!/bin/sh\n[ \"$1\" = --describe ] && exec cat '{extended.root}/declared.json'\n"
        f'[ "$1" = --canonical ] && {as_block} | \'{true}\' "$@" | {as_reply} && exit\n'
        f"[ \"$1\" = --batch ] && {sed} | exec '{true}' --batch\n"
        f"exec '{true}' $(echo \"$@\" | {sed})\n"
    )
    program.chmod(0o755)
    folder = extended.root / "analysis" / "study" / "scenarios" / "stop_and_wait"
    folder.mkdir()
    (folder / "__init__.py").write_text(QUANTITIES)
    (line,) = [
        line
        for line in said(extended, "run", "tftp-boot", "--help", "all").splitlines()
        if "--reply-size" in line
    ]
    assert "Payload of an answer" in line and "1..1472" in line and "B" in line
    header = said(extended, "sweep", "tftp-boot", "--vary", "reply-size=1,8").splitlines()[0]
    assert "reply_size_B" in header.split(",")
    text = said(extended, "what-if", "tftp-boot", "--reply-size", "8")
    assert "reply_size: no effect in this run" in text
    known = said(extended, "what-if", "tftp-boot", "--block-size", "1024")
    assert "by formula" in known and "not in this formula" not in known
    refused = extended.study("what-if", "tftp-boot", "--reply-size", "2000")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "reply-size" in refused.stderr and "1 to 1472 B" in refused.stderr
