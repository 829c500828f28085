# SPDX-License-Identifier: GPL-2.0-only
"""`./waf contrib`: models and their tests as contrib/slow-transfer, for ns-3's own build."""

import re
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

import set_up
from set_up import ROOT

NAME = "slow-transfer"
MADE_BY = "# Made by ./waf contrib"  # first line of a CMakeLists.txt that may be replaced
# Headers that an ns-3 user includes; those that they need are added. None depends on a program.
PUBLIC = (
    "model/clocks/exchange-clock.h",
    "model/ethernet/ethernet-link.h",
    "model/frame-relay/frame-relay-channel.h",
    "model/frame-relay/frame-relay-net-device.h",
    "model/frame-relay/frame-relay-switch.h",
    "model/machine/device-processor.h",
    "model/machine/disk.h",
    "model/machine/ethernet-driver.h",
    "model/path/path-direction.h",
    "model/records/interface-tap.h",
    "model/records/segment-log.h",
    "model/tcp/configured-tcp-factory.h",
    "model/tcp/connection-socket.h",
    "model/tcp/device-tcp.h",
    "model/tcp/host-tcp.h",
    "model/tcp/socket-writer.h",
)
PROGRAMS = "scenarios/model/program"
# Folders for files; the first match applies.
PLACES = {
    "scenarios/model/ethernet": "helper",
    "scenarios/model": "model",
    "tests/model": "test",
    "tests": "test",
}
INCLUDE = re.compile(r'^#include "(?!ns3/)([^"]+)"', re.MULTILINE)
TYPE = re.compile(r'"ns3::study::(\w+)"')  # an object made by its type's name
LIST = re.compile(r"@(\w+)@")


def make(to: str | None) -> None:
    """Write DIR/contrib/slow-transfer anew."""
    if not to:
        set_up.stop("contrib: give the folder of ns-3's source, --to=DIR")
    folder = Path(to).expanduser() / "contrib" / NAME
    made = folder / "CMakeLists.txt"
    if folder.exists() and not (made.is_file() and made.read_text().startswith(MADE_BY)):
        set_up.stop(f"contrib: {folder} was not made by ./waf contrib; remove it, or give another")
    shutil.rmtree(folder, ignore_errors=True)
    models = module()
    tests = tests_of(models)
    for file in [*models, *tests]:
        _write(folder / place(file), _with_places(file))
    for file in (ROOT / "tests/model").rglob("scripts/*"):
        _write(folder / place(file), _text(file))
    _write(folder / "doc" / f"{NAME}.rst", _text(ROOT / "waf-tools/contrib" / f"{NAME}.rst"))
    lists = {
        "name": [NAME],
        "sources": _named(models, ".cc"),
        "headers": sorted(place(ROOT / "scenarios" / name) for name in PUBLIC),
        "tests": _named(tests, ".cc"),
    }
    text = _text(ROOT / "waf-tools/contrib/CMakeLists.txt")
    _write(made, LIST.sub(lambda match: "\n    ".join(lists[match[1]]), text))
    set_up.say(f"{folder}: {len(models)} files of models, {len(tests)} of tests")


def module() -> list[Path]:
    """Return the models' files: public headers, headers that these include, and all their
    sources."""
    sources = sorted((ROOT / "scenarios/model").rglob("*.cc"))
    files = closure([ROOT / "scenarios" / name for name in PUBLIC], sources)
    programs = {file for file in files if file.is_relative_to(ROOT / PROGRAMS)}
    for file in sorted(files - programs):
        if programs.intersection(included(file)):
            set_up.stop(f"contrib: {file.relative_to(ROOT)} includes a file of the programs")
    return sorted(files)


def tests_of(models: Iterable[Path]) -> list[Path]:
    """Return the C++ tests that need only the models, with their shared files."""
    sources = sorted((ROOT / "tests/model").rglob("*.cc"))
    tests = [each for each in sources if each.stem.endswith("-test")]
    shared = [each for each in sources if each not in tests]
    known = {name for model in models for name in TYPE.findall(_text(model))}
    found: set[Path] = set()
    for test in tests:
        needs = closure([test], shared) - set(models)
        types = {name for each in needs for name in TYPE.findall(_text(each))}
        if test.parent.name != "program" and all(map(_is_test, needs)) and types <= known:
            found |= needs
    return sorted(found)


def _is_test(file: Path) -> bool:
    return file.is_relative_to(ROOT / "tests")


def closure(roots: Iterable[Path], sources: Sequence[Path]) -> set[Path]:
    """Return the roots, all files that they include, and the sources of these headers: one with a
    header's name, or one without its own header that includes no other header."""
    todo, files = list(roots), set()
    while todo:
        file = todo.pop()
        if file not in files:
            files.add(file)
            todo += included(file)
        if not todo:
            todo = [each for each in sources if each not in files and _is_of(each, files)]
    return files


def _is_of(source: Path, headers: set[Path]) -> bool:
    own = source.with_suffix(".h")
    needs = [own] if own.is_file() else included(source)
    return bool(needs) and headers.issuperset(needs)


def included(file: Path) -> list[Path]:
    """Return the project's files that a file includes, in its order."""
    return [_resolved(file, name) for name in INCLUDE.findall(_text(file))]


def place(file: Path) -> str:
    """Return a file's path in the module."""
    name = str(file.relative_to(ROOT))
    old, new = next((old, new) for old, new in PLACES.items() if name.startswith(f"{old}/"))
    return new + name.removeprefix(old)


def _with_places(file: Path) -> str:
    def include(match: re.Match) -> str:
        return f'#include "{place(_resolved(file, match[1]))}"'

    return INCLUDE.sub(include, _text(file))


def _resolved(file: Path, name: str) -> Path:
    for folder in (file.parent, ROOT / "scenarios", ROOT):
        if (folder / name).is_file():
            return folder / name
    raise FileNotFoundError(f"{file}: {name}")


def _named(files: Iterable[Path], suffix: str) -> list[str]:
    return sorted(place(file) for file in files if file.suffix == suffix)


def _text(file: Path) -> str:
    return file.read_text()


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
