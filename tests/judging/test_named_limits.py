# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the limit that an answer names, over systems that are drawn: its relief is within a
tenth of the best, or the sentence names the change that is better."""

from dataclasses import asdict

import pytest
from study.base.project import read_text
from study.judging import named_limits, table_file
from study.judging.named_limits import CONFIRMED, FILE, MISSED, Row

SAMPLE = 12  # three of each scenario; each is some fifty runs


@pytest.fixture(scope="module")
def committed() -> list[dict[str, str]]:
    columns = list(Row.__dataclass_fields__)
    return table_file.from_csv(read_text(FILE), columns, FILE.name, "make it anew")


def test_the_drawn_systems_are_named_as_in_the_table(program, committed):
    found = named_limits.rows(SAMPLE)
    assert [each.verdict for each in found if each.verdict == MISSED] == []
    made = [{key: str(value) for key, value in asdict(each).items()} for each in found]
    assert made == committed[:SAMPLE]


def test_the_best_change_is_seldom_missed(committed):
    """1 of 100 may be: where two changes are within a tenth of each other, and chance decides."""
    assert len(committed) == named_limits.COUNT
    verdicts = [each["verdict"] for each in committed]
    assert verdicts.count(MISSED) <= 3
    assert verdicts.count(CONFIRMED) > 2 / 3 * len(verdicts)
