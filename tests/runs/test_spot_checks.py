# SPDX-License-Identifier: GPL-2.0-only
"""Fast-forward is not taken on trust: some points of a sweep are run in full as well, and a program
that says two things of one point fails it."""

import json
from concurrent.futures import Future
from pathlib import Path

import orjson
import pandas as pd
import pytest
from conftest import FINISHED, Project
from study import StudyError, System
from study.commands.main import main
from study.programs.identity import Identity, identity
from study.programs.noted import recorded
from study.programs.run import IN_FULL
from study.publishing.sidecar import command
from study.runs.batch import collect
from study.runs.outcomes import Failure
from study.runs.records import key_of
from study.runs.spot_checks import disagreement, is_drawn
from study.runs.store import Store
from study.runs.workers import Chunk, Handed

# Of such points one in a hundred is checked: a full run costs five times as much, and is to be a
# twentieth of the work.
FAST = FINISHED | {"method": "fast-forwarded", "cycles_skipped": 7, "simulated_share": 0.2}
FULL = FINISHED | {"method": "full", "cycles_skipped": 0, "simulated_share": 1.0}
SWEEP = ("sweep", "hawking-hps1u", "--store", "kept", "-o", "x.csv")


def answer(project: Project, fast: dict = FAST, full: dict = FULL) -> Path:
    """A program with one answer for points that may be fast-forwarded and one for those in full;
    the file in which it notes the latter."""
    log = project.root / "in-full"
    project.replace_program(
        "while read -r point; do\n"
        f'case "$point" in *--fast-forward=false*) echo "$point" >> \'{log}\'\n'
        f"echo '{json.dumps(full)}';;\n*) echo '{json.dumps(fast)}';; esac\ndone"
    )
    return log


def kept(project: Project) -> int:
    with Store(project.root / "kept") as store:
        return sum(row.results for row in store.kept())


def test_some_are_checked_and_the_same_ones_by_the_same_call(project: Project):
    log = answer(project)
    done = project.study(*SWEEP, "--seeds", "2000")
    assert (done.returncode, done.stderr) == (0, "")
    checked = sorted(log.read_text().splitlines())
    assert 4 <= len(checked) <= 60  # 20 are expected; 1 in 300,000 calls is outside
    assert f"2,000 ran (2,000 fast-forwarded, {len(checked)} checked in full)" in done.stdout
    log.unlink()
    project.study(*SWEEP, "--seeds", "2000", "--fresh")
    assert sorted(log.read_text().splitlines()) == checked


def test_of_a_few_one_is_checked_and_of_those_in_full_none(project: Project):
    log = answer(project)
    done = project.study(*SWEEP, "--seeds", "3")
    assert "3 ran (3 fast-forwarded, 1 checked in full), 0 from the store" in done.stdout
    assert len(log.read_text().splitlines()) == 1
    assert (project.root / "x.csv").read_text().count(",fast-forwarded,") == 3
    assert "0 ran, 3 from the store" in project.study(*SWEEP, "--seeds", "3").stdout
    assert len(log.read_text().splitlines()) == 1
    log.unlink()
    answer(project, fast=FULL)
    assert "3 ran, 0 from the store" in project.study(*SWEEP, "--seeds", "3").stdout
    assert not log.exists()


@pytest.mark.parametrize(
    ("lie", "said"),
    [
        ({"duration_s": 2.000000002}, "duration_s is 2.000000002 fast-forwarded and 2.0 in full"),
        ({"limits_s": {"link": 2.5}}, "limits_s.link is 2.5 fast-forwarded and 2.0 in full"),
        ({"bytes": 999}, "bytes is 999 fast-forwarded and 1000 in full"),
        ({"outcome": "stalled"}, "outcome is stalled fast-forwarded and finished in full"),
    ],
)
def test_a_program_that_lies_fails_the_sweep_and_the_lie_is_not_kept(project: Project, lie, said):
    undrawn = {"simulated_share": 0.0}  # so one is checked when all are there
    answer(project, fast=FAST | undrawn | lie)
    for _ in range(2):  # also when it is called again
        done = project.study(*SWEEP, "--seeds", "3")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1 and said in done.stderr
        assert "build/print-job --" in done.stderr and "--fast-forward=false;" in done.stderr
        assert not (project.root / "x.csv").exists()
        assert kept(project) == 2


def test_a_lie_among_many_is_found_when_it_is_drawn(project: Project):
    answer(project, fast=FAST | {"duration_s": 3.0})
    done = project.study(*SWEEP, "--seeds", "1000")
    assert done.returncode == 2 and "fast-forward went wrong" in done.stderr


class LostBeforeChecks:
    """Workers that answer points, and are gone when a check comes."""

    chunk_s, lost = 0.5, ()

    def __init__(self, _: Identity) -> None:
        pass

    def count(self) -> int:
        return 1

    def close(self) -> None:
        pass

    def submit(self, lines: list[str], _: Handed) -> Future[Chunk]:
        future: Future[Chunk] = Future()
        if any(IN_FULL in line for line in lines):
            future.cancel()
            future.set_running_or_notify_cancel()
        else:
            future.set_result(Chunk([orjson.dumps(FAST)] * len(lines), 0.01))
        return future


def test_a_drawn_point_is_not_kept_before_its_check(program: Path, tmp_path: Path):
    digest = identity("print-job").digest
    lines = [f"--seed={number}" for number in range(2, 1000)]
    drawn = next(line for line in lines if is_drawn(key_of(digest, line), FAST))
    others = [line for line in lines if not is_drawn(key_of(digest, line), FAST)][:3]
    with Store(tmp_path) as store:
        with pytest.raises(StudyError, match="workers are gone: 3 of 4 points are in the store"):
            collect("print-job", [*others, drawn], store=store, doing="x", workers=LostBeforeChecks)
        found = store.get([key_of(digest, line) for line in [*others, drawn]])
    assert found.keys() == {key_of(digest, line) for line in others}


def test_a_full_run_that_was_none_or_that_failed_confirms_nothing():
    said = [disagreement("print-job", "--seed=2", FAST, each) for each in (FAST, Failure("dead"))]
    assert "the record says fast-forwarded" in said[0]
    assert "could not be checked in full: dead" in said[1]
    assert disagreement("print-job", "--seed=2", FAST, FULL) is None


@pytest.mark.parametrize("share", [0.5, 0.02])
def test_full_runs_are_a_twentieth_of_the_work(share: float):
    """Whatever of it a point of the sweep simulates: a large job is checked more rarely."""
    keys = [key_of("program", f"--seed={number}") for number in range(400_000)]
    drawn = sum(is_drawn(key, {"simulated_share": share}) for key in keys)
    assert drawn / (share * len(keys)) == pytest.approx(0.05, rel=0.2)  # four deviations at 0.02


# In full on demand


def test_without_fast_forward_everything_is_run_in_full_and_kept_for_both(project: Project):
    log = answer(project)
    project.study(*SWEEP, "--seeds", "3")
    log.unlink()
    done = project.study(*SWEEP, "--seeds", "4", "--no-fast-forward")
    assert "4 ran, 0 from the store" in done.stdout  # what was fast-forwarded does not serve
    assert len(log.read_text().splitlines()) == 4
    assert pd.read_csv(project.root / "x.csv").method.tolist() == ["full"] * 4
    for both in ((), ("--no-fast-forward",)):
        assert "0 ran, 4 from the store" in project.study(*SWEEP, "--seeds", "4", *both).stdout


def test_both_ways_are_the_same_numbers_of_the_true_program(hawking: System, tmp_path: Path):
    long = hawking.with_(job_size=400_000)
    fast = long.sweep(receive_window=[1024, 2920], store=tmp_path)
    full = long.sweep(receive_window=[1024, 2920], store=tmp_path, fast_forward=False)
    assert (set(fast.method), set(full.method)) == ({"fast-forwarded"}, {"full"})
    differing = [name for name in fast if not fast[name].astype(str).equals(full[name].astype(str))]
    assert set(differing) <= {"method", "cycles_skipped", "simulated_share"}


def test_a_single_run_can_be_in_full_and_its_command_stays_one_of_study(hawking: System, capsys):
    long = hawking.with_(job_size=400_000)
    with recorded() as runs:
        results = [long.run(), long.run(fast_forward=False)]
    assert [each.record["method"] for each in results] == ["fast-forwarded", "full"]
    assert results[0].duration_s == results[1].duration_s
    assert command(runs[0]) == command(runs[1])
    arguments = ["run", "hawking-hps1u", "--job-size=400000", "--format", "json"]
    assert main([*arguments, "--no-fast-forward"]) == 0
    assert json.loads(capsys.readouterr().out)["method"] == "full"
