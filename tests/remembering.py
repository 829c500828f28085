# SPDX-License-Identifier: GPL-2.0-only
"""A scenario's program that remembers, for tests that make the same results again and again: of a
batch it runs the points that it has not answered before, in this session of tests.

    remembering.py PROGRAM FOLDER
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path


def answer(program: str, folder: Path) -> int:
    """Each line of the batch with its record; the program's own status."""
    running = None
    for line in sys.stdin:
        kept = folder / hashlib.sha256(line.encode()).hexdigest()
        leaves_file = "/" in line
        if not leaves_file and kept.is_file():
            record = kept.read_text()
        else:
            running = running or started(program)
            running.stdin.write(line)
            running.stdin.flush()
            record = running.stdout.readline()
            if not record:
                return running.wait()
            if not leaves_file:
                keep(kept, record)
        sys.stdout.write(record)
        sys.stdout.flush()
    if running is None:
        return 0
    running.communicate()
    return running.returncode


def started(program: str) -> subprocess.Popen[str]:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    return subprocess.Popen([program, "--batch"], **pipes)


def keep(path: Path, record: str) -> None:
    """Whole or not at all: others read there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{os.getpid()}")
    new.write_text(record)
    new.replace(path)


if __name__ == "__main__":
    sys.exit(answer(sys.argv[1], Path(sys.argv[2])))
