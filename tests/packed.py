# SPDX-License-Identifier: GPL-2.0-only
"""What study.engine.packing wrote into a page, read in another way than packing.js does."""

import gzip
import json
import re
from typing import Any

from study.engine.packing import ALPHABET, BITS


def content(text: str) -> bytes:
    """The bytes that a text stands for, as digits of one long number."""
    length, letters = text.split(" ")
    pairs = [letters[at : at + 2] for at in range(0, len(letters), 2)]
    values = [ALPHABET.index(a) * len(ALPHABET) + ALPHABET.index(b) for a, b in pairs]
    bits = "".join(f"{value:0{BITS}b}" for value in values)
    return bytes(int(bits[at : at + 8], 2) for at in range(0, int(length) * 8, 8))


def in_page(page: str, element: str) -> Any:
    """What is packed in the element of that id."""
    found = re.search(rf'id="{element}">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(gzip.decompress(content(found[1])))
