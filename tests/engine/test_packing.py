# SPDX-License-Identifier: GPL-2.0-only
"""What is packed into a page comes out of it as it was, whatever its length and bytes."""

import json
import shutil
import subprocess
from random import Random

import pytest
from study import engine
from study.base.linking import linked
from study.engine.packing import ALPHABET, packed_json, written

NODE = shutil.which("node")
# Lengths around the least common multiple of 8 and 13 bits, and what has one byte only.
SAMPLES = [Random(length).randbytes(length) for length in (*range(28), 1000)]
SAMPLES += [b"\0" * 50, b"\xff" * 50]
READ = """
const [, ...texts] = JSON.parse(require("fs").readFileSync(0, "utf8"));
const hex = (text) => Buffer.from(bytesOf(text)).toString("hex");
unpackedJson(texts[0]).then((value) =>
  process.stdout.write(JSON.stringify([value, ...texts.slice(1).map(hex)])));
"""


def in_node(texts: list[str]) -> list[object]:
    script = f"const {{ bytesOf, unpackedJson }} = {linked(engine.ROOM / 'packing.js')};{READ}"
    done = subprocess.run(
        [NODE, "-e", script], input=json.dumps(["", *texts]), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.skipif(not NODE, reason="there is no node")
def test_a_page_reads_what_was_written():
    data = {"half": "½", "tag": "</script>", "list": [1, 2.5, None]}
    said = in_node([packed_json(data), *map(written, SAMPLES)])
    assert said == [data, *(sample.hex() for sample in SAMPLES)]


def test_neither_html_nor_json_writes_its_letters_in_another_way():
    text = ALPHABET + " 0123456789"
    assert json.dumps(text) == f'"{text}"' and "<" not in text
    assert len(set(ALPHABET)) == len(ALPHABET) == 91 and text.isascii() and text.isprintable()
