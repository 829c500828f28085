# SPDX-License-Identifier: GPL-2.0-only
"""Paths of the project's folders, and writing of files that are either whole or unchanged."""

import contextlib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from study.base.errors import StudyError, why

_PACKAGE = Path(__file__).parents[1]
IN_PROJECT = (_PACKAGE.parents[1] / "wscript").is_file()
# An installed wheel has the project's files that it reads in folders of the same names.
ROOT = _PACKAGE.parents[1] if IN_PROJECT else _PACKAGE / "home"
if not ROOT.is_dir():
    raise StudyError(
        "this study was installed without its programs and systems: in the study's own folder,"
        " ./waf build sets it up; another environment takes it by pip install --editable FOLDER,"
        " or the wheel that ./waf release makes"
    )
PROGRAMS = ROOT / "build"
MODULE = PROGRAMS / "study.wasm"  # all programs in one, in a wheel for any machine
# Default folder of output files.
BUILD = PROGRAMS if IN_PROJECT else Path.cwd() / "study-output"
SYSTEMS = ROOT / "scenarios" / "systems"
GENERIC = ROOT / "scenarios" / "generic"
HOSTS = ROOT / "scenarios" / "hosts"
RESULTS = ROOT / "results"
FIGURES = RESULTS / "figures"
README = ROOT / "README.md"
# Endings of file names. A folder with one of them is a mistake.
SUFFIXES = (".csv", ".eps", ".gif", ".html", ".ipynb", ".jpeg", ".jpg", ".json", ".md", ".parquet")
SUFFIXES += (".pcap", ".pdf", ".pgf", ".png", ".svg", ".tex", ".toml", ".txt", ".zip")
CAPTURE = re.compile(r"\.(pcap|pcapng|cap)(\.gz)?$")  # the end of a capture's file name


def shown(path: Path) -> str:
    """Return a path as a user would type it: relative if it is below the current folder, else
    unchanged. The project's own paths are absolute."""
    absolute, here = Path(os.path.abspath(path)), Path.cwd()
    return str(absolute.relative_to(here) if absolute.is_relative_to(here) else path)


def in_project(path: Path) -> str:
    """Return a path relative to the project's folder, with slashes, as its documents write it."""
    return path.relative_to(ROOT).as_posix()


def scenario_program(scenario: str) -> Path:
    """Return the program built from scenarios/NAME/NAME.cc, or the WebAssembly module with all
    programs. Raise StudyError if neither is built."""
    program = PROGRAMS / scenario
    if not program.is_file():
        if MODULE.is_file():
            return MODULE
        raise StudyError(f"there is no program build/{scenario}: run ./waf build")
    return program


def user_cache() -> Path:
    """Return the cache folder of an installed wheel."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "slow-transfer-study")


def check_in_project(what: str) -> None:
    """Raise StudyError in an installed wheel, which can neither build nor measure `what`."""
    if not IN_PROJECT:
        raise StudyError(f"{what} is only in the project's own folder, not in a wheel")


def program_built_now(name: str, needs: str = "") -> Path:
    """Return the path of a program that `./waf reproduce` does not need. If it is missing, build it
    and show progress. Raise StudyError if it cannot be built, as in an installed wheel."""
    program = PROGRAMS / name
    if program.is_file():
        return program
    check_in_project(f"build/{name}")
    print(f"there is no program build/{name} yet; ./waf build makes it:", file=sys.stderr)
    done = subprocess.run([ROOT / "waf", "build"], cwd=ROOT, stdout=sys.stderr)
    if done.returncode or not program.is_file():
        raise StudyError(f"build/{name} could not be built{needs}; ./waf build says why")
    return program


def scenarios() -> list[str]:
    """Return the names of all scenarios: folders with a C++ source file of the same name."""
    return sorted(
        path.stem for path in (ROOT / "scenarios").glob("*/*.cc") if path.stem == path.parent.name
    )


def read_text(path: Path) -> str:
    """Return a file's text, or raise StudyError."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise StudyError(f"cannot read {shown(path)}: {why(error)}") from error


def read_bounded(path: Path, most_B: int) -> bytes:
    """Return a file's content; raise StudyError if it is larger than `most_B` bytes."""
    with path.open("rb") as file:
        content = file.read(most_B + 1)
    if len(content) > most_B:
        raise StudyError(f"cannot read {shown(path)}: it is larger than {most_B:,} B")
    return content


def check_no_device(path: Path) -> None:
    """Raise StudyError for a device such as /dev/zero, which has no end. A missing file passes."""
    if path.is_char_device() or path.is_block_device():
        raise StudyError(f"cannot read {shown(path)}: it is a device; give a file")


def check_writable(path: Path) -> None:
    """Raise StudyError before a run if its output file could not be written after it."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise StudyError(f"cannot write {path}: it is a folder; give the name of a file")
    if not target.parent.is_dir():
        raise StudyError(f"cannot write {path}: there is no folder {path.parent}")
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise StudyError(f"cannot write {path}: permission denied")


def check_folder(folder: Path) -> None:
    """Raise StudyError before the work if its output folder could not be made or written into."""
    if folder.suffix in SUFFIXES and not folder.is_dir():
        raise StudyError(f"{folder} is the name of a file, and several are written: give a folder")
    existing = Path(os.path.abspath(folder))
    while not existing.exists():
        existing = existing.parent
    if not existing.is_dir():
        raise StudyError(f"cannot write into {folder}: {shown(existing)} is a file, not a folder")
    if not os.access(existing, os.W_OK):
        raise StudyError(f"cannot write into {folder}: permission denied")


def write_whole(contents: Mapping[Path, bytes]) -> None:
    """Write all files or none: write each to a temporary file beside its target, then rename."""
    staged: dict[Path, Path] = {}
    path = None
    try:
        for path, data in contents.items():
            target = Path(os.path.realpath(path))
            if target.exists() and not target.is_file():
                target.write_bytes(data)  # a device such as /dev/stdout, never replaced
                continue
            staged[target] = _write_beside(target, data)
        for path, temporary in staged.items():
            os.replace(temporary, path)
    except OSError as error:
        raise StudyError(f"cannot write {shown(path)}: {why(error)}") from error
    finally:
        for temporary in staged.values():
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)


def in_place(made: Mapping[Path, Path]) -> None:
    """Rename finished temporary files to their targets on the same disk."""
    path = None
    try:
        for path, temporary in made.items():
            target = Path(os.path.realpath(path))
            os.chmod(temporary, _mode(target))
            os.replace(temporary, target)
    except OSError as error:
        raise StudyError(f"cannot write {shown(path)}: {why(error)}") from error


def _mode(target: Path) -> int:
    return target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()


def _write_beside(target: Path, data: bytes) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.chmod(name, _mode(target))
    except BaseException:
        os.unlink(name)
        raise
    return Path(name)


def _umask() -> int:
    value = os.umask(0)
    os.umask(value)
    return value
