# SPDX-License-Identifier: GPL-2.0-only
"""Modules that are linked into one script run as a browser would run them."""

import json
import subprocess
from pathlib import Path

import pytest
from study.base.linking import IMPORT, linked
from study.base.project import ROOT

from tests.front.scripts import NODE

MODULES = {
    "entry.js": 'import { add as sum } from "./part/add.js";\nimport { ran } from "./ran.js";\n\n'
    "const own = 1;\nexport const three = sum(own, 2);\nexport class Kind {}\nexport { ran };\n",
    "part/add.js": 'import { ran } from "../ran.js";\n\nconst own = 10;\nran.push(own);\n'
    "export function add(one, other) {\n  return one + other;\n}\n",
    "ran.js": 'export const ran = ["once"];\n',
}


def folder(path: Path, **changed: str) -> Path:
    for name, text in (MODULES | changed).items():
        (path / name).parent.mkdir(exist_ok=True)
        (path / name).write_text(text)
    return path


@pytest.mark.skipif(NODE is None, reason="there is no node")
def test_each_runs_once_after_what_it_imports_and_has_names_of_its_own(tmp_path: Path):
    entry = MODULES["entry.js"].replace("export { ran };\n", "ran.push(own);\n")
    made = folder(tmp_path, **{"entry.js": entry})
    script = linked(made / "entry.js", made / "ran.js")
    shown = f"const found = {script}; const all = [found.three, found.ran, Object.keys(found)];"
    shown += "console.log(JSON.stringify(all))"
    done = subprocess.run([str(NODE), "-e", shown], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [3, ["once", 10, 1], ["three", "Kind", "ran"]]


def test_what_a_browser_takes_and_the_linker_does_not_is_named(tmp_path: Path):
    with pytest.raises(ValueError, match=r"entry.js has what is not linked: export \{ ran \};"):
        linked(folder(tmp_path) / "entry.js")


def test_a_circle_is_named(tmp_path: Path):
    circle = 'import { three } from "./entry.js";\n\nexport const ran = [three];\n'
    with pytest.raises(ValueError, match=r"entry\.js is imported by what it imports"):
        linked(folder(tmp_path, **{"ran.js": circle}) / "entry.js")


def test_scripts_import_from_rooms_below_their_own():
    floors = {"engine": 0, "front": 1, "explorer": 2, "classroom": 2}
    study = ROOT / "analysis" / "study"
    for room, floor in floors.items():
        for script in (study / room).glob("*.js"):
            for found in IMPORT.finditer(script.read_text(encoding="utf-8")):
                other = (script.parent / found[2]).resolve().parent.name
                assert other == room or floors[other] < floor, (script.name, found[2])
