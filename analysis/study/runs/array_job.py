# SPDX-License-Identifier: GPL-2.0-only
"""Sweep in parts, and as an array job of Slurm: a script that runs one part in each task. Each
task has its own store, because a file is not safe if many machines write to it at once."""

import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from study.base.errors import StudyError

# Options that a task sets itself, or that concern the collecting call; each takes a value.
NOT_OF_A_TASK = ("--slurm-array", "--store", "-o", "--output")
SCRIPT = """\
#!/bin/sh
# {points:,} points of {system} in {tasks} tasks. When all of them have ended,
#   {merge}
# brings their results together, and the same sweep without --slurm-array, with
#   --store {store}
# makes the table, and runs the points that a lost task has not done.
#SBATCH --job-name=study-{name}
#SBATCH --array=1-{tasks}
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --signal=B:TERM@60
cd {folder} || exit
exec {command} --shard "$SLURM_ARRAY_TASK_ID/{tasks}" \\
    --store {store}/shard-"$SLURM_ARRAY_TASK_ID"-of-{tasks}
"""


@dataclass(frozen=True)
class Shard:
    """One of `of` equal parts of a sweep's points; `number` counts from 1."""

    number: int
    of: int

    @classmethod
    def read(cls, text: str) -> "Shard":
        """Read a part as in "3/100". Raise StudyError if the text is no such part."""
        match = re.fullmatch(r"(\d{1,9})/(\d{1,9})", text)
        if not match or not 1 <= int(match[1]) <= int(match[2]):
            raise StudyError(
                f"--shard: {text[:40]!r} is no part; give K/N, as in 3/100, with K from 1 to N"
            )
        return cls(int(match[1]), int(match[2]))

    def places(self) -> slice:
        """Return the part's points as a slice: every n-th, so that no part has all slow ones."""
        return slice(self.number - 1, None, self.of)


def script(system: str, points: int, tasks: int, arguments: Sequence[str], store: Path) -> str:
    """Return the script for sbatch; `arguments` are those of the call that asked for it."""
    study = [sys.executable, "-m", "study.commands.main"]
    kept = shlex.quote(str(store.absolute()))
    merge = f"{shlex.join(study)} store merge {kept}/shard-*-of-{tasks} --store {kept}"
    return SCRIPT.format(
        system=system,
        points=points,
        tasks=tasks,
        name=re.sub(r"[^\w.-]", "-", Path(system).stem),
        folder=shlex.quote(str(Path.cwd())),
        store=kept,
        merge=merge,
        command=shlex.join([*study, "sweep", *_of_a_task(arguments)]),
    )


def _of_a_task(arguments: Sequence[str]) -> list[str]:
    kept, rest = [], iter(arguments)
    for argument in rest:
        name = argument.partition("=")[0]
        if argument.startswith("-o") and argument != "-o":
            continue
        if name not in NOT_OF_A_TASK:
            kept.append(argument)
        elif name == argument:
            next(rest, None)  # the option's value
    return kept
