# SPDX-License-Identifier: GPL-2.0-only
"""The engine and its worker, linked from their modules as a page has them, around a stand-in for
what `./waf browser` builds. The real one is compared in test_in_browsers.py and test_records.py."""

import json
from pathlib import Path

import pytest
from study import engine

from tests.engine.points import NODE, Point, in_node

# As much of Emscripten's module as instance.js asks for: it prints the program and its flags.
STUDY = """var Study = async () => ({
  FS: { mkdir() {}, writeFile() {}, analyzePath: () => ({ exists: false }) },
  ccall: (name, kind, kinds, words) => `0\\n${JSON.stringify(words)}`,
  UTF8ToString: (text) => text,
  _free() {},
})"""
EMPTY = b"\0asm\1\0\0\0"


@pytest.mark.skipif(not NODE, reason="there is no node")
def test_a_run_comes_back_through_the_worker(tmp_path: Path):
    (tmp_path / "study.js").write_text(STUDY)
    (tmp_path / "study.wasm").write_bytes(EMPTY)
    said = in_node(engine.Module(tmp_path), [Point("print-job", ("--nagle=true",))], tmp_path)
    assert json.loads(said[0]["record"]) == ["print-job", "--nagle=true", ""]
