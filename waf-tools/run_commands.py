# SPDX-License-Identifier: GPL-2.0-only
"""Runs what a command of ./waf runs after its build."""

import subprocess

from waflib import Context, Errors


def run(*commands, cwd=None):
    """Run all of them, whatever the first ones say; the first failure is our exit status."""
    failures = []
    for command in commands:
        try:
            failures.append(subprocess.run(command, cwd=cwd or Context.top_dir).returncode)
        except OSError as error:
            raise Errors.WafError(f"{command[0]} cannot be run: {error.strerror}") from None
    for status in filter(None, failures):
        raise SystemExit(status if status > 0 else 128 - status)  # a signal, as a shell counts it
