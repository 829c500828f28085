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
OF_A_PROCESS = 2  # bits of a Linux clock's number that say "of this process"


def cores() -> int:
    """Return the number of processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def cpu_s(pid: int) -> float:
    """Return a process's processor time in seconds, user and system. Where the system does not
    report it, return the wall clock instead, whose differences are an upper bound."""
    try:
        return time.clock_gettime((~pid << 3) | OF_A_PROCESS)
    except OSError:
        return time.monotonic()


def widen(pipe: int, size_B: int) -> None:
    """Set a pipe's buffer size in bytes, where the system supports and permits it."""
    with suppress(ImportError, AttributeError, OSError):
        import fcntl

        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, size_B)


def write_utf8() -> None:
    """Make standard output and error UTF-8: a pipe of Windows accepts only its code page."""
    if sys.platform == "win32":
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(encoding="utf-8")


def processor() -> str:
    """Return the processor's model, or its architecture where the model is unknown."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    for line in lines:
        if line.startswith("model name"):
            return " ".join(line.partition(":")[2].split())
    return platform.machine()


def libraries(program: Path) -> list[Path]:
    """Return the shared libraries that a program loads, or an empty list for a program that is not
    for this machine.

    :raises OSError: the tool that lists libraries is missing
    :raises ValueError: the tool failed. The error holds its message
    """
    plain = {**os.environ, "LC_ALL": "C"}  # its messages are matched below
    command = [*LIST_LIBRARIES, program]
    done = subprocess.run(command, capture_output=True, text=True, env=plain)
    if done.returncode and "not a dynamic executable" not in done.stdout + done.stderr:
        raise ValueError(" ".join(done.stderr.split()))
    words = [line.split() for line in done.stdout.splitlines()]
    if sys.platform == "darwin":
        return [Path(line[0]) for line in words[1:] if line]
    return [Path(line[2]) for line in words if len(line) > 3 and line[1] == "=>"]
