# SPDX-License-Identifier: GPL-2.0-only
"""The study works for a user without rights, without a network, and in a home whose name has spaces
and umlauts."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from study.base.project import ROOT, scenarios

NOBODY = 65534
COPIED = ("analysis", "scenarios", "results", "pyproject.toml", "wscript")
COPIED += (
    "tests/print-job/timelines",
    "tests/file-read/timelines",
    "tests/request-reply/timelines",
)
SWEEP = ["sweep", "hawking-hps1u", "--vary", "job-size=20000,30000", "-o"]


def as_nobody(tree: Path) -> list[str]:
    """What goes before a command so that it has no network, and where we are root no rights."""
    if shutil.which("unshare") is None:
        pytest.skip("this machine has no unshare")
    if os.geteuid() != 0:
        return ["unshare", "--user", "--net"]
    for path in [tree, *tree.rglob("*")]:
        os.chown(path, NOBODY, NOBODY)
    whom = [f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    return ["unshare", "--net", "setpriv", *whom]


def test_it_runs_for_anybody_in_any_home_without_a_network(program: Path):
    # Not in the folder of pytest, which is for its own user alone.
    home = Path(tempfile.mkdtemp(prefix="study Jürgen "))
    tree = home / "große Übung"
    try:
        tree.mkdir(parents=True)
        for name in COPIED:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, tree / name)
        (tree / "build").mkdir()
        for scenario in scenarios():
            shutil.copy(program.with_name(scenario), tree / "build")
        prefix = [*as_nobody(home), sys.executable, "-m", "study.commands.main"]
        environment = {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONUTF8": "1"}
        environment |= {"PYTHONPATH": str(tree / "analysis"), "MPLCONFIGDIR": str(home)}

        def said(*arguments: str) -> str:
            done = subprocess.run(
                [*prefix, *arguments], cwd=home, env=environment, capture_output=True, text=True
            )
            if "unshare" in done.stderr or "setpriv" in done.stderr:
                pytest.skip(done.stderr.strip())
            assert (done.returncode, done.stderr) == (0, ""), done.stderr[-2000:]
            return done.stdout

        assert "24,811.7 B/s" in said("run", "hawking-hps1u", "--pcap", "der Auftrag.pcap")
        assert said("diagnose", "der Auftrag.pcap").startswith("der Auftrag.pcap")
        assert "2 ran" in said(*SWEEP, "Maße.csv") and "2 from" in said(*SWEEP, "Maße.csv")
        written = home / "Maße.csv"
        assert written.stat().st_uid == (NOBODY if os.geteuid() == 0 else os.geteuid())
    finally:
        shutil.rmtree(home, ignore_errors=True)
