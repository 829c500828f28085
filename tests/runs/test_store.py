# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the result store: it is whole whatever happens to a process or the disk, two may
use it, and what it has is found at once and never taken for another program's."""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Project
from study import systems
from study.commands.main import main
from study.programs.identity import Identity, identity
from study.runs.batch import collect, run_batch
from study.runs.records import key_of, row_of
from study.runs.store import Store
from study.runs.sweep import prepare

from tests.waiting import noted, until

SMALL = ["sweep", "hawking-hps1u", "--vary", "job-size=20000"]


@pytest.fixture
def print_job(program: Path) -> Identity:
    return identity("print-job")


def put(store: Store, program: Identity, points: list[str]) -> list[bytes]:
    keys = [key_of(program.digest, point) for point in points]
    record = json.dumps({"outcome": "finished", "padding": "x" * 600}).encode()
    rows = [row_of(key, point, record) for key, point in zip(keys, points, strict=True)]
    store.put(program, "3.44", "{}", rows)
    return keys


def test_a_result_is_found_by_its_point_and_program_and_by_no_other(tmp_path, print_job: Identity):
    with Store(tmp_path) as store:
        (key,) = put(store, print_job, ["--seed=2"])
        rebuilt = replace(print_job, digest="another")
        others = [key_of(print_job.digest, "--seed=3"), key_of(rebuilt.digest, "--seed=2")]
        assert store.get([key, *others]).keys() == {key}


def test_texts_that_mean_the_same_are_one_point(tmp_path: Path, program: Path, capsys):
    store = ["--store", str(tmp_path)]
    same = ["--ack-latency=10ms", "--ack-latency=0.01s", "--vary=ack-latency=10000us"]
    for number, option in enumerate([*same, "--ack-latency=11ms"]):
        assert main([*SMALL, option, *store, "-o", str(tmp_path / f"{number}.csv")]) == 0
        was_stored = "0 ran, 1 from the store" in capsys.readouterr().out
        assert was_stored == (number in (1, 2))


@pytest.mark.parametrize("order", ["as put in", "any"])
def test_ten_thousand_results_are_found_by_three_searches_of_an_index(
    tmp_path: Path, print_job: Identity, order: str
):
    """How long that takes says the benchmark."""
    asked: list[str] = []
    with Store(tmp_path) as store:
        keys = put(store, print_job, [f"--seed={number}" for number in range(50_000)])
        if order == "any":
            random.Random(1).shuffle(keys)
        store._db.set_trace_callback(asked.append)
        assert len(store.get(keys[20_000:30_000])) == 10_000
        store._db.set_trace_callback(None)
        assert 1 <= len(asked) <= 3
        for statement in asked:
            plan = [step for *_, step in store._db.execute(f"EXPLAIN QUERY PLAN {statement}")]
            searches = [step for step in plan if step.startswith("SEARCH results USING")]
            assert searches and not any("SCAN" in step for step in plan), plan


def test_what_is_there_is_found_wherever_it_stands_beside_what_is_not(tmp_path, print_job):
    points = [f"--seed={number}" for number in range(3000)]
    with Store(tmp_path) as store:
        put(store, print_job, points[:2000:2])
        keys = {point: key_of(print_job.digest, point) for point in points}
        put(store, print_job, random.Random(1).sample(points[2000:], 500))
        for chosen in (points, points[:2000], points[1000:1100], points[2000:], points[::-7]):
            asked = [keys[point] for point in chosen]
            with sqlite3.connect(tmp_path / "results.sqlite") as db:
                marks = ",".join("?" * len(asked))
                rows = db.execute(f"SELECT key, record FROM results WHERE key IN ({marks})", asked)
                assert store.get(asked) == dict(rows) != {}


def test_a_record_stands_beside_all_that_made_it(tmp_path: Path, print_job: Identity):
    sweep = prepare(systems["linksys-ppsx1"].with_(job_size=10_000, seed=7))
    sweep.run(tmp_path)
    with sqlite3.connect(tmp_path / "results.sqlite") as db:
        ((point, record, digest, ns3, declared),) = db.execute(
            "SELECT point, record, digest, ns3, declaration FROM results JOIN programs"
            " ON program = id WHERE point = ?",
            [sweep.lines()[0]],
        )
    assert digest == print_job.digest and ns3 == json.loads(declared)["ns3"]
    alone = subprocess.run(
        [print_job.program, *point.split()], capture_output=True, text=True, check=True
    )
    again = json.loads(alone.stdout)
    parameters = {entry["key"]: entry["default"] for entry in json.loads(declared)["parameters"]}
    for flag in point.split():
        key, _, text = flag.removeprefix("--").partition("=")
        parameters[key.replace("-", "_")] = text
    assert again.pop("parameters") == parameters  # complete
    assert again == json.loads(record)


def test_another_program_or_ns3_is_another_identity(project: Project, tmp_path: Path):
    first = project.answer_with(":")
    command = ["sweep", "hawking-hps1u", "--seeds", "3", "--store", "kept", "-o", "out.csv"]
    assert "3 ran, 0 from the store" in project.study(*command).stdout
    assert "0 ran, 3 from the store" in project.study(*command).stdout
    program = project.root / "build" / "print-job"
    program.write_text(program.read_text() + "# built anew\n")
    assert "3 ran, 0 from the store" in project.study(*command).stdout
    assert len(first.read_text().splitlines()) == 6

    shown = project.study("store", "--store", "kept").stdout
    assert shown.count("3 results") == 2 and shown.count("(not built now)") == 1
    pruned = project.study("store", "--store", "kept", "--prune").stdout
    assert "removed 3 results" in pruned and "not built now" not in pruned
    assert "0 ran, 3 from the store" in project.study(*command).stdout
    assert "removed 3 results" in project.study("store", "--store", "kept", "--clear").stdout
    assert "3 ran, 0 from the store" in project.study(*command).stdout


@pytest.mark.parametrize("force", [False, True])
def test_reproduce_force_runs_again_what_the_store_has(program: Path, force: bool):
    from study.publishing.reproduce import Step
    from study.publishing.reproduce import make as make_step

    flags, ran = systems["hawking-hps1u"].with_(job_size=4321).flags(), []

    def make() -> None:
        with Store() as store:
            point = prepare(systems["hawking-hps1u"].with_(job_size=4321)).lines()
            ran.append(collect("print-job", point, store=store, doing="test")[1].ran)

    run_batch("print-job", [flags], "test")
    make_step(Step("a figure", (), (), make), force)
    assert ran == [int(force)]


def test_killed_twenty_times_it_loses_only_what_was_in_flight(project: Project):
    """Every point that the program answered and the store has not is one of those in flight: at
    most the queued chunks of half a second that ran at a kill."""
    points = 400
    log = project.answer_with("sleep 0.005")
    command = ["sweep", "hawking-hps1u", "--seeds", str(points), "--store", "kept", "-o", "x.csv"]
    shuffle, kills = random.Random(1), 0
    for _ in range(20):
        before = len(noted(log))
        with project.start(*command) as process:
            wanted = before + shuffle.randrange(1, 12)
            until(lambda wanted=wanted: len(noted(log)) >= wanted, process)
            kills += process.poll() is None
            process.send_signal(signal.SIGKILL)
    assert kills == 20
    assert not (project.root / "x.csv").exists()
    stored = stored_points(project.root / "kept")
    done = project.study(*command)
    assert done.returncode == 0, done.stderr
    assert f"{points - len(stored)} ran, {len(stored)} from the store" in done.stdout
    assert len((project.root / "x.csv").read_text().splitlines()) == points + 1
    assert len(stored_points(project.root / "kept")) == points
    answered = log.read_text().splitlines()
    assert stored <= set(answered)
    assert len(set(answered)) == points
    in_flight = 4 * (os.cpu_count() or 1) + 12  # first chunks of 4, and what went on meanwhile
    assert len(answered) - points <= 20 * in_flight
    assert len(stored) > 0  # it went on from what was there


def stored_points(folder: Path) -> set[str]:
    with sqlite3.connect(folder / "results.sqlite") as db:
        (healthy,) = db.execute("PRAGMA integrity_check").fetchone()
        assert healthy == "ok"
        return {point for (point,) in db.execute("SELECT point FROM results")}


def test_two_sweeps_at_once_into_a_new_store_agree_and_lose_nothing(project: Project):
    command = [*SMALL, "--vary", "receive-window=1024:3024:10", "--store", "kept", "-o"]
    both = [project.start(*command, f"{name}.csv") for name in "ab"]
    said = [process.communicate() for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    assert len(stored_points(project.root / "kept")) == 201
    a, b = ((project.root / f"{name}.csv").read_bytes() for name in "ab")
    assert a == b and a.count(b"\n") == 202


def test_a_full_disk_says_so_and_leaves_the_store_whole(project: Project):
    small = project.root / "small"
    small.mkdir()
    mount = f"mount -t tmpfs -o size=400k none '{small}' && exec \"$@\""
    mounted = ("unshare", "--map-root-user", "--mount", "sh", "-c", mount, "sh")
    if not shutil.which("unshare") or subprocess.run([*mounted, "true"]).returncode != 0:
        pytest.skip("this machine lets nobody mount a file system for a test")
    command = [sys.executable, "-m", "study.commands.main", *SMALL, "--seeds", "2000"]
    both = ["sh", "-c", '"$@"; echo $?; cp -r small kept', "sh", *command, "--store", "small"]
    done = subprocess.run(
        [*mounted, *both],
        cwd=project.root,
        env={**os.environ, "PYTHONPATH": str(project.root)},
        capture_output=True,
        text=True,
    )
    assert done.stdout == "2\n", done.stderr
    assert done.stderr.count("\n") == 1
    assert (
        "study: the result store small/results.sqlite cannot grow: the disk is full" in done.stderr
    )
    kept = len(stored_points(project.root / "kept"))
    assert 0 < kept < 2000
    with Store(project.root / "kept") as store:  # on another disk it goes on from there
        sweep = prepare(systems["hawking-hps1u"].with_(job_size=20_000), seeds=2000)
        _, tally = collect("print-job", sweep.lines(), store=store, doing="test")
    assert (tally.stored, tally.ran) == (kept, 2000 - kept)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda path: path.write_text("no database" * 100), "not a database"),
        (lambda path: path.mkdir(), "unable to open"),
        (lambda path: sqlite3.connect(path).execute("PRAGMA user_version = 99"), "has format 99"),
    ],
)
def test_a_file_that_is_no_store_is_one_line(tmp_path: Path, program, refused, spoil, said):
    (tmp_path / "s").mkdir()
    spoil(tmp_path / "s" / "results.sqlite")
    err = refused(*SMALL, "--store", str(tmp_path / "s"), "-o", str(tmp_path / "x.csv"))
    assert said in err and "--store" in err
    assert not (tmp_path / "x.csv").exists()


@pytest.mark.parametrize("flags", [[], ["--prune"], ["--clear"]])
def test_asking_what_a_new_store_has_makes_none(tmp_path: Path, program, capsys, flags):
    assert main(["store", "--store", str(tmp_path / "new"), *flags]) == 0
    assert "no results yet" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_an_empty_name_of_a_store_is_no_name(program, monkeypatch, refused):
    """It would prune the project's own."""
    monkeypatch.setenv("STUDY_STORE", "")
    assert "STUDY_STORE is empty: name a folder, or unset it for .store/" in refused(
        "store", "--prune"
    )


def test_a_store_that_cannot_be_made_is_one_line(tmp_path: Path, program, refused):
    (tmp_path / "file").write_text("in the way")
    assert "cannot be made" in refused(*SMALL, "--store", str(tmp_path / "file"))


def test_a_rejected_chunk_leaves_no_part_of_itself(tmp_path: Path, print_job: Identity):
    with Store(tmp_path) as store:
        rows = [row_of(key_of("d", point), point, b"{}") for point in ("a", "b")]
        with pytest.raises(ZeroDivisionError):
            store.put(print_job, "3.44", "{}", (row if row[1] == "a" else 1 / 0 for row in rows))
        assert store.get([rows[0][0]]) == {}
        assert store.kept() == []
