# SPDX-License-Identifier: GPL-2.0-only
"""Copies of the tree in which ./waf is tried, and without the network: packages for set-up are the
ones that this Python already has, put back into wheels."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STANDALONE = {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
NOT_OURS = ("PIP_", "PYTHON", "CXX", "TMPDIR")


def environment(**changes: object) -> dict[str, str]:
    """This one, less what a user's shell might have set for pip, Python or the compiler."""
    kept = {key: text for key, text in os.environ.items() if not key.startswith(NOT_OURS)}
    return kept | STANDALONE | {key: str(value) for key, value in changes.items()}


def launch(
    tree: Path, *arguments: str, patch: str = "pass", prefix: Sequence[str] = (), **changes: object
) -> subprocess.CompletedProcess[str]:
    """./waf in a copy of the tree, in a Python where `patch` has run first."""
    code = f"import runpy, sys; {patch}; runpy.run_path('waf', run_name='__main__')"
    return _ran(tree, [*prefix, sys.executable, "-c", code, *arguments], changes)


def waf(
    tree: Path, *arguments: str, patch: str = "pass", prefix: Sequence[str] = (), **changes: str
) -> subprocess.CompletedProcess[str]:
    """What the launcher calls after set-up, in a copy of the tree with our .venv's packages."""
    return _ran(tree, [*prefix, *waf_command(*arguments, patch=patch)], {"NOCOLOR": 1, **changes})


def waf_command(*arguments: str, patch: str = "pass") -> list[str]:
    code = f"import sys; sys.path.insert(0, 'waf-tools'); import set_up; {patch}; set_up.run_waf()"
    return [sys.executable, "-c", code, *arguments]


def _ran(
    tree: Path, command: Sequence[str], changes: Mapping[str, object]
) -> subprocess.CompletedProcess[str]:
    settings = environment(**changes)
    return subprocess.run(command, cwd=tree, env=settings, capture_output=True, text=True)


def copy_launcher(folder: Path) -> Path:
    """The launcher, the build and an empty study."""
    folder.mkdir()
    for name in ("waf", "wscript", "pyproject.toml", "requirements.lock", "requirements-test.lock"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(ROOT / "waf-tools", folder / "waf-tools")
    package = folder / "analysis" / "study"
    for name in ("", "base", "commands"):
        (package / name).mkdir(parents=True)
        (package / name / "__init__.py").write_text('"""Nothing."""\n')
    # Not the real one: it would make the project's own results anew while tests judge them.
    (package / "commands" / "main.py").write_text('print("the copy\'s own study")\n')
    for file in (ROOT / "analysis" / "study" / "base").glob("*.py"):
        shutil.copy(file, package / "base")
    for name in ("scenarios/model", "scenarios/systems", "scenarios/hosts", "scratch"):
        (folder / name).mkdir(parents=True)
    return folder


def assert_one_sentence(done: subprocess.CompletedProcess[str], *words: str, status: int = 2):
    assert done.returncode == status, done.stderr
    assert done.stderr.startswith("waf: ") and done.stderr.count("\n") == 1, done.stderr
    for word in words:
        assert word in done.stderr
