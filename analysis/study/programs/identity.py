# SPDX-License-Identifier: GPL-2.0-only
"""What a scenario's results depend on besides the point: its program and the ns-3 it runs on."""

import hashlib
import os
import subprocess
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from study.base.errors import StudyError, why
from study.base.project import scenario_program, shown

Stamp = tuple[int, ...]


@dataclass(frozen=True)
class Identity:
    """A program at one moment. Two with the same digest give the same results to the bit."""

    scenario: str
    program: Path = field(compare=False)
    digest: str
    stamp: Stamp = field(compare=False, repr=False)

    def check(self) -> None:
        """Refuse to go on with a program that was built anew since its digest was taken."""
        if not self.program.is_file() or _stamp(self.program) != self.stamp:
            raise StudyError(f"{shown(self.program)} has changed since this began; start it again")


def identity(scenario: str) -> Identity:
    """The identity of the scenario's program as it is now."""
    program = scenario_program(scenario)
    stamp = _stamp(program)
    return Identity(scenario, program, _digest(program, stamp), stamp)


def _stamp(path: Path) -> Stamp:
    status = os.stat(path)
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


@lru_cache
def _digest(program: Path, stamp: Stamp) -> str:
    """Of the program and the ns-3 libraries that it loads, by content: a folder may move. The
    compiler's own libraries are left out; they do no arithmetic for ns-3."""
    total = hashlib.sha256()
    for path in (program, *_libraries(program)):
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def _libraries(program: Path) -> list[Path]:
    try:
        plain = {**os.environ, "LC_ALL": "C"}  # its words are read below
        done = subprocess.run(["ldd", program], capture_output=True, text=True, env=plain)
    except OSError as error:
        raise StudyError(f"ldd cannot be run: {why(error)}") from error
    if done.returncode and "not a dynamic executable" not in done.stdout + done.stderr:
        said = " ".join(done.stderr.split())
        raise StudyError(f"ldd cannot tell what {shown(program)} runs on: {said}")
    words = [line.split() for line in done.stdout.splitlines()]
    paths = [line[2] for line in words if len(line) > 3 and line[1] == "=>"]
    ours = [Path(path) for path in paths if Path(path).name.startswith("libns3")]
    return sorted(ours, key=lambda path: path.name)
