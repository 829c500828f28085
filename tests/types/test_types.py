# SPDX-License-Identifier: GPL-2.0-only
"""Types of the pages' modules, by TypeScript's checker: what a module imports is exported, what it
calls takes these arguments, what it reads of a class is there."""

import shutil
import subprocess
from pathlib import Path

import pytest
from study.base.project import BUILD, ROOT

from tests.front.scripts import NODE

NPM = shutil.which("npm")
OWN = Path(__file__).parent
PACKAGE, LOCK = "package.json", "package-lock.json"
WRONG = """import { fixed, nothing } from "%s";
fixed("2.5", 1);
"""

pytestmark = pytest.mark.skipif(not (NODE and NPM), reason="there is no npm")


@pytest.fixture(scope="module")
def checker() -> Path:
    """TypeScript as the lock pins it, fetched once."""
    folder = BUILD / "types"
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / "node_modules" / "typescript" / "bin" / "tsc"
    lock = (OWN / LOCK).read_text()
    if not made.is_file() or (folder / LOCK).read_text() != lock:
        for name in (PACKAGE, LOCK):
            shutil.copy(OWN / name, folder)
        fetch = [NPM, "ci", "--prefix", folder, "--no-audit", "--no-fund"]
        fetched = subprocess.run(fetch, capture_output=True, text=True)
        if fetched.returncode:
            pytest.skip(f"npm cannot fetch TypeScript: {fetched.stderr.strip()[-300:]}")
    return made


def wrong(checker: Path, project: Path) -> list[str]:
    done = subprocess.run([NODE, checker, "-p", project], capture_output=True, text=True)
    return done.stdout.splitlines()


def test_the_modules_keep_their_types(checker: Path):
    assert wrong(checker, OWN) == []


def test_a_mistake_is_named(checker: Path, tmp_path: Path):
    (tmp_path / "wrong.js").write_text(WRONG % (ROOT / "analysis/study/front/small.js"))
    config = f'{{"extends": "{OWN}/tsconfig.json", "include": ["wrong.js", "{OWN}/page.d.ts"]}}'
    (tmp_path / "tsconfig.json").write_text(config)
    said = "\n".join(wrong(checker, tmp_path))
    assert "has no exported member 'nothing'" in said
    assert "Argument of type 'string' is not assignable to parameter of type 'number'" in said
