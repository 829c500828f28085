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
# An installed wheel carries what it reads of the project, in folders of the same names.
ROOT = _PACKAGE.parents[1] if IN_PROJECT else _PACKAGE / "home"
if not ROOT.is_dir():
    raise StudyError(
        "this study was installed without its programs and systems: in the study's own folder,"
        " ./waf build sets it up; another environment takes it by pip install --editable FOLDER,"
        " or the wheel that ./waf release makes"
    )
PROGRAMS = ROOT / "build"
MODULE = PROGRAMS / "study.wasm"  # all programs in one, in a wheel for any machine
# What is made where no file was named.
BUILD = PROGRAMS if IN_PROJECT else Path.cwd() / "study-output"
SYSTEMS = ROOT / "scenarios" / "systems"
GENERIC = ROOT / "scenarios" / "generic"
HOSTS = ROOT / "scenarios" / "hosts"
RESULTS = ROOT / "results"
FIGURES = RESULTS / "figures"
README = ROOT / "README.md"
# What a file's name ends in, and a folder's by mistake.
SUFFIXES = (".csv", ".eps", ".gif", ".html", ".ipynb", ".jpeg", ".jpg", ".json", ".md", ".parquet")
SUFFIXES += (".pcap", ".pdf", ".pgf", ".png", ".svg", ".tex", ".toml", ".txt", ".zip")
CAPTURE = re.compile(r"\.(pcap|pcapng|cap)(\.gz)?$")  # what a capture's name ends in


def shown(path: Path) -> str:
    """The path as a user at a terminal would type it: from the current folder where it is below
    that, and else as it is, which the project's own paths are in full."""
    absolute, here = Path(os.path.abspath(path)), Path.cwd()
    return str(absolute.relative_to(here) if absolute.is_relative_to(here) else path)


def in_project(path: Path) -> str:
    """The path as a document of the project names it, wherever that is made."""
    return path.relative_to(ROOT).as_posix()


def scenario_program(scenario: str) -> Path:
    """The program that the build made of scenarios/NAME/NAME.cc, or the module that has it."""
    program = PROGRAMS / scenario
    if not program.is_file():
        if MODULE.is_file():
            return MODULE
        raise StudyError(f"there is no program build/{scenario}: run ./waf build")
    return program


def user_cache() -> Path:
    """Where an installed wheel keeps what it has made."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "slow-transfer-study")


def check_in_project(what: str) -> None:
    """Raise in an installed wheel, which neither builds nor measures."""
    if not IN_PROJECT:
        raise StudyError(f"{what} is only in the project's own folder, not in a wheel")


def program_built_now(name: str, needs: str = "") -> Path:
    """Return a program that `./waf reproduce` does not need. Where it is missing it is built, with
    progress; an installed wheel cannot build it."""
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
    """The names of all scenarios: a folder each, with a source file of its name."""
    return sorted(
        path.stem for path in (ROOT / "scenarios").glob("*/*.cc") if path.stem == path.parent.name
    )


def read_text(path: Path) -> str:
    """A file's text."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise StudyError(f"cannot read {shown(path)}: {why(error)}") from error


def read_bounded(path: Path, most_B: int) -> bytes:
    """Return the content of a file that has no reason to be larger than that."""
    with path.open("rb") as file:
        content = file.read(most_B + 1)
    if len(content) > most_B:
        raise StudyError(f"cannot read {shown(path)}: it is larger than {most_B:,} B")
    return content


def check_no_device(path: Path) -> None:
    """Raise for a device: one such as /dev/zero has no end. What is not there raises later."""
    if path.is_char_device() or path.is_block_device():
        raise StudyError(f"cannot read {shown(path)}: it is a device; give a file")


def check_writable(path: Path) -> None:
    """Raise before a run what writing the file after it would raise."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise StudyError(f"cannot write {path}: it is a folder; give the name of a file")
    if not target.parent.is_dir():
        raise StudyError(f"cannot write {path}: there is no folder {path.parent}")
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise StudyError(f"cannot write {path}: permission denied")


def check_folder(folder: Path) -> None:
    """Raise before the work what making files in this folder, or making it, would raise after."""
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
    """Write all the files or none: each goes beside its target first, and only then into place."""
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
    """Put files that were made on the same disk where they belong."""
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
