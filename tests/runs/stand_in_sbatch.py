# SPDX-License-Identifier: GPL-2.0-only
"""A stand-in for Slurm's sbatch, which no machine of the tests has: it reads the #SBATCH lines of a
script as the manual of sbatch has them, refuses those it does not know, and runs the tasks of the
array one after another on this machine, each with its SLURM_ARRAY_TASK_ID. There is no queue, no
other machine, no limit of time and no accounting: what it shows is that the script is whole and
that its tasks do their parts, not that Slurm would run it.

    python stand_in_sbatch.py SCRIPT [--kill TASK AFTER_FILE LINES]

With --kill it does to one task what the loss of its machine does, once AFTER_FILE has so many more
lines, and then what --requeue asks for: it runs the task again.
"""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

KNOWN = {
    "--job-name": r"[\w.-]+",
    "--array": r"1-\d+",
    "--cpus-per-task": r"\d+",
    "--requeue": "",
    "--signal": r"B:[A-Z]+@\d+",
}


def main(script: Path, kill: tuple[int, Path, int] | None) -> int:
    said = directives(script)
    tasks = int(said["--array"].partition("-")[2])
    for task in range(1, tasks + 1):
        process = started(script, task)
        if kill and task == kill[0]:
            _, log, lines = kill
            before = count(log)
            while count(log) < before + lines and process.poll() is None:
                time.sleep(0.002)
            if process.poll() is not None:
                sys.exit("stand-in for sbatch: the task ended before it could be killed")
            process.kill()
            process.wait()
            print(f"stand-in for sbatch: task {task} was killed; --requeue: {'--requeue' in said}")
            process = started(script, task)
        if process.wait() != 0:
            return 1
    print(f"stand-in for sbatch (there is no Slurm here): {tasks} tasks ran on this machine")
    return 0


def directives(script: Path) -> dict[str, str]:
    """Those above the first command, which are all that sbatch reads."""
    first, *lines = script.read_text().splitlines()
    if not first.startswith("#!"):
        sys.exit("sbatch: error: This does not look like a batch script")
    found = {}
    for line in lines:
        if line and not line.startswith("#"):
            break
        if line.startswith("#SBATCH "):
            name, _, value = line.removeprefix("#SBATCH ").partition("=")
            if name not in KNOWN or not re.fullmatch(KNOWN[name], value):
                sys.exit(f"stand-in for sbatch: it does not know {line}")
            found[name] = value
    return found


def started(script: Path, task: int) -> subprocess.Popen:
    """Through a copy, as Slurm's daemon does it: a script may not rely on where it lies."""
    copy = Path(os.environ["TMPDIR"], f"slurm_script_{task}")
    copy.write_text(script.read_text())
    copy.chmod(0o755)
    return subprocess.Popen([copy], env={**os.environ, "SLURM_ARRAY_TASK_ID": str(task)})


def count(log: Path) -> int:
    return len(log.read_text().splitlines()) if log.exists() else 0


if __name__ == "__main__":
    path, *rest = sys.argv[1:]
    to_kill = (int(rest[1]), Path(rest[2]), int(rest[3])) if rest else None
    sys.exit(main(Path(path), to_kill))
