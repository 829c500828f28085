# SPDX-License-Identifier: GPL-2.0-only
"""The smallest programs that show what ns-3 does, and the corrections.

When a part of them fails, ns-3 has mended it: docs/reference/tcp-corrections.md says what to drop.
"""

import re
import subprocess
from pathlib import Path


def test_the_program_shows_what_the_page_says(program: Path):
    done = subprocess.run([program.parent / "stock-recovery"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    again = dict(re.findall(r"^(.+): 2 lost, (\d+) sent again", done.stdout, re.M))
    assert int(again["ns-3"]) > 50
    assert int(again["corrected"]) <= 3
    page = Path("docs/reference/tcp-corrections.md").read_text()
    for line in done.stdout.splitlines():
        assert line in page


def test_the_controls_are_what_the_page_says(program: Path):
    done = subprocess.run([program.parent / "stock-controls"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    train = {
        who: float(ms) for who, ms in re.findall(r"^(.+): slow.* \+(.+)ms$", done.stdout, re.M)
    }
    assert 20 < train["here"] < 22 < 40 < train["ns-3"]
    sent = {who: int(n) for who, n in re.findall(r"^(.+): (\d+) segments sent", done.stdout, re.M)}
    assert sent == {"ns-3": 40, "here": 20}  # where the window is to be halved
    page = Path("docs/reference/tcp-corrections.md").read_text()
    for line in done.stdout.splitlines():
        assert line in page
