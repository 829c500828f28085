# SPDX-License-Identifier: GPL-2.0-only
"""The tests of docs/upstream, which the ns-3 in use is expected to fail.

One that passes here shows that ns-3 has fixed the bug: its report, and the row of
docs/reference/tcp-corrections.md, can go.
"""

import subprocess
from pathlib import Path

import pytest

FOLDER = Path("docs/upstream")
REPORTS = sorted(each.stem for each in FOLDER.glob("*.md") if each.stem != "index")
CRASHES = "probe-with-nothing-to-send"


@pytest.mark.parametrize("name", REPORTS)
def test_stock_ns3_fails_as_the_report_says(program: Path, name: str):
    """Of its own condition, not for another reason: the line is the report's."""
    command = [program.parent / name, f"--suite=tcp-{name}", "--verbose"]
    done = subprocess.run(command, capture_output=True, text=True)
    report = (FOLDER / f"{name}.md").read_text()
    if name == CRASHES:
        assert done.returncode < 0 and "Segmentation fault" in report
        return
    assert done.returncode == 1, done.stderr
    failed = [line.strip() for line in done.stdout.splitlines() if "actual=" in line]
    assert failed, done.stdout
    assert failed[0].partition(" in=")[0] in report


def test_each_report_has_its_program_and_is_listed():
    index = (FOLDER / "index.md").read_text()
    assert REPORTS and {each.stem for each in FOLDER.glob("*.cc")} == set(REPORTS)
    corrections = Path("docs/reference/tcp-corrections.md").read_text()
    for name in REPORTS:
        assert f"{name}.md" in index and f"../upstream/{name}.md" in corrections
        source = (FOLDER / f"{name}.cc").read_text()
        assert "study" not in source, "nothing of this project"
