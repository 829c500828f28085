# SPDX-License-Identifier: GPL-2.0-only
"""A sweep as somebody types it, from the command's start to the table's file: Python's own start,
imports, the store and the table are part of what it takes. And so with another build of print-job:
in a folder of links to ours, that has this program in its build/."""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from study.base.errors import StudyError
from study.base.project import BUILD, ROOT, scenario_program, scenarios, shown

PLAIN = Path(__file__).with_name("plain-transfer.toml")
FIRST_WINDOW_B = 25_000  # the first window of all points; see ack_threshold in plain-transfer.toml
OURS = BUILD / "print-job"
STUDY = "import sys; from study import command; sys.exit(command())"  # as in the file `study`
LINKED = ("analysis", "scenarios", "benchmarks", "tests", "wscript", "requirements.lock")


@dataclass(frozen=True)
class Build:
    """A build's print-job."""

    program: Path = OURS

    @cached_property
    def ns3(self) -> str:
        """The program's description of its ns-3."""
        told = subprocess.run([self.program, "--describe"], capture_output=True, check=True)
        return str(json.loads(told.stdout)["ns3"])

    @property
    def is_own(self) -> bool:
        """Whether `./waf ns3` built its ns-3, whose description then says how."""
        return "," in self.ns3

    @property
    def words(self) -> str:
        """Words for a figure's name, empty for the build in use."""
        return "" if self.program == OURS else f", with ns-3 {self.ns3}"

    def sweep(self, size_B: int, count: int, fast_forward: bool = True) -> None:
        """Run a sweep into a new store and a file."""
        with tempfile.TemporaryDirectory(prefix="study-benchmark-") as folder:
            root = ROOT if self.program == OURS else _tree(Path(folder, "tree"), self.program)
            table = Path(folder, "table.csv")
            command = [sys.executable, "-c", STUDY, "sweep", str(PLAIN)]
            command += ["--job-size", str(size_B), "--store", folder, "-o", str(table)]
            last_B = FIRST_WINDOW_B + count - 1
            windows = f"{FIRST_WINDOW_B}:{last_B}:1" if count > 1 else str(FIRST_WINDOW_B)
            command += ["--vary", f"receive-window={windows}"]
            command += [] if fast_forward else ["--no-fast-forward"]
            done = subprocess.run(
                command, cwd=root, env=_environment(root), capture_output=True, text=True
            )
            if done.returncode:
                raise StudyError(f"a sweep of {count} points failed: {done.stderr.strip()}")
            finished = table.read_text().count(",finished,")
        if finished != count:
            raise StudyError(f"of {count} points of {size_B} B {finished} finished")


def build_of(program: Path) -> Build:
    """Return the build that has this program. Raise StudyError if there is no such program."""
    if not program.is_file():
        raise StudyError(f"there is no program {shown(program)}")
    return Build(program.absolute())


def _environment(root: Path) -> dict[str, str]:
    """Return the environment of a user, whose modules are compiled after the first call."""
    own = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return own | {"PYTHONPATH": str(root / "analysis")}


def _tree(tree: Path, program: Path) -> Path:
    """Return a tree of links to the project, with another program."""
    (tree / "build").mkdir(parents=True)
    for name in LINKED:
        (tree / name).symlink_to(ROOT / name)
    for name in scenarios():
        other = program if name == OURS.name else scenario_program(name)
        (tree / "build" / name).symlink_to(other)
    return tree
