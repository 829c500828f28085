# SPDX-License-Identifier: GPL-2.0-only
"""Who asks does not wait for jobs that he has not asked for: `study systems` and `study run` show
the rows of results/ for them, and say so."""

import json
import re
import shutil
from pathlib import Path

import pytest
from conftest import Project
from study import System, systems
from study.answers import beside
from study.base.project import scenario_program
from study.commands.main import main
from study.judging import reproduction

MARK = re.compile(r"results/reproduction\.csv(, commit \w+)? of 20\d\d-\d\d-\d\d")


@pytest.fixture
def watched(project: Project, program: Path) -> Project:
    """The project with its results, and a program that notes what it is asked to run in `asked`."""
    shutil.copy(reproduction.TABLE, project.root / "results")
    project.replace_program(f'echo "$@" >> asked\nexec \'{scenario_program("print-job")}\' "$@"')
    return project


def asked(project: Project) -> list[str]:
    return (project.root / "asked").read_text().splitlines()


def test_the_list_shows_the_rows_of_results_and_runs_no_job(watched: Project):
    done = watched.study("systems")
    assert done.returncode == 0, done.stderr
    assert not (watched.root / "asked").exists()
    (own,) = [line for line in done.stdout.splitlines() if line.startswith("rebbr ")]
    row = reproduction.committed(systems["rebbr"])["CUBIC, 1 %"]
    assert row["simulated"] in own
    (below,) = [part for part in done.stdout.split("\n\n") if part.startswith("simulated: ")]
    assert MARK.search(below)


def test_a_system_as_measured_is_one_run(watched: Project):
    """ReBBR has eleven figures of other settings, and five seeds of each."""
    done = watched.study("run", "rebbr")
    assert done.returncode == 0, done.stderr
    assert len(asked(watched)) == 1
    for quantity, row in reproduction.committed(systems["rebbr"]).items():
        (line,) = [each for each in done.stdout.splitlines() if each.startswith(f"{quantity}  ")]
        assert (f" {row['simulated']} *" in line) == (quantity != "CUBIC, 1 %"), line
    assert MARK.search(done.stdout) and "study run rebbr --measured" in done.stdout


@pytest.fixture
def own(program: Path, tmp_path: Path) -> Path:
    """A system of one's own with two figures, one of another size."""
    path = tmp_path / "own.toml"
    row = '[[measured]]\nquantity = "{}"\nkind = "whole_job_rate"\nvalue = 100\nunit = "kB/s"\n'
    row += 'basis = "measured"\nsource = "a test"\nused_as = "prediction"\n'
    text = 'title = "A box"\nscenario = "print-job"\n[parameters]\n'
    text += 'job_size = { value = 20000, unit = "B", basis = "assumed", source = "a test" }\n'
    path.write_text(
        text + row.format("small") + row.format("large") + "with = { job_size = 40000 }\n"
    )
    return path


def test_what_no_results_have_is_run_on_request_and_kept(own: Path, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("STUDY_STORE", str(tmp_path / "store"))

    def row(*options: str) -> str:
        assert main(["run", str(own), *options]) == 0
        out = capsys.readouterr().out
        return next(line for line in out.splitlines() if line.startswith("large"))

    assert "not run" in row()
    run = row("--measured")
    assert "not run" not in run and "*" not in run
    assert row() == run  # from the store


def test_the_job_is_printed_before_others_are_run(own: Path, monkeypatch, capsys):
    def interrupted(*_: object) -> list[str]:
        assert "throughput" in capsys.readouterr().out
        raise KeyboardInterrupt

    monkeypatch.setattr(beside, "measured", interrupted)
    assert main(["run", str(own), "--measured"]) == 130


def test_a_row_of_another_measured_figure_is_not_shown(hawking: System):
    """The file says another number than results/ have been made of."""
    from dataclasses import replace

    rows = reproduction.committed(hawking)
    assert rows.keys() == {each.quantity for each in hawking.measured}
    first, *others = hawking.measured
    changed = replace(hawking, measured=(replace(first, value=first.value + 1), *others))
    assert reproduction.committed(changed).keys() == rows.keys() - {first.quantity}


@pytest.mark.parametrize("options", [["--format", "json"], ["--job-size", "1000"]])
def test_what_prints_no_measured_figures_does_not_run_them(program, options, refused):
    said = refused("run", "hawking-hps1u", "--measured", *options)
    assert "--measured is of a system as its file has it" in said


def test_the_record_of_a_script_is_of_the_job_alone(program, capsys):
    assert main(["run", "imagen-v3", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["outcome"] == "finished"
