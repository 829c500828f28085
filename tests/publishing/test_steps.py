# SPDX-License-Identifier: GPL-2.0-only
"""A step of `study reproduce` is made again whenever something that it reads has changed: what it
imports, opens and runs are its inputs."""

import ast
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Project
from study.base.project import ROOT
from study.kernel import DIAGNOSIS, KEPT
from study.publishing import imports
from study.publishing.imports import Imports, imported_names

# Makes one step with nothing of the study imported before, and notes what it read.
MAKE = """
import json, os, sys
from study.publishing.steps import ROOT, step

made, read = step(sys.argv[1]), set()
for name in [name for name in sys.modules if name.split(".")[0] == "study"]:
    del sys.modules[name]

def note(event, given):
    if event == "open" and isinstance(given[0], str) and not given[2] & (os.O_WRONLY | os.O_RDWR):
        read.add(os.path.abspath(given[0]))
    elif event == "subprocess.Popen":
        read.add(str(given[0]))

sys.addaudithook(note)
made.make()
read |= {each.__file__ for name, each in sys.modules.items() if name.split(".")[0] == "study"}
ours = {each for each in read if each.startswith(f"{ROOT}/") and os.path.isfile(each)}
# Python's own copies of modules, and what was written and is looked at.
ours = {each for each in ours if not each.endswith(".pyc")} - {*map(str, made.outputs)}
print(json.dumps(sorted(os.path.relpath(each, ROOT) for each in ours - {*map(str, made.inputs)})))
"""


@pytest.mark.parametrize("name", ["figure captured", "figure diagnosis", "figure ladder", "kernel"])
def test_all_that_making_a_step_reads_is_among_its_inputs(name: str, project: Project):
    kept = project.root / KEPT.relative_to(ROOT)
    kept.mkdir()
    for path in (
        sorted(KEPT.glob("*.before.*"))[:2] if name == "figure captured" else KEPT.iterdir()
    ):
        shutil.copy(path, kept)
    shutil.copy(DIAGNOSIS, project.root / DIAGNOSIS.relative_to(ROOT))
    environment = {**os.environ, "PYTHONPATH": str(project.root / "analysis")}
    command = [sys.executable, "-c", MAKE, name]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == []


def test_what_a_module_imports_is_followed_through_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """At the top, inside a function, on several lines, by a name that is known when it runs."""
    for name, text in {
        "__init__": "def command():\n    from study.commands import main\n",
        "commands/__init__": "",
        "commands/main": "",
        "figures/__init__": "import study.base\n",
        "figures/ladder": "from study.drawing import (  # both\n    style,\n    ONE as _,\n)\n",
        "drawing/__init__": "",
        "drawing/style": "def one():\n    import study.kit as kit, os\n",
        "base": "if TYPE_CHECKING:\n    import study.commands.main\n\n    from study import x\n",
        "kit": 'module = f"study.scenarios.{name}"\n',
        "scenarios/__init__": "",
        "scenarios/print_job": "from study.figures import ladder\n",
        "scenarios/file_read/__init__": "",
        "scenarios/file_read/formulas": "",
    }.items():
        path = tmp_path / "study" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.setattr(imports, "ANALYSIS", tmp_path)
    found = Imports().files(["study.figures.ladder"])
    assert {str(path.relative_to(tmp_path / "study")) for path in found} == {
        "__init__.py",
        "figures/__init__.py",
        "figures/ladder.py",
        "drawing/__init__.py",
        "drawing/style.py",
        "base.py",
        "kit.py",
        "scenarios/__init__.py",
        "scenarios/print_job.py",
        "scenarios/file_read/__init__.py",
    }


def test_no_import_of_any_module_is_overlooked():
    for path in (ROOT / "analysis" / "study").rglob("*.py"):
        text = path.read_text()
        assert {*_parsed(ast.parse(text))} <= {*imported_names(text)}, path


def _parsed(node: ast.AST) -> Iterator[str]:
    """The modules of the study that it names, and names that may be."""
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.If) and ast.unparse(each.test) == "TYPE_CHECKING":
            continue
        if isinstance(each, ast.ImportFrom) and each.module.split(".")[0] == "study":
            yield from (each.module, *(f"{each.module}.{name.name}" for name in each.names))
        elif isinstance(each, ast.Import):
            yield from (name.name for name in each.names if name.name.split(".")[0] == "study")
        yield from _parsed(each)
