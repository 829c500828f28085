# SPDX-License-Identifier: GPL-2.0-only
"""Numbers of the pages: how a language writes them, what is typed, and the ticks of an axis."""

import pytest

from tests.front.scripts import NODE, in_node

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")

FILES = ["words.js", "small.js", "controls.js", "../classroom/predict.js"]
NUMBERS = ["24.8", "5,840 B", "65,535 B", "1,234,567.5"]
VALUES = [
    ["58.2037ms", ""],
    ["11680", "B"],
    ["65535", ""],
    ["100Mbps", ""],
    ["0.02", ""],
    ["auto", ""],
]
# A script for each that is given, the language, what is given, and what the script makes of it.
MADE = [
    ("numberSaid", "en", NUMBERS, NUMBERS),
    ("numberSaid", "de", NUMBERS, ["24,8", "5840 B", "65\u202f535 B", "1\u202f234\u202f567,5"]),
    (
        "([text, unit]) => valueSaid(text, unit)",
        "en",
        VALUES,
        ["58.2\u00a0ms", "11,680\u00a0B", "65,535", "100\u00a0Mbps", "0.02", "auto"],
    ),
    (
        "([text, unit]) => valueSaid(text, unit)",
        "de",
        VALUES,
        ["58,2\u00a0ms", "11\u202f680\u00a0B", "65\u202f535", "100\u00a0Mbps", "0,02", "auto"],
    ),
    # 1,5 ms became 15 ms.
    (
        "bareOf",
        "en",
        ["65,535", "1,000,000 B", "1,5ms", "5 840"],
        ["65535", "1000000B", "1.5ms", "5840"],
    ),
    (
        "bareOf",
        "de",
        ["1,5ms", "116,407ms", "65 535 B", "1.5"],
        ["1.5ms", "116.407ms", "65535B", "1.5"],
    ),
    # What could be thousands in the language is asked again.
    ("(typed) => numberIn(typed).value", "en", ["1,5", "5,840", "5.840"], [1.5, None, 5.84]),
    (
        "(typed) => numberIn(typed).value",
        "de",
        ["5.840", "5,840", "65\u202f535"],
        [None, 5.84, 65535],
    ),
]
RANGES = [(0, 1), (0, 30_000), (2e8, 2e8 + 1), (0.1, 0.3), (7955.7, 7955.8)]


@pytest.mark.parametrize(("script", "language", "given", "made"), MADE)
def test_a_number_is_written_and_read_as_the_language_does(
    script: str, language: str, given: list, made: list
):
    found = in_node(FILES, f"const answer = data.map({script})", given, languages=(language,))
    assert found == made


def test_ticks_are_few_and_within_their_range_however_narrow_it_is():
    """200 ms are 2e8 ns: one point alone has an axis of 1 ns."""
    script = "const answer = data.map(([low, high]) => ticks(low, high, false, 5))"
    found = in_node(FILES, script, RANGES)
    for (low, high), marks in zip(RANGES, found, strict=True):
        assert 2 <= len(marks) <= 11, (low, high, marks[:20])
        slack = (high - low) / 100
        assert low - slack <= marks[0] and marks[-1] <= high + slack
    assert found[RANGES.index((0.1, 0.3))][-1] == pytest.approx(0.3)  # an end that is a step
