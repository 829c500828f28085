# SPDX-License-Identifier: GPL-2.0-only
"""Claims about a sweep in parts: together they are the sweep, each point once, even where a
task is killed."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest
from conftest import Project
from study import StudyError
from study.commands.main import main
from study.runs.array_job import Shard, script

SBATCH = Path(__file__).with_name("stand_in_sbatch.py")
SWEEP = ["sweep", "hawking-hps1u", "--vary", "receive-window=1000:1010:1"]
POINTS, TASKS = 60, 4


def sbatch(project: Project, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(project.root / "analysis")}
    return subprocess.run(
        [sys.executable, SBATCH, *arguments],
        cwd="/",
        env={**environment, "TMPDIR": str(project.root)},
        capture_output=True,
        text=True,
    )


def test_an_array_job_of_which_a_task_is_killed_loses_and_doubles_no_row(project: Project):
    """What the killed task had answered and not handed over is run once more, nothing else."""
    log = project.answer_with("sleep 0.02")
    sweep = ["sweep", "hawking-hps1u", "--seeds", str(POINTS)]
    made = project.study(
        *sweep, "--slurm-array", str(TASKS), "--store", "all of it", "-o", "job.sh"
    )
    assert (made.returncode, made.stdout) == (0, "job.sh: 4 tasks for sbatch\n"), made.stderr
    assert not log.exists() and not (project.root / "all of it").exists()

    job = str(project.root / "job.sh")
    done = sbatch(project, job, "--kill", "2", str(log), "6")
    assert done.returncode == 0, done.stderr
    assert "task 2 was killed; --requeue: True" in done.stdout
    assert "there is no Slurm here" in done.stdout
    assert done.stdout.count(f"/{TASKS}: 15 points in ") == TASKS

    lines = Path(job).read_text().splitlines()
    (merge,) = (line for line in lines if " store merge " in line)
    environment = {**os.environ, "PYTHONPATH": str(project.root / "analysis")}
    merged = subprocess.run(
        ["sh", "-c", merge.removeprefix("#")], env=environment, capture_output=True, text=True
    )
    assert f"{POINTS} results taken over, 0 were here already\n" in merged.stdout, merged.stderr
    together = project.study(*sweep, "--store", "all of it", "-o", "x.csv")
    assert f"0 ran, {POINTS} from the store" in together.stdout
    answered = Counter(log.read_text().splitlines())
    assert len(answered) == POINTS and max(answered.values()) == 2
    assert sum(answered.values()) - POINTS < 15  # of the killed task, what it had in hand
    project.study(*sweep, "--store", "alone", "-o", "y.csv")
    assert (project.root / "x.csv").read_bytes() == (project.root / "y.csv").read_bytes()


def test_shares_are_every_so_many_points_and_together_all_of_them(
    program: Path, tmp_path: Path, capsys
):
    tables = [tmp_path / f"{number}.csv" for number in range(1, 5)]
    for number, table in enumerate(tables, 1):
        store = ["--store", str(tmp_path / str(number))]
        assert main([*SWEEP, *store, "--shard", f"{number}/4", "-o", str(table)]) == 0
    whole = tmp_path / "whole.csv"
    assert main([*SWEEP, "--store", str(tmp_path / "all"), "-o", str(whole)]) == 0
    capsys.readouterr()
    expected = pd.read_csv(whole, keep_default_na=False)
    for number, table in enumerate(tables):
        rows = pd.read_csv(table, keep_default_na=False)
        assert rows.equals(expected.iloc[number::4].reset_index(drop=True))
    assert main([*SWEEP, "--store", str(tmp_path / "1"), "--shard", "1/4"]) == 0
    out = capsys.readouterr().out  # no table where none was asked for
    assert out.startswith("shard 1/4: 3 points in ") and "0 ran, 3 from the store" in out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--shard", "0/4"], "--shard: '0/4' is no part; give K/N, as in 3/100, with K from 1"),
        (["--shard", "5/4"], "'5/4' is no part"),
        (["--shard", "x"], "'x' is no part"),
        (["--shard", "12/12"], "11 points have no part 12"),
        (["--slurm-array", "12"], "12 tasks are more than the 11 points"),
        (["--slurm-array", "0"], "--slurm-array: 0 is not in the range x>=1; give a number of"),
        (["--slurm-array", "2", "--shard", "1/2"], "leave the other option out"),
        (["--slurm-array", "2", "--scheduler", "x:1"], "leave the other option out"),
        (["--slurm-array", "2", "-o", "none/x.sh"], "there is no folder none"),
    ],
)
def test_a_mistake_with_shares_is_one_line(program, tmp_path, monkeypatch, refused, options, said):
    monkeypatch.chdir(tmp_path)
    assert said in refused(*SWEEP, "--store", "kept", *options)
    assert list(tmp_path.iterdir()) == []


def test_a_script_has_the_sweeps_own_options_and_none_of_the_callers():
    given = ["my device.toml", "--vary", "seed=1,2", "-o", "x.sh", "--store=s", "--slurm-array=2"]
    given += ["-oy.sh", "--job-size", "5", "--output", "z.sh", "--slurm-array", "2"]
    text = script("./my device.toml", 2, 2, given, Path("/a store"))
    (line,) = (line for line in text.splitlines() if line.startswith("exec "))
    wanted = " sweep 'my device.toml' --vary seed=1,2 --job-size 5 --shard"
    assert wanted in line and line.endswith(' --shard "$SLURM_ARRAY_TASK_ID/2" \\')
    assert "#SBATCH --job-name=study-my-device\n" in text
    assert "--store '/a store'/shard-\"$SLURM_ARRAY_TASK_ID\"-of-2\n" in text


def test_what_is_a_share():
    assert Shard.read("3/100") == Shard(3, 100)
    assert list(range(10))[Shard(2, 4).places()] == [1, 5, 9]
    with pytest.raises(StudyError):
        Shard.read("3/100/2")
