# SPDX-License-Identifier: GPL-2.0-only
"""Claims about sweeps on a Dask cluster: a scheduler and workers that run for real, on loopback."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Project
from study.commands.main import main

from tests.waiting import HANG_S, kept, noted, until


class Cluster:
    """Processes that end with the test. A worker imports the package of the folder it runs for."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.processes = folder, []
        self.file = folder / "scheduler.json"
        self.start(folder, "scheduler", "--port", "0", "--scheduler-file", str(self.file))
        until(self.file.exists, *self.processes)

    def start(self, root: Path, kind: str, *options: str, first: str = "pass") -> subprocess.Popen:
        code = f"from distributed.cli.dask_{kind} import main; main()"
        process = subprocess.Popen(
            [
                *(sys.executable, "-c", f"{first}; {code}"),
                *("--host", "127.0.0.1", "--no-dashboard", *options),
            ],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(root / "analysis")},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.processes.append(process)
        return process

    def worker(self, root: Path, *options: str, first: str = "pass") -> subprocess.Popen:
        own = ["--nthreads", "1", "--no-nanny", "--scheduler-file", str(self.file)]
        return self.start(root, "worker", *own, *options, first=first)

    def end(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    folder = tmp_path / "cluster"
    folder.mkdir()
    running = Cluster(folder)
    yield running
    running.end()


def test_a_worker_killed_half_way_loses_and_doubles_no_row(project: Project, cluster: Cluster):
    points = 400
    log = project.answer_with("sleep 0.01")
    workers = [cluster.worker(project.root) for _ in range(2)]
    command = ["sweep", "hawking-hps1u", "--seeds", str(points), "--store", "kept"]
    with project.start(*command, "--scheduler", str(cluster.file), "-o", "out.csv") as process:
        until(lambda: len(noted(log)) >= points // 4, process)
        workers[0].send_signal(signal.SIGKILL)
        out, err = process.communicate(timeout=HANG_S)
    assert process.returncode == 0, err
    assert f"{points} ran, 0 from the store" in out
    rows = (project.root / "out.csv").read_text().splitlines()[1:]
    assert [row.split(",")[0] for row in rows] == [str(seed) for seed in range(1, points + 1)]
    assert all(",finished," in row for row in rows)
    again = project.study(*command, "-o", "again.csv")  # the store is the caller's
    assert f"0 ran, {points} from the store" in again.stdout
    assert (project.root / "again.csv").read_bytes() == (project.root / "out.csv").read_bytes()


def test_what_a_worker_has_done_is_kept_while_it_is_busy(project: Project, cluster: Cluster):
    """A chunk of four, of which the last point does not end: the others are there before it."""
    project.answer_with('case "$point" in *--seed=4*) exec sleep 1000;; esac')
    cluster.worker(project.root)
    command = ["sweep", "hawking-hps1u", "--seeds", "4", "--store", "kept"]
    with project.start(*command, "--scheduler", str(cluster.file)) as process:
        until(lambda: kept(project.root / "kept") == 3, process)
        process.send_signal(signal.SIGTERM)
        assert process.wait(HANG_S) == 143
        assert "terminated: 3 of 4 points are in the store" in process.stderr.read()


def test_a_cluster_gives_what_this_machine_gives(
    project: Project, cluster: Cluster, tmp_path: Path, capsys
):
    cluster.worker(project.root, "--nthreads", "2")
    command = ["sweep", "linksys-ppsx1", "--job-size", "30000", "--loss-to-host", "0.02"]
    command += ["--vary", "receive-window=1024:4096:10lin", "--seeds", "5"]
    here, there = tmp_path / "here.csv", tmp_path / "there.csv"
    assert main([*command, "--store", str(tmp_path / "a"), "-o", str(here)]) == 0
    done = project.study(
        *command, "--store", "b", "-o", str(there), "--scheduler", str(cluster.file)
    )
    assert done.returncode == 0, done.stderr
    assert "50 ran" in done.stdout
    assert here.read_bytes() == there.read_bytes()


def test_a_worker_with_another_program_is_refused_in_one_line(
    project: Project, cluster: Cluster, program: Path
):
    cluster.worker(project.root)
    wait_for_a_worker(cluster)
    # The caller has the true program; the worker's has one line more.
    worker_program = project.root / "build" / "print-job"
    worker_program.unlink()
    worker_program.write_text(f"#!/bin/sh\nexec '{program}' \"$@\"\n")
    worker_program.chmod(0o755)
    output = project.root / "x.csv"
    command = [sys.executable, "-m", "study.commands.main", "sweep", "hawking-hps1u", "--scheduler"]
    done = subprocess.run(
        [*command, str(cluster.file), "--fresh", "-o", str(output)], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "has another build/print-job or ns-3 (" in done.stderr
    assert "build the same version there" in done.stderr
    assert not output.exists()


def test_a_worker_without_the_study_is_refused_in_one_line(project: Project, cluster: Cluster):
    cluster.worker(project.root, first="import sys; sys.modules['study'] = None")
    wait_for_a_worker(cluster)
    done = project.study("sweep", "hawking-hps1u", "--fresh", "--scheduler", str(cluster.file))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "the workers cannot run this study (" in done.stderr


def wait_for_a_worker(cluster: Cluster) -> None:
    from distributed import Client

    with Client(scheduler_file=str(cluster.file), set_as_default=False) as client:
        client.wait_for_workers(1, timeout=HANG_S)


def test_a_scheduler_that_dies_leaves_what_was_done(project: Project, cluster: Cluster):
    log = project.answer_with("sleep 0.02")
    cluster.worker(project.root)
    command = ["sweep", "hawking-hps1u", "--seeds", "300", "--store", "kept"]
    with project.start(*command, "--scheduler", str(cluster.file)) as process:
        until(lambda: len(noted(log)) >= 100, process)
        cluster.processes[0].kill()
        out, err = process.communicate(timeout=HANG_S)
    assert (process.returncode, out, err.count("\n")) == (2, "", 1), err
    kept = int(err.split("the workers are gone: ")[1].split()[0])
    assert 0 < kept < 300
    assert (
        f"{300 - kept} ran, {kept} from the store" in project.study(*command, "-o", "x.csv").stdout
    )


def test_a_scheduler_that_does_not_answer_is_one_line(program, refused, monkeypatch):
    from study.runs import cluster

    monkeypatch.setattr(cluster, "CONNECT_S", 1)
    command = ["sweep", "hawking-hps1u", "--job-size", "1234", "--scheduler"]
    for address, said in (
        ("tcp://127.0.0.1:9", "no Dask scheduler answers at tcp://127.0.0.1:9 within 1 s"),
        ("none.json", "none.json is not a Dask scheduler"),
        ("nonsense", "nonsense is not a Dask scheduler"),
    ):
        assert said in refused(*command, address)


def test_without_dask_one_line_says_how_to_get_it(program, refused, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    command = ["sweep", "hawking-hps1u", "--job-size", "1234", "--scheduler", "tcp://127.0.0.1:9"]
    assert "`./waf extras` fetches them" in refused(*command)
