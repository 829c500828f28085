# SPDX-License-Identifier: GPL-2.0-only
"""Claims about `study reproduce`: it makes what is missing or changed and nothing else, and a
failure leaves earlier results whole."""

import os
import shutil
from pathlib import Path

import pytest
from conftest import Project

from tests.small_study import small_study

OUTPUTS = {"results/reproduction.csv", "results/closed-forms.csv"} | {
    f"results/figures/{name}.{suffix}"
    for name in ("ladder", "throughput-vs-window")
    for suffix in ("svg", "pdf", "png", "csv")
}


@pytest.fixture(scope="module")
def made(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A small study with all its results."""
    study = small_study(tmp_path_factory.mktemp("made") / "project", program)
    done = study.study("reproduce")
    assert done.returncode == 0, done.stderr
    return study


@pytest.fixture
def reproduced(made: Project, tmp_path: Path) -> Project:
    """A copy of it that a test may spoil: results that were moved are still up to date."""
    shutil.copytree(made.root, tmp_path / "project", symlinks=True)
    return Project(tmp_path / "project")


def test_it_makes_everything_then_nothing_then_only_what_changed(
    reproduced: Project, monkeypatch: pytest.MonkeyPatch
):
    ran = reproduced.root / "build" / "print-job.ran"
    ran.unlink()
    made = reproduced.files()
    assert made.keys() >= OUTPUTS
    assert "rate of the steady cycle" in made["README.md"].decode()
    assert made["README.md"].decode().endswith("prose\n")

    with monkeypatch.context() as patch:
        patch.setenv("PYTHONPROFILEIMPORTTIME", "1")  # every import is a line on stderr
        again = reproduced.study("reproduce")
    assert "everything is up to date" in again.stdout
    assert again.stdout.count("\n") == 2  # and that there is no reference yet
    imported = {line.split("|")[-1].strip() for line in again.stderr.splitlines()}
    assert "study.publishing.reproduce" in imported
    assert not imported & {"pandas", "matplotlib"} and not ran.exists()  # that is what takes time
    assert reproduced.files() == made

    (reproduced.root / "results/figures/ladder.pdf").unlink()
    (reproduced.root / "results/reproduction.csv").write_text("spoilt")
    (reproduced.root / "README.md").write_text("new prose\n" + made["README.md"].decode())
    third = reproduced.study("reproduce")
    assert "made table of results, figure ladder in" in third.stdout
    restored = reproduced.files()
    assert all(restored[name] == made[name] for name in OUTPUTS)  # to the byte
    assert restored["README.md"].decode().startswith("new prose\n")

    readme = reproduced.root / "README.md"
    readme.write_text(readme.read_text().replace("24801 B/s", "24000 B/s"))
    assert "made README in" in reproduced.study("reproduce").stdout
    assert "24801 B/s" in readme.read_text()

    system = reproduced.root / "scenarios/systems/hawking-hps1u.toml"
    system.write_text(system.read_text().replace("value = 24801", "value = 24802"))
    assert "made table of results, " in reproduced.study("reproduce").stdout
    assert "24802 B/s" in readme.read_text()


def test_results_that_cannot_be_written_are_one_line_and_earlier_ones_stay(reproduced: Project):
    results = reproduced.root / "results"
    shutil.rmtree(results / "figures")
    (results / "figures").write_text("in the way")
    (results / "reproduction.csv").write_text("earlier")
    os.chmod(results / "reproduction.csv", 0o644)
    done = reproduced.study("reproduce")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "cannot write results/figures/" in done.stderr
    assert (results / "figures").read_text() == "in the way"
    left = [name for name in reproduced.files() if "/." in name]
    assert left == []  # no temporary file


def test_a_readme_without_markers_is_one_line(reproduced: Project):
    (reproduced.root / "README.md").write_text("no table\n")
    done = reproduced.study("reproduce")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert (reproduced.root / "README.md").read_text() == "no table\n"


def test_a_broken_manifest_means_making_everything_again(reproduced: Project):
    (reproduced.root / "build" / "reproduce.json").write_text('{"table of results": ')
    done = reproduced.study("reproduce")
    assert done.returncode == 0, done.stderr
    everything = ("table of results", "figure ladder", "closed forms", "kernel")
    assert all(name in done.stdout.splitlines()[-2] for name in everything), done.stdout
