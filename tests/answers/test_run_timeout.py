# SPDX-License-Identifier: GPL-2.0-only
"""A single run that takes long: it shows that it runs, and ends at its time limit."""

import os
import pty
import subprocess
import sys
import termios

import pytest
from conftest import Project

from tests.waiting import HANG_S

LONG = {
    "a command of 16 MiB": ["telnet-xp", "--command-text", "16777216", "--no-fast-forward"],
    "segments of a byte": ["hawking-hps1u", "--mss", "1", "--no-fast-forward"],
}


@pytest.mark.parametrize("arguments", LONG.values(), ids=LONG.keys())
def test_a_run_that_takes_longer_than_its_time_limit_is_ended(program, arguments, refused):
    said = refused("run", *arguments, "--timeout", "0.3")
    assert said == "study: it took more than 0.3 CPU seconds, the --timeout\n"


def test_a_time_limit_of_nothing_is_refused(program, refused):
    assert "give CPU seconds above 0" in refused("run", "telnet-xp", "--timeout", "0")


def test_a_program_that_is_ended_is_gone(project: Project):
    project.replace_program("echo $$ > pid; while true; do :; done")
    done = project.study("run", "hawking-hps1u", "--timeout", "0.3")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    with pytest.raises(ProcessLookupError):
        os.kill(int((project.root / "pid").read_text()), 0)


def test_a_terminal_shows_how_long_it_takes_already():
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    command = [sys.executable, "-m", "study.commands.main", "run", *LONG["a command of 16 MiB"]]
    done = subprocess.run(
        [*command, "--timeout", "2"], stderr=theirs, stdout=theirs, timeout=HANG_S
    )
    said = os.read(ours, 1 << 16).decode()
    assert done.returncode == 2
    assert "telnet-xp: 1 of at most 2 CPU s" in said
