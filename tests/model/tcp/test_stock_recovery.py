# SPDX-License-Identifier: GPL-2.0-only
"""The smallest programs that show what ns-3 does, and the corrections.

When a part of them fails, ns-3 has fixed it: docs/reference/tcp-corrections.md says what to drop.
"""

import re
import subprocess
from pathlib import Path


def said(program: Path, name: str) -> str:
    done = subprocess.run([program.parent / name], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    page = Path("docs/reference/tcp-corrections.md").read_text()
    assert all(line in page for line in done.stdout.splitlines())
    return done.stdout


def test_the_program_shows_what_the_page_says(program: Path):
    again = dict(
        re.findall(r"^(.+): 2 lost, (\d+) sent again", said(program, "stock-recovery"), re.M)
    )
    assert int(again["ns-3"]) > 50
    assert int(again["corrected"]) <= 3


def test_the_controls_are_what_the_page_says(program: Path):
    text = said(program, "stock-controls")
    train = {who: float(ms) for who, ms in re.findall(r"^(.+): slow.* \+(.+)ms$", text, re.M)}
    assert 20 < train["here"] < 22 < 40 < train["ns-3"]
    sent = {who: int(n) for who, n in re.findall(r"^(.+): (\d+) segments sent", text, re.M)}
    assert sent == {"ns-3": 40, "here": 20}  # where the window is to be halved
