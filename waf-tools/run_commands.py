# SPDX-License-Identifier: GPL-2.0-only
"""Runs what a command of ./waf runs after its build."""

import atexit
import os
import subprocess

from waflib import Context, Errors

BYTECODE = "build/bytecode"
BEGUN = []


def begin(command):
    """Begin a command beside the build. What runs next waits for it; a failed build ends it."""
    BEGUN.append(_start(command))
    atexit.register(BEGUN[-1].terminate)  # the last that is registered is called first


def _start(command, cwd=None):
    # Set-up compiles no package, and some containers tell Python to write no bytecode. Then each of
    # hundreds of processes would compile pandas and matplotlib again, half of its work.
    kept = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment = {"PYTHONPYCACHEPREFIX": os.path.join(Context.top_dir, BYTECODE)} | kept
    try:
        child = subprocess.Popen(command, cwd=cwd or Context.top_dir, env=environment)
    except OSError as error:
        raise Errors.WafError(f"{command[0]} cannot be run: {error.strerror}") from None
    atexit.register(child.wait)
    return child


def run(*commands, cwd=None):
    """Run all commands even if one fails; the first failure is our exit status."""
    statuses = [child.wait() for child in BEGUN]
    statuses += [_start(command, cwd).wait() for command in commands]
    for status in filter(None, statuses):
        raise SystemExit(status if status > 0 else 128 - status)  # a signal's status, as in a shell
