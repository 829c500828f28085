# SPDX-License-Identifier: GPL-2.0-only
"""How every file is written: formatted, licensed, and free of the machine it was written on."""

import re
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def tracked_files() -> list[Path]:
    """What git has or would add; without git, as in an archive, all but what is made here."""
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    try:
        done = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True)
        names = done.stdout.splitlines() if done.returncode == 0 else []
    except FileNotFoundError:
        names = []
    ignored = [".git", *(ROOT / ".gitignore").read_text().replace("/\n", "\n").split()]
    paths = [ROOT / name for name in names] or [
        path
        for path in ROOT.rglob("*")
        if not any(fnmatch(part, i) for part in path.relative_to(ROOT).parts for i in ignored)
    ]
    return [path for path in paths if path.is_file()]


def assert_silent(*command: object) -> None:
    done = subprocess.run(list(map(str, command)), cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_python_follows_ruff():
    assert_silent(sys.executable, "-m", "ruff", "check", "--no-cache", ".")


def test_python_is_formatted():
    assert_silent(sys.executable, "-m", "ruff", "format", "--no-cache", "--check", ".")


def test_cpp_is_formatted_as_ns3_is():
    sources = [path for path in tracked_files() if path.suffix in (".cc", ".h")]
    assert_silent(Path(sys.executable).with_name("clang-format"), "--dry-run", "-Werror", *sources)


def test_every_source_file_opens_with_its_licence():
    # The locks open as the tool that makes them has it.
    kinds = {".cc", ".h", ".py", ".toml"}
    sources = [path for path in tracked_files() if path.suffix in kinds]
    sources += [ROOT / name for name in ("waf", "wscript", ".ci/run")]
    assert len(sources) > 10
    unlicensed = [
        str(path.relative_to(ROOT))
        for path in sources
        if "SPDX-License-Identifier: GPL-2.0-only" not in path.read_text()[:200]
    ]
    assert unlicensed == []


def test_no_file_names_a_machine():
    # A folder that only the author has: somebody's home, or a temporary one.
    private = re.compile(r"(?<![\w.}])/(?:home|root|work|tmp)/\w|\.\./shared")
    found = []
    for path in tracked_files():
        try:
            lines = path.read_text().splitlines()
        except UnicodeDecodeError:
            continue  # a picture
        found += [f"{path.relative_to(ROOT)}: {line}" for line in lines if private.search(line)]
    assert found == []
