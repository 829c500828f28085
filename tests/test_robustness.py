# SPDX-License-Identifier: GPL-2.0-only
"""The machinery of ./waf robustness, at next to no size, and what its last run says."""

import csv
import random
from pathlib import Path

import pytest
from study.base.project import BUILD
from study.commands import site
from study.publishing import tables

from robustness import files, machine, requests
from robustness.__main__ import COLUMNS, FRAMES, SEGMENTS, TABLE, as_csv, program, trials
from robustness.trial import Outcome, Trial, damaged, judged


@pytest.mark.parametrize(
    "tried",
    [files.tried_captures, files.tried_systems, requests.tried_requests, machine.tried_stores],
)
def test_what_is_damaged_is_survived(tried, tmp_path: Path):
    outcome = tried(3, 7, tmp_path)
    assert (outcome.tried, outcome.survived, outcome.wrong) == (3, 3, [])


@pytest.mark.parametrize("tried", [(SEGMENTS,), (FRAMES, "ethernet"), (FRAMES, "path")])
def test_a_device_survives_a_few_frames_and_segments(tried, tmp_path: Path):
    if not (BUILD / "live-end").is_file():
        pytest.skip("this system has no live end")
    outcome = program(BUILD, *tried)(100, 7, tmp_path)
    assert (outcome.tried, outcome.survived, outcome.wrong) == (100, 100, [])
    assert outcome.beside


def test_an_error_of_ours_is_not_survived(monkeypatch):
    def broken(_: list[str]) -> int:
        raise ZeroDivisionError

    outcome = Outcome()
    monkeypatch.setattr("study.kit.systems.load", broken)
    monkeypatch.setattr("study.commands.usage.system_called", broken)
    judged(outcome, "it", ["describe", "hawking-hps1u"])
    assert (outcome.tried, outcome.survived) == (1, 0)
    assert outcome.wrong[0].startswith("it: status 70: study: error in the study itself")


def test_a_seed_gives_the_same_damage():
    whole = bytes(range(200))
    assert damaged(whole, random.Random(3)) == damaged(whole, random.Random(3)) != whole


def test_the_table_has_every_trial_and_all_was_survived():
    rows = list(csv.DictReader(TABLE.read_text().splitlines()))
    assert [row["trial"] for row in rows] == [each.name for each in trials(Path())]
    assert {row["trial"]: row["survived"] for row in rows} == {
        row["trial"]: row["tried"] for row in rows
    }
    shown = site.TABLES["robustness"]()
    assert shown.count("\n| ") == len(rows) and "With the seed 1." in shown


def test_a_row_is_a_trial():
    done = Outcome(tried=3, survived=2, refused=1, beside="4 of 4 jobs whole")
    text = as_csv([(Trial("frames", "goes on", 3, lambda *_: done), done)], 5)
    assert text.splitlines() == [",".join(COLUMNS), "frames,goes on,3,2,1,4 of 4 jobs whole,5"]
    assert "Not tried yet" in tables.robustness([])
