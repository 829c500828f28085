# SPDX-License-Identifier: GPL-2.0-only
"""Mutants of the Python rooms: which of them the tests catch that stand next to each module.

    .venv/bin/python -m tests.python_mutants draw   # 40 into python_mutants.tsv
    .venv/bin/python -m tests.python_mutants run    # tries each on a copy of what is committed, or
                                                    # those whose numbers follow

Not part of the tests: it runs whole test files for each. `./waf build` comes first.
"""

import ast
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.model.connection import mutants
from tests.model.connection.mutants import ROOT

PACKAGE = Path("analysis/study")
LIST = Path(__file__).with_suffix(".tsv")
SWAPS = {old.strip("( "): new.strip("( ") for old, new in mutants.SWAPS.items()}
SWAPS |= {"and": "or", "or": "and"}
DRAWN = "tests/figures/test_figures.py::"
DRAWN += "test_a_figure_says_its_point_in_a_sentence_over_it_of_jobs_that_finished"
TIME_LIMIT_S = 600  # of one file of tests, beside other work
MOST_FILES = 8  # of tests of other rooms


def candidates(text: str) -> Iterator[tuple[str, str]]:
    """Lines of a module and what becomes of each: another operator or number, or a call or a
    change of something that is left out."""
    lines = text.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        new = SWAPS.get(token.string)
        if token.type == tokenize.NUMBER and re.fullmatch("[1-9][0-9]*", token.string):
            new = str(int(token.string) + 1)
        if new and token.type in (tokenize.NUMBER, tokenize.NAME, tokenize.OP):
            (row, start), (_, end) = token.start, token.end
            line = lines[row - 1]
            yield line, line[:start] + new + line[end:]
    for node in ast.walk(ast.parse(text)):
        call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        change = isinstance(node, ast.AugAssign) or (
            isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute)
        )
        if (call or change) and node.lineno == node.end_lineno and node.col_offset:
            line = lines[node.lineno - 1]
            yield line, line[: node.col_offset] + "pass"


def draw() -> None:
    """Draw the list over all rooms. A row whose line is still in its module stays, the first."""
    pool = []
    for file in sorted((ROOT / PACKAGE).rglob("*.py")):
        text, name = file.read_text(), str(file.relative_to(ROOT / PACKAGE))
        pool += [(name, *each) for each in candidates(text) if text.count(each[0]) == 1]
    old = [tuple(line.split("\t")) for line in LIST.read_text().splitlines()]
    mutants.write(LIST, [row for row in old if row in pool], pool)


def near(module: Path) -> list[str]:
    """The files of tests next to a module, the nearest and shortest first: those that are called
    like it or name it, those of its room, and a few of others, which name a module that imports it,
    or its room. Of a figure it is the test that draws it, and files that name it."""
    if module.parts[0] == "figures":
        name = module.stem.replace("_", "-")
        beside = sorted((ROOT / "tests/figures").glob("test_*.py"))
        naming_it = [each for each in beside if f'"{name}"' in each.read_text()]
        return [f"{DRAWN}[{name}]", *(str(each.relative_to(ROOT)) for each in naming_it)]
    *rooms, stem = module.with_suffix("").parts
    called = (rooms or ["study"])[-1] if stem == "__init__" else stem
    folder = ROOT / "tests" / (rooms or [""])[-1].replace("_", "-")
    names, room = naming(module), ".".join(["study", *rooms])
    package = ROOT / PACKAGE
    users = [each for each in package.rglob("*.py") if names.search(each.read_text())]
    by_users = [naming(each.relative_to(package)) for each in users]
    ranked = []
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        text = file.read_text()
        if file.stem == f"test_{called}" or names.search(text):
            rank = 0
        elif rooms and file.is_relative_to(folder):
            rank = 1
        elif any(each.search(text) for each in by_users):
            rank = 2
        elif f"{room}." in text or f"from {room} import" in text:
            rank = 3
        else:
            continue
        ranked.append((rank, "browser" in text, len(text), str(file.relative_to(ROOT))))
    own = sum(rank < 2 for rank, *_ in ranked)
    return [file for *_, file in sorted(ranked)[: own + MOST_FILES]]


def naming(module: Path) -> re.Pattern[str]:
    """What finds the name of a module in a file that imports it or something of it."""
    *rooms, stem = module.with_suffix("").parts
    room = re.escape(".".join(["study", *rooms]))
    if stem == "__init__":
        return re.compile(rf"{room}\b")
    return re.compile(rf"{room}\.{stem}\b|from {room} import (\([^)]*?|[^(\n]*?)\b{stem}\b")


class Copy:
    """A clone of the project, with what is built, in which a module is changed."""

    def __init__(self, folder: Path):
        self.folder = folder
        subprocess.run(["git", "clone", "--quiet", ROOT, folder], check=True)
        shutil.copytree(ROOT / "build", folder / "build", symlinks=True)
        self.whole = cache(self._passes)  # of a file of tests, without any mutant

    def passes(self, sources: list[Path]) -> bool:
        """Whether each file next to the changed module passes, of those that do without it."""
        (source,) = sources
        changed = source.read_text()
        for file in near(source.relative_to(self.folder / PACKAGE)):
            if self._passes(file):
                continue
            source.write_text(self._committed(source))
            whole = self.whole(file)
            source.write_text(changed)
            if whole:
                print(f"   {file}", end=" ")
                return False
        return True

    def compile(self, source: Path) -> bool:
        """Python has nothing to do here."""
        return True

    def _committed(self, source: Path) -> str:
        name = str(source.relative_to(self.folder))
        show = ["git", "-C", self.folder, "show", f"HEAD:{name}"]
        return subprocess.run(show, capture_output=True, check=True, text=True).stdout

    def _passes(self, file: str) -> bool:
        command = [sys.executable, "-B", "-m", "pytest", "-q", "-x", "-n0", "-pno:cacheprovider"]
        environment = os.environ | {"PYTHONPATH": str(self.folder / "analysis")}
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        try:
            done = subprocess.run(
                [*command, file], cwd=self.folder, env=environment, timeout=TIME_LIMIT_S, **quiet
            )
        except subprocess.TimeoutExpired:
            return False
        return done.returncode in (0, 5)  # all passed, or none is for this machine


def run(chosen: list[int]) -> int:
    """Try the list on a copy."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder) / "study")
        return mutants.tried(LIST, chosen, copy.folder / PACKAGE, copy, may_survive=4)


if __name__ == "__main__":
    mutants.main(__doc__, draw, run)
