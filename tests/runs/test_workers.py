# SPDX-License-Identifier: GPL-2.0-only
"""Claims about long-lived programs: a point gives what it gives alone, a point that kills its
program costs itself alone, and nothing waits for ever."""

import os
import random
import signal
import subprocess
from pathlib import Path

import pytest
from conftest import Project
from study import StudyError, systems
from study.base.project import scenario_program, scenarios
from study.commands.main import main
from study.programs.identity import Identity, identity
from study.programs.run import run_point
from study.runs import workers
from study.runs.batch import run_batch
from study.runs.outcomes import Failure
from study.runs.points import zipped
from study.runs.sweep import prepare
from study.runs.workers import Programs

from tests.waiting import HANG_S, noted, until

SEEDS = ["sweep", "hawking-hps1u", "--seeds"]


LOSSES = {"loss_to_device": [0, 0.05, 0.05], "loss_to_host": [0.05, 0.05, 0]}
# For each scenario something short, and what makes its runs depend on random numbers.
RANDOM = {
    "print-job": (
        {"job_size": 30_000},
        LOSSES | {"drain_latency_spread": ["0ns", "1ms", "100us"]},
    ),
    "file-read": (
        {"file_size": 30_000},
        {"loss_to_branch": [0, 0.2, 0.2], "loss_to_headquarters": [0.2, 0.2, 0]},
    ),
    "file-send": ({"job_size": 100_000}, LOSSES),
    "request-reply": ({"commands": 5}, LOSSES),
}


def test_every_scenario_is_among_them():
    assert sorted(RANDOM) == scenarios()


@pytest.mark.parametrize("scenario", RANDOM)
def test_a_record_that_does_not_tell_its_parameters_is_the_same_without_them(scenario: str):
    """To the byte: with them it is only longer."""
    command = [scenario_program(scenario), "--batch"]
    given = b"--seed=3\n--tell-parameters=false\n--no-such=1\n--tell-parameters=no\n"
    long, short = (
        subprocess.run([*command, *more], input=given, capture_output=True).stdout.splitlines()
        for more in ([], ["--tell-parameters=false"])
    )
    assert b'"parameters":{' in long[0] and b'"parameters":{' not in long[1] + b"".join(short)
    assert long[0].startswith(short[0][:-1] + b',"parameters":{')
    assert short[2:] == long[2:] and b"neither true nor false" in short[3]


@pytest.mark.parametrize("scenario", RANDOM)
def test_a_point_of_a_batch_gives_to_the_bit_what_it_gives_alone(program: Path, scenario: str):
    """Shuffled, split and alone; with loss in both directions and with random latencies."""
    short, lists = RANDOM[scenario]
    swept = zipped(seed=[1, 2, 1], **lists)
    of_scenario = [system for system in systems.values() if system.scenario == scenario]
    lines = [
        line for system in of_scenario for line in prepare(system.with_(**short), swept).lines()
    ]
    alone = {line: run_point(scenario, line.split()) for line in lines}
    for record in alone.values():
        del record["parameters"]
    different = {record["duration_s"] for record in alone.values()}
    assert len(different) > len(of_scenario)  # the random numbers matter

    program_of = identity(scenario)
    for seed, size in ((1, len(lines)), (2, 5), (3, 1)):
        shuffled = random.Random(seed).sample(lines, len(lines))
        programs = Programs()
        for start in range(0, len(lines), size):
            part = shuffled[start : start + size]
            assert programs.run(program_of, part).outcomes == [alone[line] for line in part]
        programs.close()


@pytest.mark.parametrize("scenario", RANDOM)
def test_records_of_a_batch_are_those_of_single_runs_parameters_and_all(
    program: Path, scenario: str
):
    short, _ = RANDOM[scenario]
    flags = [
        system.with_(**short).flags() for system in systems.values() if system.scenario == scenario
    ]
    assert run_batch(scenario, flags, "test") == [run_point(scenario, each) for each in flags]


def test_a_point_that_kills_its_program_is_one_failed_row_with_the_command(
    project: Project, tmp_path: Path
):
    log = project.answer_with(
        'case "$point" in *--seed=5*) echo "assert failed: x" >&2; kill -SEGV $$;; esac'
    )
    done = project.study(*SEEDS, "9", "-o", "out.csv")
    rows = (project.root / "out.csv").read_text().splitlines()[1:]
    assert len(rows) == 9
    (failed,) = (row for row in rows if ",finished," not in row)
    assert failed.startswith("5,failed,")
    assert "signal 11 (assert failed: x); to reproduce: build/print-job --" in failed
    assert "--seed=5" in failed
    assert done.returncode == 1
    assert "9 points in" in done.stdout and "1 failed" in done.stdout
    assert done.stderr.startswith("study: failed: 1; the first one: build/print-job was")
    assert len(log.read_text().splitlines()) == 8

    again = project.study(*SEEDS, "9", "-o", "out.csv")  # a failure is not kept as a result
    assert "0 ran, 8 from the store, 1 failed" in again.stdout


def test_a_program_that_is_killed_once_costs_nothing(project: Project):
    project.answer_with(f"[ -e '{project.root}/was-killed' ] || {{"
                        f" touch '{project.root}/was-killed'; kill -KILL $$; }}")  # fmt: skip
    done = project.study(*SEEDS, "9")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(",finished,") == 9


def test_a_program_that_gives_no_record_fails_its_points(project: Project):
    project.replace_program("while read -r point; do echo what; done")
    done = project.study(*SEEDS, "2")
    assert done.returncode == 1
    assert done.stdout.count("build/print-job gave no record; to reproduce: ") == 2


def script(folder: Path, text: str) -> Identity:
    """A program that is a piece of shell."""
    path = folder / "program"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    status = os.stat(path)
    stamp = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
    return Identity("print-job", path, "digest", stamp)


def test_neither_side_waits_for_the_other_when_the_pipes_are_full(program: Path, tmp_path: Path):
    """Questions and answers of several pipe buffers each, from a program that reads all it can."""
    answer = '{"format":1,"parameters":{},"padding":"' + "x" * 2000 + '"}'
    talkative = script(tmp_path, f"while read -r point; do echo '{answer}'; done")
    programs = Programs()
    outcomes = programs.run(talkative, ["--padding=" + "y" * 2000] * 300).outcomes
    programs.close()
    assert len(outcomes) == 300
    assert not any(isinstance(outcome, Failure) for outcome in outcomes)


def test_a_program_that_was_built_anew_meanwhile_is_refused(program: Path, tmp_path: Path):
    old = script(tmp_path, "exit 3")
    (tmp_path / "program").write_text("#!/bin/sh\nexit 4\n")
    with pytest.raises(StudyError, match="has changed since this began"):
        Programs().run(old, [""])


def test_an_interrupt_ends_it_keeps_what_is_done_and_says_how_to_go_on(
    project: Project,
):
    log = project.answer_with("sleep 0.02")
    command = [*SEEDS, "150", "-o", "out.csv"]
    with project.start(*command) as process:
        until(lambda: len(noted(log)) >= 40, process)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        assert process.wait(HANG_S) == 130
        said = process.stderr.read().strip()
    assert said.startswith("interrupted: ") and said.count("\n") == 0
    kept = int(said.split()[1])
    assert said.endswith(f"{kept} of 150 points are in the store; the same call goes on from there")
    assert kept >= 38  # those that had answered, but for what lay in the pipes
    assert not (project.root / "out.csv").exists()

    done = project.study(*command)
    assert done.returncode == 0, done.stderr
    assert f"{150 - kept} ran, {kept} from the store" in done.stdout


def test_what_a_long_chunk_passes_on_before_its_end_are_its_answers(program: Path):
    lines = [f"--job-size=20000 --loss-to-host=0.02 --seed={seed}" for seed in range(1, 41)]
    pieces: dict[int, list] = {}
    programs = Programs()
    chunk = programs.run(identity("print-job"), lines, hand_over=pieces.__setitem__, piece_s=0)
    programs.close()
    assert len(pieces) > 1
    assert [each for some in pieces.values() for each in some] == chunk.answers
    assert all(chunk.answers[start] == some[0] for start, some in pieces.items())


HEAVY = "--job-size=2000000000 --loss-to-host=0.0001 --fast-forward=false"


def test_a_heavy_point_is_a_failed_row_and_the_others_go_on(program: Path, capsys):
    """Lost ACKs leave no cycle to skip, and two gigabytes take minutes."""
    vary = ["--vary", "job-size=20000,2000000000,30000", "--loss-to-host", "0.0001"]
    assert main(["sweep", "hawking-hps1u", *vary, "--point-timeout", "1"]) == 1
    out, err = capsys.readouterr()
    rows = out.splitlines()[1:]
    assert [row.split(",")[1] for row in rows] == ["finished", "failed", "finished"]
    assert "it took more than 1 CPU seconds, the --point-timeout" in rows[1]
    assert "failed: 1" in err


def test_the_time_of_a_point_is_its_own_and_not_that_of_those_before_it(program: Path):
    """Together they take longer than one may."""
    lines = [f"--job-size=8000000 --fast-forward=false --seed={seed}" for seed in range(1, 16)]
    batch = Programs()
    chunk = batch.run(identity("print-job"), lines, 1.2)
    assert not any(isinstance(each, Failure) for each in chunk.outcomes)
    (heavy, light) = batch.run(identity("print-job"), [HEAVY, lines[0]], 1.2).outcomes
    assert isinstance(heavy, Failure) and "1.2 CPU seconds" in heavy.reason
    assert light == chunk.outcomes[0]


def test_a_limit_of_no_time_is_one_line(program: Path, refused):
    for given in ("0", "-1"):
        assert "CPU seconds above 0" in refused(*SEEDS, "2", "--point-timeout", given)
    with pytest.raises(StudyError, match="point-timeout: 0 is out of range"):
        prepare(systems["hawking-hps1u"]).run(point_timeout=0)


def test_the_time_of_a_program_counts_from_its_start(program, monkeypatch):
    """Where no clock of another process is there, the machine's own counts from its start."""
    now_s = iter([86_400.0, 86_400.25])
    monkeypatch.setattr(workers.machine, "cpu_s", lambda pid: next(now_s))
    started = workers.BatchProgram(identity("print-job"))
    try:
        assert started.cpu_s == 0.25
    finally:
        started.kill()
