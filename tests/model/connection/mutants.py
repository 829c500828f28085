# SPDX-License-Identifier: GPL-2.0-only
"""Mutants of scenarios/model/connection: which of them the tests beside this file catch.

    python tests/model/connection/mutants.py draw   # 40 into mutants.tsv
    python tests/model/connection/mutants.py run    # builds and runs the tests with each, or
                                                    # with those whose numbers follow

Not part of the tests: it compiles for some minutes. `./waf build` comes first.
"""

import contextlib
import os
import random
import re
import runpy
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
ROOM, TESTS = Path("scenarios/model/connection"), Path("tests/model/connection")
LIST = ROOT / TESTS / "mutants.tsv"
HOW_MANY, SEED, TIME_LIMIT_S = 40, 28, 20

# What must be among them: rules of which mutants once survived.
ASKED = [
    ("ack-policy.cc", "constexpr uint32_t BSD_PERCENTAGE = 35;", "= 35", "= 45"),
    ("ack-policy.cc", "std::min(m_mss, view.buffer / 2)", "buffer / 2", "buffer / 4"),
    ("ack-policy.cc", "else if (m_quickAcks > 0)", "m_quickAcks > 0", "m_quickAcks > 1"),
    ("loss-timers.cc", "constexpr int64_t REORDERING_PART = 4;", "= 4", "= 2"),
]
SWAPS = {" < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > ", " == ": " != ", " != ": " == "}
SWAPS |= {" && ": " || ", " || ": " && ", " + ": " - ", " - ": " + "}
SWAPS |= {"min(": "max(", "max(": "min("}
STATEMENT = re.compile(
    r"^\s+(?:[\w.\->\[\]*]+ [-+|]?= .*|[\w.\->:]+\(.*\)|(?:--|\+\+)\w+);(?: *//.*)?$"
)
NUMBER = re.compile(r"(?<![\w.\"'])([1-9]\d*)(?=[a-z]{0,2}\b)(?!\.)")


def candidates(text: str) -> Iterator[tuple[str, str]]:
    """Lines of a source and what becomes of each."""
    for line in text.splitlines():
        code = line.split("//")[0]
        if code.lstrip().startswith(("*", "/*", "#", "static_assert", "template")):
            continue
        for old, new in SWAPS.items():
            if old in code:
                yield line, line.replace(old, new, 1)
        for match in NUMBER.finditer(code):
            value = int(match[1]) + 1
            yield line, line[: match.start(1)] + str(value) + line[match.end(1) :]
        if STATEMENT.match(line) and not code.lstrip().startswith(("const ", "return")):
            yield line, ""


def draw() -> None:
    """Draw the list: those that are asked for, and others at random."""
    rows, pool = [], []
    for name, holds, old, new in ASKED:
        lines = (ROOT / ROOM / name).read_text().splitlines()
        line = next(each for each in lines if holds in each)
        rows.append((name, line, line.replace(old, new)))
    for file in sorted((ROOT / ROOM).glob("*.cc")):
        text = file.read_text()
        # A line that stands twice would be changed in the first place only.
        pool += [(file.name, *each) for each in candidates(text) if text.count(each[0]) == 1]
    write(LIST, rows, pool)


def write(file: Path, rows: list[tuple[str, str, str]], pool: list[tuple[str, str, str]]) -> None:
    """Write a list: these rows, and others of a pool at random, at most one a line."""
    random.Random(SEED).shuffle(pool)
    for row in pool:
        if len(rows) < HOW_MANY and row[:2] not in [each[:2] for each in rows]:
            rows.append(row)
    file.write_text("".join("\t".join(row) + "\n" for row in rows))


def run(chosen: list[int]) -> int:
    """Build the room once, then try the list."""
    with tempfile.TemporaryDirectory() as folder:
        build = Build(Path(folder))
        if not build.passes(list((ROOT / ROOM).glob("*.cc"))):
            sys.exit("the tests fail without any mutant")
        return tried(LIST, chosen, build.folder / ROOM, build)


def tried(file: Path, chosen: list[int], sources: Path, build: Any, may_survive: int = 3) -> int:
    """Say of each mutant whether it is caught. Returns 1 if more survive than may."""
    rows = [line.split("\t") for line in file.read_text().splitlines()]
    survivors = 0
    for place, (name, old, new) in enumerate(rows, 1):
        if chosen and place not in chosen:
            continue
        source = sources / name
        text = source.read_text()
        if old not in text:
            print(f"{place:2} stale     {name}: {old.strip()}", flush=True)
            continue
        source.write_text(text.replace(old, new, 1))
        survives = build.passes([source])
        survivors += survives
        word = "SURVIVED" if survives else "caught  "
        print(f"{place:2} {word}  {name}: {old.strip()}  =>  {new.strip()}", flush=True)
        source.write_text(text)
        build.compile(source)
    print(f"{len(chosen or rows)} mutants, {survivors} survived")
    return int(survivors > may_survive)


def main(usage: str, draw: Callable[[], None], run: Callable[[list[int]], int]) -> None:
    """Do what the command line says."""
    word, *numbers = sys.argv[1:] or [""]
    if word not in ("draw", "run"):
        sys.exit(usage)
    sys.exit(draw() if word == "draw" else run([int(each) for each in numbers]))


class Build:
    """A copy of the room and its tests as one program."""

    def __init__(self, folder: Path):
        self.folder = folder
        for part in (ROOM, TESTS):
            shutil.copytree(ROOT / part, folder / part)
        for file in ("suite.h", "cpp-suites.cc"):
            shutil.copy(ROOT / "tests" / file, folder / "tests" / file)
        known = runpy.run_path(str(ROOT / "build/c4che/_cache.py"))
        self.compiler = [*known["CXX"], "-std=c++20", "-O0", *known["CXXFLAGS_NS3"]]
        self.compiler += [f"-D{each}" for each in known["DEFINES_NS3"]]
        self.compiler += [f"-I{folder}", f"-I{folder / 'scenarios'}"]
        core = [each for each in known["LIB_NS3"] if each.endswith("-core")]
        self.libraries = [f"-l{each}" for each in core]
        for where in known["LIBPATH_NS3"]:
            self.libraries += [f"-L{where}", f"-Wl,-rpath,{where}"]
        for source in [*(folder / TESTS).glob("*.cc"), folder / "tests/cpp-suites.cc"]:
            self.compile(source)

    def compile(self, source: Path) -> bool:
        """Compile one source; whether it can be."""
        made = self.folder / f"{source.stem}.o"
        done = subprocess.run([*self.compiler, "-c", source, "-o", made], stderr=subprocess.DEVNULL)
        return done.returncode == 0

    def passes(self, sources: list[Path]) -> bool:
        """Whether all tests pass after these sources are compiled anew."""
        if not all(self.compile(self.folder / ROOM / each.name) for each in sources):
            return False
        program = self.folder / "tests-of-the-room"
        objects = sorted(self.folder.glob("*.o"))
        subprocess.run([self.compiler[0], *objects, "-o", program, *self.libraries], check=True)
        quiet = subprocess.DEVNULL
        # A process group of its own: the program runs each suite in a child.
        running = subprocess.Popen([program], stdout=quiet, stderr=quiet, start_new_session=True)
        try:
            return running.wait(TIME_LIMIT_S) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)
            running.wait()


if __name__ == "__main__":
    main(__doc__, draw, run)
