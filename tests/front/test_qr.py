# SPDX-License-Identifier: GPL-2.0-only
"""The page's QR codes are, module for module, those of an encoder of another hand (segno)."""

import re

import pytest

from tests.front.scripts import NODE, in_node

TEXTS = [
    "3.1.4",
    "http://192.0.2.1:8000/#run=hawking-hps1u+--ack-latency+47ms",
    "https://example.org/page.html#run=" + "--receive-window+4096" * 12,
]
# As much of a document as qr.js asks for.
DRAW = """
const element = (kind) => ({
  kind, said: {}, inside: [],
  setAttribute(name, value) { this.said[name] = String(value); },
  append(...more) { this.inside.push(...more); },
  replaceChildren() {},
});
document.createElement = element;
document.createElementNS = (space, kind) => element(kind);
const answer = data.map((text) => qr(text, `code of ${text}`));
"""


@pytest.mark.skipif(not NODE, reason="there is no node")
def test_its_modules_are_those_of_another_encoder():
    segno = pytest.importorskip("segno")
    for text, drawn in zip(TEXTS, in_node(["qr.js"], DRAW, TEXTS), strict=True):
        assert drawn["said"]["aria-label"] == f"code of {text}"
        size = int(drawn["said"]["viewBox"].split()[-1]) - 8
        paper, ink = drawn["inside"]
        assert paper["said"]["width"] == str(size + 8)
        found = re.findall(r"M(\d+) (\d+)h1v1h-1z", ink["said"]["d"])
        dark = {(int(x) - 4, int(y) - 4) for x, y in found}
        # Which of the eight masks is best is a matter of taste to some degree.
        theirs = []
        for mask in range(8):
            code = segno.make(
                text, error="m", boost_error=False, mode="byte", encoding="utf-8", mask=mask,
                micro=False, eci=True,
            )  # fmt: skip
            theirs.append((code.symbol_size(border=0)[0], code.matrix))
        assert {each for each, _ in theirs} == {size}
        assert any(
            dark == {(x, y) for y, row in enumerate(matrix) for x, bit in enumerate(row) if bit}
            for _, matrix in theirs
        ), text
