# SPDX-License-Identifier: GPL-2.0-only
"""The house keeps its rule: a room imports what stands below it, in Python and in C++, and what
belongs to one scenario stands in the two folders of its name."""

import os
import re
import shutil
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest
from study.base.project import ROOT, scenarios

PACKAGE = ROOT / "analysis" / "study"
# A class of one part may use those of the parts at its left.
PARTS = [
    "core",
    "program",
    "proof",
    "clocks",
    "ethernet",
    "path",
    "frame-relay",
    "links",
    "connection",
    "tcp",
    "records",
    "machine",
    "runs",
]
INCLUDE = re.compile(r'^#include "(?!ns3/)([^"]+)"', re.MULTILINE)


def broken_contracts(folder: Path) -> str:
    """What import-linter says of the package in this folder; nothing when all is kept."""
    # Its command, run from the package's folder, so that it reads that one and not ours.
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache"]
    command += ["--config", str(ROOT / "pyproject.toml")]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_a_room_imports_what_stands_below_it():
    assert broken_contracts(ROOT / "analysis") == ""


@pytest.mark.parametrize(
    ("room", "imported", "said"),
    [
        ("base", "study.runs.store", "study.base is not allowed to import study.runs"),
        ("scenarios/file_read", "study.scenarios.print_job.cycles", "Scenarios do not know"),
        ("explorer", "study.figures.limits", "study.explorer is not allowed"),
    ],
)
def test_an_import_that_climbs_is_named_also_one_inside_a_function(
    room: str, imported: str, said: str, tmp_path: Path
):
    shutil.copytree(PACKAGE, tmp_path / "study")
    climbing = tmp_path / "study" / room / "climbing.py"
    climbing.write_text(f"def climb():\n    import {imported}\n")
    assert said in broken_contracts(tmp_path)


def test_a_new_room_has_to_find_its_floor(tmp_path: Path):
    shutil.copytree(PACKAGE, tmp_path / "study")
    attic = tmp_path / "study" / "attic"
    attic.mkdir()
    (attic / "__init__.py").touch()
    assert "study.attic" in broken_contracts(tmp_path)


def test_no_files_import_each_other_in_a_circle():
    """Not inside a function either, nor for a type alone."""
    graph = grimp.build_graph("study", cache_dir=None)
    imported = {each: graph.find_modules_directly_imported_by(each) for each in graph.modules}
    TopologicalSorter(imported).prepare()  # raises CycleError, with the circle


# Each scenario has one of each. A command's or a figure's file has the name that users type.
OF_EACH_SCENARIO = {"checks", "explanation", "explorer", "formulas", "quantities"}
CALLED_BY_USERS = ("figures", "drawing/kinds", "commands")


def namesakes(package: Path) -> dict[str, list[str]]:
    """Return the names that several rooms give a file, though the files do different things."""
    rooms: dict[str, list[str]] = {}
    for file in package.rglob("*.py"):
        room = file.parent.relative_to(package).as_posix()
        is_each_ones = "scenarios" in room and file.stem in OF_EACH_SCENARIO
        if not (file.stem.startswith("__") or is_each_ones or room in CALLED_BY_USERS):
            rooms.setdefault(file.stem, []).append(room)
    return {name: each for name, each in rooms.items() if len(each) > 1}


def test_no_two_rooms_have_a_file_of_one_name():
    assert namesakes(PACKAGE) == {}


def climbing_includes(root: Path) -> list[str]:
    """Every include of scenarios/ that breaks the rule."""
    found = []
    for file in sorted(root.rglob("*.cc")) + sorted(root.rglob("*.h")):
        room = file.relative_to(root).parts[:-1]
        for included in INCLUDE.findall(file.read_text()):
            there = Path(included).parts[:-1]
            if not allowed(room, there or room) or not _is_there(root, file, included):
                found.append(f"{file.relative_to(root)} includes {included}")
    return found


def allowed(room: tuple[str, ...], included: tuple[str, ...]) -> bool:
    """A part may include the parts at its left and itself, a scenario the model and itself."""
    if room[0] != "model":
        return included[0] == "model" or included == room
    return included[0] == "model" and PARTS.index(included[1]) <= PARTS.index(room[1])


def _is_there(root: Path, file: Path, included: str) -> bool:
    return (root / included).is_file() or (file.parent / included).is_file()


def test_a_part_of_the_model_includes_the_parts_at_its_left():
    assert climbing_includes(ROOT / "scenarios") == []
    assert sorted(each.name for each in (ROOT / "scenarios/model").iterdir()) == sorted(PARTS)


def test_a_connection_is_a_plain_value():
    """It knows no object of ns-3's, and so can be copied, compared and tested alone."""
    sources = [*(ROOT / "scenarios/model/connection").iterdir()]
    assert [each.name for each in sources if '"ns3/' in each.read_text()] == []


@pytest.mark.parametrize(
    ("file", "included"),
    [
        ("model/ethernet/link.h", "model/tcp/device-tcp-socket.h"),
        ("model/tcp/socket-writer.h", "print-job/print-server.h"),
        ("file-read/ipx-header.h", "print-job/print-server.h"),
        ("print-job/print-server.h", "model/tcp/gone.h"),
    ],
)
def test_an_include_that_climbs_is_named(file: str, included: str, tmp_path: Path):
    for name in (file, included):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / file).write_text(f'#include "{included}"\n')
    if "gone" in included:
        (tmp_path / included).unlink()
    assert climbing_includes(tmp_path) == [f"{file} includes {included}"]


def test_what_the_study_says_of_a_scenario_stands_in_a_folder_of_its_name():
    folders = {each.name for each in (PACKAGE / "scenarios").iterdir() if each.is_dir()}
    folders -= {"__pycache__"}
    assert folders == {name.replace("-", "_") for name in scenarios()}


def test_no_file_of_code_is_longer_than_a_head_holds():
    longest = 400
    sources = [ROOT / "wscript", *(ROOT / "waf-tools").glob("*.py")]
    for folder, kinds in {
        "analysis": ".py .js",
        "scenarios": ".cc .h",
        "tests": ".py .cc .h",
    }.items():
        sources += [p for p in (ROOT / folder).rglob("*") if p.suffix in kinds.split()]
    lengths = {str(p.relative_to(ROOT)): p.read_text().count("\n") for p in sources}
    assert {name: length for name, length in lengths.items() if length > longest} == {}


def test_the_old_name_of_the_package_says_the_new_one(tmp_path: Path):
    """As a user's script would import it, in the project and in a folder of his own."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    command = [sys.executable, "-c", "from analysis import systems"]
    sentence = "the package is called study now: write `from study import systems`"
    for folder in (ROOT, tmp_path):
        run = {"cwd": folder, "env": environment, "capture_output": True, "text": True}
        done = subprocess.run(command, **run)
        assert done.returncode == 1
        assert done.stderr.splitlines()[-1] == f"ImportError: {sentence}"


def test_a_users_own_analysis_py_is_his_own(tmp_path: Path):
    (tmp_path / "analysis.py").write_text("MINE = 1\n")
    script = tmp_path / "script.py"
    script.write_text("from analysis import MINE\nfrom study import systems\nprint(len(systems))\n")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert int(done.stdout) == len(list((ROOT / "scenarios/systems").glob("*.toml"))), done.stderr


def test_asking_for_a_room_does_not_open_the_house():
    code = "import sys, study.base.flags; print([m for m in sys.modules if m.startswith('study')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "['study', 'study.base', 'study.base.flags']"


def test_a_plain_install_elsewhere_is_refused_in_one_sentence(tmp_path: Path):
    """What pip puts into another environment is the package alone."""
    shutil.copytree(PACKAGE, tmp_path / "study")
    run = {"cwd": tmp_path, "env": {**os.environ, "PYTHONPATH": str(tmp_path)}}
    run |= {"capture_output": True, "text": True}
    command = [sys.executable, "-c", "import sys, study; sys.exit(study.command())"]
    done = subprocess.run(command, **run)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "pip install --editable FOLDER" in done.stderr
    done = subprocess.run([sys.executable, "-c", "from study import systems"], **run)
    assert "pip install --editable FOLDER" in done.stderr.splitlines()[-1]
