# SPDX-License-Identifier: GPL-2.0-only
"""Input that a notebook waits for. The answer decides whether the following cells run, and is
kept for the next time the notebook is opened."""

import json
from collections.abc import Callable
from typing import TypeVar

from study.base.errors import StudyError
from study.base.project import BUILD, write_whole

KEPT = BUILD / "predictions.json"
Said = TypeVar("Said")
NONE = "-"  # on without a guess


def asked(what: str, unit: str, read: Callable[[str], Said]) -> Said | None:
    """What the person at the notebook says: `read` makes a prediction of it, or raises a StudyError
    that is shown before the question comes again. None where nobody can be asked, as when a
    notebook is published, and for who goes on without a guess."""
    if not _somebody_is_there():
        return None
    key = f"{what} ({unit})" if unit else what
    before = _kept().get(key, "")
    while True:
        try:
            said = input(f"{key}{f' [Enter: {before}]' if before else ''}: ").strip() or before
        except NotImplementedError:  # a kernel that runs without its reader
            return None
        if said == NONE:
            return None
        try:
            if not said:
                raise StudyError(f"a guess costs nothing; or {NONE} to go on without one")
            guess = read(said)
        except StudyError as error:
            print(error)
            continue
        _keep(key, said)
        return guess


def _somebody_is_there() -> bool:
    """Whether this runs in a notebook's kernel: a script or a test asks nobody."""
    try:
        from IPython import get_ipython
    except ImportError:
        return False
    return getattr(get_ipython(), "kernel", None) is not None


def _kept() -> dict[str, str]:
    try:
        kept = json.loads(KEPT.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}


def _keep(key: str, said: str) -> None:
    """A full disk costs the memory of a guess, not the lesson."""
    try:
        write_whole({KEPT: json.dumps(_kept() | {key: said}, indent=1).encode()})
    except (OSError, StudyError):
        return
