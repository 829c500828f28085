# SPDX-License-Identifier: GPL-2.0-only
"""How the command was called, so that the commands which it prints run as they stand."""

import shutil
import sys
from pathlib import Path

NAME = "study"
OF_THE_README = ".venv/bin/study"


def called() -> str:
    """`study` where the shell finds this one by its name, and else its path as seen from here; that
    of the README in any other program."""
    own = Path(sys.argv[0])
    if own.name != NAME:
        return OF_THE_README
    found = shutil.which(NAME)
    if found and Path(found).absolute() == own.absolute():
        return NAME
    try:
        return str(own.absolute().relative_to(Path.cwd()))
    except ValueError:
        return str(own)
