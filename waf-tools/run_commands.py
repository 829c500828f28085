# SPDX-License-Identifier: GPL-2.0-only
"""Runs what a command of ./waf runs after its build."""

import os
import subprocess

from waflib import Context, Errors

BYTECODE = "build/bytecode"


def run(*commands, cwd=None):
    """Run all commands even if one fails; the first failure is our exit status."""
    environment = dict(os.environ)
    # Set-up compiles no package, and some containers tell Python to write no bytecode. Then each of
    # hundreds of processes would compile pandas and matplotlib again, half of its work.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment.setdefault("PYTHONPYCACHEPREFIX", os.path.join(Context.top_dir, BYTECODE))
    failures = []
    for command in commands:
        try:
            done = subprocess.run(command, cwd=cwd or Context.top_dir, env=environment)
            failures.append(done.returncode)
        except OSError as error:
            raise Errors.WafError(f"{command[0]} cannot be run: {error.strerror}") from None
    for status in filter(None, failures):
        raise SystemExit(status if status > 0 else 128 - status)  # a signal's status, as in a shell
