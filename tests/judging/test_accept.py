# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the reference: a result that moves by more than its tolerance is a failure that says
which and how far, and only `study accept` changes what is accepted."""

import csv
import re
from dataclasses import replace

import pytest
from conftest import Project
from study import systems
from study.answers import overview
from study.base.project import FIGURES, RESULTS
from study.judging import reference, reproduction
from study.publishing import readme, tables

COMMITTED = RESULTS / "reproduction.csv"


@pytest.fixture(scope="module")
def committed() -> list[reproduction.Row]:
    return reproduction.from_csv(COMMITTED.read_text())


def failure(moves: list[reference.Move]) -> str:
    """The rows by relative error."""
    return "\n".join(["not as accepted (study accept, if it is meant):", *map(str, moves)])


def test_a_fresh_run_of_every_system_gives_what_was_accepted(fresh_rows):
    moves = reference.moves(reference.read(), fresh_rows)
    assert not moves, failure(moves)


def test_the_committed_results_are_what_was_accepted(committed):
    moves = reference.moves(reference.read(), committed)
    assert not moves, failure(moves)


def with_simulated(rows: list[dict], quantity: str, factor: float) -> list[dict]:
    return [
        {**row, "simulated": f"{float(row['simulated']) * factor:.3f}"}
        if row["quantity"] == quantity
        else row
        for row in rows
    ]


def test_moves_are_named_with_the_furthest_first(committed):
    accepted = reference.made_from(committed)
    moved = with_simulated(committed, "rate of the steady cycle", 1.01)
    moved = with_simulated(moved, "SYN-ACK after the SYN", 0.5)
    moves = reference.moves(accepted, moved)
    assert [move.quantity for move in moves] == [
        "SYN-ACK after the SYN",
        "rate of the steady cycle",
    ]
    assert str(moves[0]).split()[:2] == ["-50.000", "%"]
    assert "6540.0 us -> 3270.000 us" in str(moves[0])


def test_the_last_printed_digit_counts_unless_a_tolerance_is_given(committed):
    accepted = reference.made_from(committed)
    moved = with_simulated(committed, "rate of the steady cycle", 1.00001)
    assert len(reference.moves(accepted, moved)) == 1
    loose = [{**row, "tolerance_pct": "0.002"} for row in accepted]
    assert reference.moves(loose, moved) == []
    moved = with_simulated(committed, "rate of the steady cycle", 1.00003)
    assert len(reference.moves(loose, moved)) == 1


def test_the_tolerance_is_the_system_files(committed, monkeypatch):
    system = reference.systems["hawking-hps1u"]
    measured = tuple(replace(row, tolerance_pct=2.5) for row in system.measured)
    monkeypatch.setattr(reference, "systems", {system.name: replace(system, measured=measured)})
    rows = reference.made_from(committed)
    assert {row["tolerance_pct"] for row in rows if row["system"] == system.name} == {"2.5"}
    assert {row["tolerance_pct"] for row in rows if row["system"] != system.name} == {"0"}


def test_a_figure_that_comes_or_goes_or_is_not_sent_is_a_move(committed):
    accepted = reference.made_from(committed)
    assert [move.simulated for move in reference.moves(accepted, committed[1:])] == [None]
    assert [move.accepted for move in reference.moves(accepted[1:], committed)] == [None]
    silent = [{**committed[0], "simulated": ""}, *committed[1:]]
    (move,) = reference.moves(accepted, silent)
    assert "gone" in str(move)
    assert reference.moves(reference.made_from(silent), silent) == []  # accepted as not sent


@pytest.fixture
def small(project: Project) -> Project:
    """One system with a short job, no formula, and no figure but the one that README reads: what
    `reproduce` compares does not depend on how long it runs."""
    for system in (project.root / "scenarios" / "systems").glob("*.toml"):
        if system.stem != "netgear-ps101":
            system.unlink()
    system = project.root / "scenarios" / "systems" / "netgear-ps101.toml"
    system.write_text(system.read_text().replace("value = 22226432", "value = 222264"))
    package = project.root / "analysis" / "study"
    checks = package / "judging" / "closed_forms.py"
    checks.write_text(checks.read_text().replace("in scenarios()", "in ()"))
    for figure in (package / "figures").glob("[a-z]*.py"):
        if figure.stem != "limits":
            figure.unlink()
    return project


def test_reproduce_fails_until_a_change_is_accepted(small: Project):
    first = small.study("reproduce")
    assert first.returncode == 0, first.stderr
    assert "there is no results/reference.csv to compare with" in first.stdout
    accepted = small.study("accept")
    assert accepted.returncode == 0, accepted.stderr
    accepted_bytes = (small.root / "results/reference.csv").read_bytes()
    assert small.study("reproduce").returncode == 0

    system = small.root / "scenarios/systems/netgear-ps101.toml"
    system.write_text(system.read_text().replace("value = 1742, unit", "value = 2742, unit"))
    for _ in range(2):  # running it again accepts nothing
        moved = small.study("reproduce")
        assert moved.returncode == 1
        assert "not as accepted in results/reference.csv" in moved.stdout
        rows = [line for line in moved.stdout.splitlines() if "netgear-ps101: " in line]
        sizes = [abs(float(row.split()[0])) for row in rows]
        assert len(sizes) > 3 and sizes == sorted(sizes, reverse=True)
        assert (small.root / "results/reference.csv").read_bytes() == accepted_bytes

    again = small.study("accept")
    assert again.returncode == 0 and "window update after the ACK: 1742.0 us" in again.stdout
    assert (small.root / "results/reference.csv").read_bytes() != accepted_bytes
    assert small.study("reproduce").returncode == 0


def test_accept_takes_only_what_the_study_gives_now(small: Project):
    nothing = small.study("accept")
    assert (nothing.returncode, nothing.stderr.count("\n")) == (2, 1)
    assert "run ./waf reproduce" in nothing.stderr
    assert small.study("reproduce").returncode == 0
    table = small.root / "results" / "reproduction.csv"
    table.write_text(table.read_text().replace("12146", "12147"))  # somebody's hand
    done = small.study("accept")
    assert done.returncode == 2
    assert not (small.root / "results" / "reference.csv").exists()


def test_the_validation_table_has_every_figure_with_the_worst_residual_first(committed):
    lines = tables.worst_first(committed).splitlines()[2:]
    assert len(lines) == len(committed)
    shown = [line.split("|")[6].split()[0] for line in lines]
    residuals = [0.0 if text == "inside" else abs(float(text)) for text in shown]
    assert residuals == sorted(residuals, reverse=True)
    assert all(
        row["basis"] in line
        for row, line in zip(reproduction.ordered(committed), lines, strict=True)
    )


def test_the_readme_gets_the_blocks_that_it_has_markers_for(committed):
    limits = list(csv.DictReader((FIGURES / "limits.csv").read_text().splitlines()))
    table = f"<!-- begin {readme.TABLE} -->\nstale\n<!-- end {readme.TABLE} -->\n"
    begin, end = "<!-- begin disagreements -->", "<!-- end disagreements -->"
    text = readme.with_blocks(f"{table}\n{begin}\nstale\n{end}\nprose\n", committed, limits)
    assert "stale" not in text and text.endswith(f"{end}\nprose\n")
    lines = [line for line in text.splitlines() if line.startswith("| `")]
    measured = [name for name in systems if overview.headline(systems[name])]
    assert [line.split("`")[1] for line in lines] == measured != list(systems)
    assert all(re.search(r"[A-Za-z ]+, [\d.]+ % +\|$", line) for line in lines)
    assert "disagreements" not in readme.with_blocks(table, committed, limits)
