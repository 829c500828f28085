# SPDX-License-Identifier: GPL-2.0-only
"""Values of parameters on the page: in the language's own digits, with a blank before the unit."""

import re

import pytest

from tests.front.scripts import NODE, in_node

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")

FILES = ["words.js", "small.js", "controls.js"]
GIVEN = [
    ["58.2037ms", ""],
    ["11680", "B"],
    ["65535", ""],
    ["100Mbps", ""],
    ["0.02", ""],
    ["auto", ""],
]
SAID = {
    "en": ["58.2 ms", "11,680 B", "65,535", "100 Mbps", "0.02", "auto"],
    "de": ["58,2 ms", "11 680 B", "65 535", "100 Mbps", "0,02", "auto"],
}


@pytest.mark.parametrize("language", SAID)
def test_a_value_is_written_as_the_language_does(language: str):
    script = "const answer = data.map(([text, unit]) => valueSaid(text, unit))"
    said = in_node(FILES, script, GIVEN, (language,))
    assert [re.sub(r"\s", " ", each) for each in said] == SAID[language]
