# SPDX-License-Identifier: GPL-2.0-only
"""The same points through sem (signetlabdei/sem, from PyPI), which is in a folder of its own with
its packages that requirements.lock lacks.

sem wants an ns-3 source tree: it calls the tree's `ns3` to build, and reads from a file that this
leaves where the programs are. Its folder here has these two, and the program that ./waf has built;
so sem builds nothing, and all else is sem's own code.
"""

import json
import os
import shutil
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
PACKAGES = BUILD / "benchmarks" / "sem"


def campaign(program: Path, size_B: int, windows_B: Sequence[int], processes: int) -> None:
    """Run a script with sem, from its start to its DataFrame."""
    command, own = [sys.executable, CAMPAIGN], os.environ | {"PYTHONPATH": str(packages())}
    with tempfile.TemporaryDirectory(prefix="study-benchmark-") as folder:
        tree = _tree(Path(folder, "tree"), program)
        task = {"tree": str(tree), "campaign": str(Path(folder, "campaign")), "size": size_B}
        task |= {"windows": list(windows_B), "processes": processes}
        done = subprocess.run(
            command, env=own, input=json.dumps(task), capture_output=True, text=True
        )
    if done.returncode:
        raise NotMeasured(f"sem failed: {done.stderr.strip().splitlines()[-1]}")


@cache
def packages() -> Path:
    """Return the folder of sem and its packages, fetched if missing or if their lock changed."""
    stamp = PACKAGES / "made-from.lock"
    if stamp.is_file() and stamp.read_bytes() == LOCK.read_bytes():
        return PACKAGES
    shutil.rmtree(PACKAGES, ignore_errors=True)
    locked = ["install", "-q", "--no-deps", "--require-hashes", "--only-binary", ":all:"]
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", *locked]
    command = [*pip, "--target", PACKAGES, "-r", LOCK]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip() or "no reason").splitlines()[-1]
        raise NotMeasured(f"sem cannot be installed: {said}")
    stamp.write_bytes(LOCK.read_bytes())
    return PACKAGES


def _tree(tree: Path, program: Path) -> Path:
    tree.mkdir()
    (tree / "ns3").write_text("# The program has been built: nothing to do.\n")
    (tree / program.name).symlink_to(program)
    status = f"ns3_runnable_programs = {[program.name]!r}\n"
    (tree / f".lock-ns3_{sys.platform}_build").write_text(status)
    return tree
