# SPDX-License-Identifier: GPL-2.0-only
"""The same points through sem (signetlabdei/sem, from PyPI) in an environment of its own.

sem wants an ns-3 source tree: it calls the tree's `ns3` to build, and reads from a file that this
leaves where the programs are. Its folder here has these two, and the program that ./waf has built;
so sem builds nothing, and all else is sem's own code.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from study.base.project import BUILD

from benchmarks.measuring import NotMeasured

LOCK = Path(__file__).with_name("requirements-sem.lock")
CAMPAIGN = Path(__file__).with_name("sem_campaign.py")
ENVIRONMENT = BUILD / "benchmarks" / "sem"


def campaign(
    python: Path, program: Path, size_B: int, windows_B: Sequence[int], processes: int
) -> None:
    """Run a script with sem, from its start to its DataFrame."""
    with tempfile.TemporaryDirectory(prefix="study-benchmark-") as folder:
        tree = _tree(Path(folder, "tree"), program)
        task = {"tree": str(tree), "campaign": str(Path(folder, "campaign")), "size": size_B}
        task |= {"windows": list(windows_B), "processes": processes}
        done = subprocess.run(
            [python, CAMPAIGN], input=json.dumps(task), capture_output=True, text=True
        )
    if done.returncode:
        raise NotMeasured(f"sem failed: {done.stderr.strip().splitlines()[-1]}")


@cache
def environment() -> Path:
    """Return the Python of sem's environment, which is made if missing or if its lock file
    changed."""
    python, stamp = ENVIRONMENT / "bin" / "python", ENVIRONMENT / "made-from.lock"
    if stamp.is_file() and stamp.read_bytes() == LOCK.read_bytes():
        return python
    locked = ["install", "-q", "--no-deps", "--require-hashes", "--only-binary", ":all:"]
    commands = [
        [sys.executable, "-m", "venv", "--clear", ENVIRONMENT],
        [python, "-m", "pip", "--disable-pip-version-check", *locked, "-r", LOCK],
        [python, "-c", "import sem"],
    ]
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            said = (done.stderr.strip() or done.stdout.strip() or "no reason").splitlines()[-1]
            raise NotMeasured(f"sem cannot be installed: {said}")
    stamp.write_bytes(LOCK.read_bytes())
    return python


def _tree(tree: Path, program: Path) -> Path:
    tree.mkdir()
    (tree / "ns3").write_text("# The program has been built: nothing to do.\n")
    (tree / program.name).symlink_to(program)
    status = f"ns3_runnable_programs = {[program.name]!r}\n"
    (tree / f".lock-ns3_{sys.platform}_build").write_text(status)
    return tree
