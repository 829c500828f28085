# SPDX-License-Identifier: GPL-2.0-only
"""The module in a worker of a page that is opened as a file, in Chromium and Firefox, with the
content security policy of the classroom page: the native records, to the byte."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from study import engine
from study.base.linking import linked
from study.classroom.page import document

from tests.engine.points import NODE, Point, flags, native, sample
from tests.engine.test_records import differences
from tests.firefox import FIREFOX, firefox

if reason := engine.why_not() or ("" if NODE else "there is no node"):
    pytest.skip(f"the WebAssembly module: {reason}", allow_module_level=True)

PAGE = """<!doctype html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="%s">
<title>points</title>
<script type="application/json" id="data">%s</script>
<script>const { openEngine } = %s;
async function digest(bytes) {
  const found = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [bytes.length, [...found].map((byte) => byte.toString(16).padStart(2, "0")).join("")];
}
const opened = openEngine(JSON.parse(document.getElementById("data").textContent), 600000);
// Of some points, a line of JSON each: what becomes of them, as text.
globalThis.ask = async (text) => {
  const engine = await opened;
  const all = [];
  for (const line of text.split("\\n").filter(Boolean)) {
    const { program, flags, files } = JSON.parse(line);
    try {
      const answer = await engine.run(program, flags, files);
      const made = {};
      for (const kind of files) made[kind] = answer.files[kind] && await digest(answer.files[kind]);
      all.push({ record: answer.record, files: made, restarts: engine.restarts });
    } catch (error) {
      all.push({ kind: error.kind, said: error.message, restarts: engine.restarts });
    }
  }
  return JSON.stringify(all);
};
</script>
"""
Ask = Callable[[str], str]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    module = engine.built()
    assert module
    policy = re.search(r'Policy" content="(.*)">', document([], [], {}, module))[1]
    assert "'wasm-unsafe-eval'; worker-src blob:" in policy and "default-src 'none'" in policy
    data = json.dumps(module.embedded(flags())).replace("<", "\\u003c")
    path = tmp_path_factory.mktemp("page") / "points.html"
    path.write_text(PAGE % (policy, data, linked(engine.ROOM / "wasm.js")))
    return path


@pytest.fixture(params=["chromium", "firefox"])
def ask(request: pytest.FixtureRequest, page: Path, tmp_path: Path) -> Iterator[Ask]:
    if request.param == "firefox":
        if not FIREFOX:
            pytest.skip("Firefox is not installed")
        with firefox(tmp_path) as opened:
            opened.open(page.as_uri())
            yield lambda text: opened.run("return await page.ask(given[0]);", text)
        return
    from tests.browser import chromium, visit

    with chromium() as opened, visit(opened, page.as_uri()) as seen:
        yield lambda text: seen.page.evaluate("(text) => ask(text)", text)
        assert seen.errors == []
        # The worker's own script is inside the page.
        assert [each for each in seen.asked if not each.startswith("blob:")] == [page.as_uri()]


def test_records_files_and_refusals_are_the_native_ones(program: Path, ask: Ask, tmp_path: Path):
    points: list[Point] = sample()
    said = json.loads(ask("".join(point.asked() + "\n" for point in points)))
    assert differences(points, native(points, tmp_path), said) == []
    assert {each["restarts"] for each in said} == {0}
