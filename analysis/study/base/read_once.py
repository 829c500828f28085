# SPDX-License-Identifier: GPL-2.0-only
"""Cache of objects made from files, made again only when a file has changed. The explorer asks for
the same systems at every step of a slider."""

import os
import time
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from typing import TypeVar

Made = TypeVar("Made")
Stamps = dict[str, tuple[int, ...]]
# A file modified this recently could be modified again within the same tick of the file system's
# clock, and its time stamps would not change.
SETTLED_S = 2.0

_used: ContextVar[Stamps | None] = ContextVar("used", default=None)


def uses(path: Path) -> None:
    """Record that the object being made depends on this file."""
    used = _used.get()
    if used is not None:
        used[str(path)] = _stamp(str(path))


def kept(make: Callable[[Path], Made]) -> Callable[[Path], Made]:
    """Return `make` with a cache by path, valid while every file that was used is unchanged.
    Callers must not modify the returned object: they share it."""
    known: dict[tuple[str, str], tuple[Stamps, Made]] = {}

    def remembered(path: Path) -> Made:
        place = (os.getcwd(), str(path))  # error messages name files relative to that folder
        stamps, made = known.get(place, ({}, None))
        if not stamps or any(_stamp(name) != stamp for name, stamp in stamps.items()):
            known.pop(place, None)
            token = _used.set({})
            try:
                made = make(path)
                stamps = _used.get()
            finally:
                _used.reset(token)
            if all(map(_is_settled, stamps.values())):
                known[place] = (stamps, made)
        outer = _used.get()
        if outer is not None:
            outer |= stamps
        return made

    return remembered


def _stamp(name: str) -> tuple[int, ...]:
    """Return the values that change when a file is modified, or an empty tuple if it is missing."""
    try:
        status = os.stat(name)
    except OSError:
        return ()
    return (status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_dev, status.st_ino)


def _is_settled(stamp: tuple[int, ...]) -> bool:
    return bool(stamp) and time.time() - max(stamp[:2]) / 1e9 > SETTLED_S
