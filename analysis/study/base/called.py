# SPDX-License-Identifier: GPL-2.0-only
"""How the command was called, so that the commands which it prints run as they stand."""

import shutil
import sys
from pathlib import Path

NAME = "study"
OF_THE_README = ".venv/bin/study"


def called() -> str:
    """Return the command's name as a user has to type it: `study` if that is on the search path,
    else the program's relative path. In any other program return the README's path."""
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
