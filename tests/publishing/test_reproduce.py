# SPDX-License-Identifier: GPL-2.0-only
"""Claims about `study reproduce`: it makes what is missing or changed and nothing else, and a
failure leaves earlier results whole."""

import json
import os
import shutil
from pathlib import Path

import pytest
from conftest import Project
from study.publishing import reproduce
from study.publishing.steps import step

OUTPUTS = {"results/reproduction.csv", "results/closed-forms.csv"} | {
    f"results/figures/{name}.{suffix}"
    for name in ("ladder", "throughput-vs-window")
    for suffix in ("svg", "pdf", "png", "csv")
}


def test_it_makes_everything_then_nothing_then_only_what_changed(
    study_copied: Project, monkeypatch: pytest.MonkeyPatch
):
    ran = study_copied.root / "build" / "print-job.ran"
    ran.unlink()
    made = study_copied.files()
    assert made.keys() >= OUTPUTS
    assert "rate of the steady cycle" in made["README.md"].decode()
    assert made["README.md"].decode().endswith("prose\n")

    with monkeypatch.context() as patch:
        patch.setenv("PYTHONPROFILEIMPORTTIME", "1")  # every import is a line on stderr
        again = study_copied.study("reproduce")
    assert "everything is up to date" in again.stdout
    assert again.stdout.count("\n") == 2  # and that there is no reference yet
    imported = {line.split("|")[-1].strip() for line in again.stderr.splitlines()}
    assert "study.publishing.reproduce" in imported
    assert not imported & {"pandas", "matplotlib"} and not ran.exists()  # that is what takes time
    assert study_copied.files() == made

    (study_copied.root / "results/figures/ladder.pdf").unlink()
    (study_copied.root / "results/reproduction.csv").write_text("spoilt")
    (study_copied.root / "README.md").write_text("new prose\n" + made["README.md"].decode())
    third = study_copied.study("reproduce")
    assert "made table of results, figure ladder in" in third.stdout
    restored = study_copied.files()
    assert all(restored[name] == made[name] for name in OUTPUTS)  # to the byte
    assert restored["README.md"].decode().startswith("new prose\n")

    readme = study_copied.root / "README.md"
    readme.write_text(readme.read_text().replace("24801 B/s", "24000 B/s"))
    assert "made README in" in study_copied.study("reproduce").stdout
    assert "24801 B/s" in readme.read_text()

    system = study_copied.root / "scenarios/systems/hawking-hps1u.toml"
    system.write_text(system.read_text().replace("value = 24801", "value = 24802"))
    assert "made table of results, " in study_copied.study("reproduce").stdout
    assert "24802 B/s" in readme.read_text()


def test_results_that_cannot_be_written_are_one_line_and_earlier_ones_stay(study_copied: Project):
    results = study_copied.root / "results"
    shutil.rmtree(results / "figures")
    (results / "figures").write_text("in the way")
    (results / "reproduction.csv").write_text("earlier")
    os.chmod(results / "reproduction.csv", 0o644)
    done = study_copied.study("reproduce")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "cannot write results/figures/" in done.stderr
    assert (results / "figures").read_text() == "in the way"
    left = [name for name in study_copied.files() if "/." in name]
    assert left == []  # no temporary file


def test_a_readme_without_markers_is_one_line(study_copied: Project):
    (study_copied.root / "README.md").write_text("no table\n")
    done = study_copied.study("reproduce")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert (study_copied.root / "README.md").read_text() == "no table\n"


@pytest.mark.parametrize("text", ['{"table of results": ', "[]", '{"table of results": 1}', "\0"])
def test_by_a_broken_manifest_no_step_is_as_made(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    manifest = tmp_path / "reproduce.json"
    monkeypatch.setattr(reproduce, "MANIFEST", manifest)
    each = step("table of results")
    manifest.write_text(json.dumps({each.name: {"state": each.state()}}))
    assert reproduce.is_as_made(each.name)
    manifest.write_text(text)
    assert not reproduce.is_as_made(each.name)
