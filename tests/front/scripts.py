# SPDX-License-Identifier: GPL-2.0-only
"""The pages' modules in Node, with as much of a page as they ask for."""

import json
import shutil
import subprocess
from typing import Any

from study.base.linking import linked
from study.base.project import ROOT

NODE = shutil.which("node")
FRONT = ROOT / "analysis" / "study" / "front"
PAGE = """
const given = JSON.parse(require("fs").readFileSync(0, "utf8"));
const elements = { words: { textContent: JSON.stringify(given.words) } };
const document = {
  getElementById: (id) => elements[id], documentElement: {}, querySelectorAll: () => [],
};
const location = { hash: given.hash };
const stored = new Map(Object.entries(given.kept));
const localStorage = { getItem: (key) => stored.get(key) ?? null };
Object.defineProperty(globalThis, "navigator", { value: { languages: given.languages } });
"""


def in_node(
    files: list[str],
    script: str,
    data: object,
    languages: tuple[str, ...] = ("en",),
    hash: str = "",
    kept: dict[str, str] | None = None,
) -> Any:
    """What the script's `answer` is, which finds what these modules of the front end export; `data`
    is what was given."""
    exported = linked(*(FRONT / name for name in files))
    answered = f"{script}; process.stdout.write(JSON.stringify(answer))"
    texts = [PAGE, f"Object.assign(globalThis, {exported});"]
    texts.append(f"{{ const data = given.data; {answered} }}")
    words = {
        path.name.split(".")[1]: json.loads(path.read_text()) for path in FRONT.glob("words.*.json")
    }
    given = {"data": data, "words": words, "languages": languages, "hash": hash}
    done = subprocess.run(
        [NODE, "-e", "\n".join(texts)],
        input=json.dumps(given | {"kept": kept or {}}),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
