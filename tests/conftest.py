# SPDX-License-Identifier: GPL-2.0-only
"""What several tests need: the built program, one run of the measured system, and a copy of the
project that a test may spoil."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from analysis import Result, System, systems
from analysis.project import ROOT

README = "# title\n\n<!-- begin results table -->\n<!-- end results table -->\n\n"
README += "<!-- begin disagreements -->\n<!-- end disagreements -->\n\nprose\n"


@pytest.fixture(scope="session")
def program() -> Path:
    """The scenario's program. Without it tests fail; a skipped one would look like a pass."""
    path = ROOT / "build" / "print-job"
    if not path.is_file():
        pytest.fail("there is no build/print-job: run ./waf build")
    return path


@pytest.fixture(scope="session")
def hawking(program: Path) -> System:
    return systems["hawking-hps1u"]


@pytest.fixture(scope="session")
def hawking_run(hawking: System) -> Result:
    """The measured job, once, with its segments."""
    return hawking.run(segments=True)


@dataclass(frozen=True)
class Project:
    """A copy of what the analysis uses, in a folder of its own."""

    root: Path

    def study(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "analysis.cli", *arguments]
        environment = {**os.environ, "PYTHONPATH": str(self.root)}
        return subprocess.run(
            command, cwd=self.root, env=environment, capture_output=True, text=True
        )

    def files(self) -> dict[str, bytes]:
        """Every file but Python's caches, to see whether something was written."""
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            for path in self.root.rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        }

    def replace_program(self, script: str) -> None:
        """Put a shell script in place of the program; the declaration stays the true one."""
        true_program = self.root / "build" / "print-job"
        declared = subprocess.run([true_program, "--describe"], capture_output=True, check=True)
        (self.root / "declared.json").write_bytes(declared.stdout)
        true_program.unlink()
        describe = f"[ \"$1\" = --describe ] && exec cat '{self.root}/declared.json'"
        true_program.write_text(f"#!/bin/sh\n{describe}\n{script}\n")
        true_program.chmod(0o755)


@pytest.fixture
def project(tmp_path: Path, program: Path) -> Project:
    root = tmp_path / "project"
    for room in ("analysis", "scenarios", "tests/timelines"):
        shutil.copytree(ROOT / room, root / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "requirements.lock", root)
    (root / "README.md").write_text(README)
    (root / "build").mkdir()
    for source in (ROOT / "scenarios").glob("*.cc"):
        (root / "build" / source.stem).symlink_to(program.with_name(source.stem))
    return Project(root)
