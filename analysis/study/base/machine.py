# SPDX-License-Identifier: GPL-2.0-only
"""Everything that depends on the operating system, in one place, besides the commands that only
Linux can offer (`study kernel`, which needs its network namespaces). The build has its own,
waf-tools/machine.py."""

import os
import platform
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

LIST_LIBRARIES = ["otool", "-L"] if sys.platform == "darwin" else ["ldd"]
OF_A_PROCESS = 2  # in the number of a clock of Linux, below the process's own


def cores() -> int:
    """How many this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def cpu_s(pid: int) -> float:
    """What a process has had of the processor, in its own time and in the system's for it. Where
    nobody tells, the clock on the wall: an upper bound."""
    try:
        return time.clock_gettime((~pid << 3) | OF_A_PROCESS)
    except OSError:
        return time.monotonic()


def widen(pipe: int, size_B: int) -> None:
    """Let so much wait in a pipe, where its size can be set and we may."""
    with suppress(ImportError, AttributeError, OSError):
        import fcntl

        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, size_B)


def write_utf8() -> None:
    """Write every letter, also into a pipe of Windows, which takes those of its code page alone."""
    if sys.platform == "win32":
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(encoding="utf-8")


def processor() -> str:
    """The model of the processor, or its architecture."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    for line in lines:
        if line.startswith("model name"):
            return " ".join(line.partition(":")[2].split())
    return platform.machine()


def libraries(program: Path) -> list[Path]:
    """The shared libraries that a program loads; none of one that is not for this machine.

    :raises OSError: there is nothing here that tells
    :raises ValueError: what it says where it cannot tell
    """
    plain = {**os.environ, "LC_ALL": "C"}  # its words are read below
    command = [*LIST_LIBRARIES, program]
    done = subprocess.run(command, capture_output=True, text=True, env=plain)
    if done.returncode and "not a dynamic executable" not in done.stdout + done.stderr:
        raise ValueError(" ".join(done.stderr.split()))
    words = [line.split() for line in done.stdout.splitlines()]
    if sys.platform == "darwin":
        return [Path(line[0]) for line in words[1:] if line]
    return [Path(line[2]) for line in words if len(line) > 3 and line[1] == "=>"]
