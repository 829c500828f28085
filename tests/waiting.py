# SPDX-License-Identifier: GPL-2.0-only
"""Waiting for what another process does. How long that may take no test says: other work on the
machine would fail it."""

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

HANG_S = 120  # what takes longer has come to a stop


def until(condition: Callable[[], bool], *processes: subprocess.Popen) -> None:
    """Until it holds; the processes that are to bring it about may not end before."""
    deadline = time.monotonic() + HANG_S
    while not condition():
        ended = [process.args for process in processes if process.poll() is not None]
        assert not ended, f"ended before: {ended}"
        assert time.monotonic() < deadline, "nothing came of it"
        time.sleep(0.002)


def noted(log: Path) -> list[str]:
    """What another process has noted so far."""
    return log.read_text().splitlines() if log.exists() else []
