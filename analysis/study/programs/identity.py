# SPDX-License-Identifier: GPL-2.0-only
"""Identity of a scenario's program and of its ns-3: results depend on these besides the point."""

import hashlib
import os
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from study.base import machine
from study.base.errors import StudyError, why
from study.base.project import MODULE, scenario_program, shown

Stamp = tuple[int, ...]


@dataclass(frozen=True)
class Identity:
    """A program's build. Two with the same digest give bit-identical results."""

    scenario: str
    program: Path = field(compare=False)
    digest: str
    stamp: Stamp = field(compare=False, repr=False)

    def check(self) -> None:
        """Raise StudyError if the program was rebuilt after its digest was taken."""
        if not self.program.is_file() or _stamp(self.program) != self.stamp:
            raise StudyError(f"{shown(self.program)} has changed since this began; start it again")


def identity(scenario: str) -> Identity:
    """Return the identity of the scenario's program in its present state."""
    program = scenario_program(scenario)
    stamp = _stamp(program)
    return Identity(scenario, program, _digest(program, stamp), stamp)


def _stamp(path: Path) -> Stamp:
    status = os.stat(path)
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


@lru_cache
def _digest(program: Path, stamp: Stamp) -> str:
    """Return the SHA-256 digest of the program and its ns-3 libraries, by content: a folder may
    move. An ns-3 built by `./waf ns3` is inside the program, so its results are kept apart from
    those of the wheel's ns-3. The compiler's libraries are left out: ns-3 does no arithmetic with
    them."""
    total = hashlib.sha256()
    for path in (program, *_libraries(program)):
        with path.open("rb") as file:
            total.update(hashlib.file_digest(file, "sha256").digest())
    return total.hexdigest()


def _libraries(program: Path) -> list[Path]:
    if program == MODULE:
        return []
    teller = machine.LIST_LIBRARIES[0]
    try:
        paths = machine.libraries(program)
    except OSError as error:
        raise StudyError(f"{teller} cannot be run: {why(error)}") from error
    except ValueError as error:
        what = f"{teller} cannot tell what {shown(program)} runs on: {error}"
        raise StudyError(what) from error
    ours = [path for path in paths if path.name.startswith("libns3")]
    return sorted(ours, key=lambda path: path.name)
