# SPDX-License-Identifier: GPL-2.0-only
"""Claims about `study reproduce`: it makes what is missing or changed and nothing else, and a
failure leaves earlier results whole."""

import os
from pathlib import Path

import pytest
from conftest import Project

OUTPUTS = {"results/reproduction.csv", "results/closed-forms.csv"} | {
    f"results/figures/{name}.{suffix}"
    for name in ("ladder", "throughput-vs-window")
    for suffix in ("svg", "pdf", "png", "csv")
}


@pytest.fixture
def project(project: Project, program: Path) -> Project:
    """The curves' jobs made short, and few of them in the grids: what is made when does not depend
    on what the numbers are."""
    grid = project.root / "analysis" / "study" / "kit" / "grid.py"
    grid.write_text(grid.read_text().replace("range(self.points)", "range(9)"))
    short = "sed -u 's/--job-size=[0-9]*/--job-size=100000/'"
    project.replace_program(
        f"touch '{project.root}.ran'\n"
        f"[ \"$1\" = --batch ] && {short} | exec '{program}' --batch\n"
        f'[ "$1" = --batch ] || exec \'{program}\' "$@"'
    )
    return project


@pytest.fixture
def reproduced(project: Project) -> Project:
    done = project.study("reproduce")
    assert done.returncode == 0, done.stderr
    return project


def test_it_makes_everything_then_nothing_then_only_what_changed(
    reproduced: Project, monkeypatch: pytest.MonkeyPatch
):
    made = reproduced.files()
    assert made.keys() >= OUTPUTS
    assert "rate of the steady cycle" in made["README.md"].decode()
    assert made["README.md"].decode().endswith("prose\n")

    ran = reproduced.root.with_suffix(".ran")
    ran.unlink()
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


def test_results_that_cannot_be_written_are_one_line_and_earlier_ones_stay(project: Project):
    (project.root / "results" / "figures").write_text("in the way")
    (project.root / "results" / "reproduction.csv").write_text("earlier")
    os.chmod(project.root / "results" / "reproduction.csv", 0o644)
    done = project.study("reproduce")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "cannot write results/figures/" in done.stderr
    assert (project.root / "results" / "figures").read_text() == "in the way"
    left = [name for name in project.files() if "/." in name]
    assert left == []  # no temporary file


def test_a_readme_without_markers_is_one_line(project: Project):
    (project.root / "README.md").write_text("no table\n")
    done = project.study("reproduce")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert (project.root / "README.md").read_text() == "no table\n"


def test_a_broken_manifest_means_making_everything_again(project: Project):
    (project.root / "build" / "reproduce.json").write_text('{"table of results": ')
    done = project.study("reproduce")
    assert done.returncode == 0, done.stderr
    assert "made table of results" in done.stdout
