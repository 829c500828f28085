# SPDX-License-Identifier: GPL-2.0-only
"""Captures as an independent reader sees them, with all of its checks switched on."""

import shutil
import subprocess
from pathlib import Path

import pytest

needs_tshark = pytest.mark.skipif(
    shutil.which("tshark") is None, reason="tshark is not installed (Debian: apt install tshark)"
)
GOOD = "1"  # its status of a checksum or a frame check sequence
CHECKS = [
    option
    for name in ("eth.check_fcs", "ip.check_checksum", "tcp.check_checksum")
    for option in ("-o", f"{name}:TRUE")
]


def frames(capture: Path, *fields: str) -> list[dict[str, str]]:
    """These fields of every frame."""
    wanted = [option for name in fields for option in ("-e", name)]
    lines = _tshark(capture, "-T", "fields", *wanted)
    return [dict(zip(fields, line.split("\t"), strict=True)) for line in lines]


def matching(capture: Path, display_filter: str) -> list[str]:
    """A line for each frame that a display filter lets through."""
    return _tshark(capture, "-Y", display_filter)


def _tshark(capture: Path, *options: str) -> list[str]:
    command = ["tshark", "-n", "-r", capture, *CHECKS, *options]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
