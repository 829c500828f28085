# SPDX-License-Identifier: GPL-2.0-only
"""The smallest program that shows what ns-3 does after a lost retransmission, and the correction.

When the first part fails, ns-3 has mended it: docs/reference/tcp-corrections.md says what to drop.
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
