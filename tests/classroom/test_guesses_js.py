# SPDX-License-Identifier: GPL-2.0-only
"""A student's code comes back as the guesses it was made of, what is not one is named, nobody
counts twice."""

import json
from typing import Any

import pytest

from tests.front.scripts import NODE, in_node

LETTERS = ["P", "S", "F", "T", "L", "X"]
pytestmark = pytest.mark.skipif(NODE is None, reason="there is no node")


def told(expression: str) -> Any:
    """What an expression of the page's scripts is."""
    files = ["words.js", "../classroom/progress.js", "../classroom/guesses.js"]
    return in_node(files, f"const answer = {expression}", None)


def code(student: str, **guesses: float) -> str:
    return told(f"codeOf({json.dumps(student)}, {json.dumps(guesses)})")


def gathered(*lines: str) -> dict[str, Any]:
    return told(f"gathered({json.dumps(chr(10).join(lines))}, {json.dumps(LETTERS)})")


def test_a_code_is_read_back_however_it_was_pasted():
    made = code("K3F9X2", P=25, T=8.5, S=1234567, X=0.00123)
    found = gathered(made, "", f"  {code('AAAAAA', P=3).lower()}\t")
    assert found["wrong"] == [] and found["again"] == []
    assert found["students"] == [
        {"line": 1, "guesses": {"P": 25, "T": 8.5, "S": 1230000, "X": 0.00123}},
        {"line": 3, "guesses": {"P": 3}},
    ]


def test_who_comes_again_is_counted_once_with_what_was_said_last():
    first, later = code("K3F9X2", P=25), code("K3F9X2", P=30, T=2)
    found = gathered(first, code("BBBBBB", P=25), later)
    assert found["again"] == [{"line": 3, "before": 1}]
    assert [each["guesses"] for each in found["students"]] == [{"P": 30, "T": 2}, {"P": 25}]


def test_garbage_is_named_with_its_line_and_not_counted():
    good = code("K3F9X2", P=25)
    changed = good.replace("P25", "P26")
    other = code("K3F9X2", Q=25)
    lines = [good, "hello", changed, good.replace("SLOW1", "SLOW2"), other, "SLOW1/K3F9X2"]
    found = gathered(*lines)
    assert [(each["line"], each["why"]) for each in found["wrong"]] == [
        (2, "is no code of this page"),
        (3, "has a typing error: its last two letters do not fit"),
        (4, "is of another version of this page"),
        (5, "has a guess for a unit Q, which this page has not"),
        (6, "has a typing error: its last two letters do not fit"),
    ]
    assert len(found["students"]) == 1


def test_one_letter_changed_is_noticed_nearly_always():
    """Two letters of 32 miss one change in a thousand at most."""
    good = code("K3F9X2", P=25, T=8.5)
    changed = [
        good[:n] + other + good[n + 1 :]
        for n in range(6, len(good) - 3)
        for other in "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ."
        if other != good[n]
    ]
    found = gathered(*changed)
    assert len(found["students"]) <= len(changed) / 500
