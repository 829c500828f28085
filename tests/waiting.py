# SPDX-License-Identifier: GPL-2.0-only
"""Waiting for what another process does. How long that may take no test says: other work on the
machine would fail it."""

import sqlite3
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

HANG_S = 600  # what takes longer has come to a stop
PAGE_S = 240  # what a page that is open has not shown by then is not there


def until(condition: Callable[[], bool], *processes: subprocess.Popen) -> None:
    """Until it holds; the processes that are to bring it about may not end before."""
    deadline = time.monotonic() + HANG_S
    while not condition():
        ended = [process.args for process in processes if process.poll() is not None]
        assert not ended, f"ended before: {ended}"
        assert time.monotonic() < deadline, "nothing came of it"
        time.sleep(0.002)


def stop(process: subprocess.Popen) -> None:
    """Ask it to end, and end it where it does not."""
    process.terminate()
    try:
        process.wait(HANG_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def noted(log: Path) -> list[str]:
    """What another process has noted so far."""
    return log.read_text().splitlines() if log.exists() else []


def kept(store: Path) -> int:
    """How many results there are by now, of a process that is writing them."""
    database = store / "results.sqlite"
    if not database.exists():
        return 0
    try:
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as db:
            return db.execute("SELECT count(*) FROM results").fetchone()[0]
    except sqlite3.OperationalError:  # it is being made
        return 0
