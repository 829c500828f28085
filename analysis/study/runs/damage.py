# SPDX-License-Identifier: GPL-2.0-only
"""Report of the damaged records of a store, once for each call: in a line at its end, or within
the sentence that it ends in."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from study.base.project import shown
from study.runs.progress import tell

_call: ContextVar["Damage | None"] = ContextVar("call", default=None)


class Damage:
    """Numbers of damaged records in each store during a call."""

    def __init__(self) -> None:
        self._counts: Counter[Path] = Counter()

    def sentence(self) -> str:
        """Return the sentence on damaged records and reset the counts, empty without any."""
        each = (f"{_records(count)} of {shown(path)}" for path, count in self._counts.items())
        found = " and ".join(each)
        self._counts.clear()
        return f"{found} did not match the checksum" if found else ""

    def after(self, error: str) -> str:
        """Return a call's error message followed by the sentence."""
        found = self.sentence()
        return f"{error}; before that, {found}" if found else error

    def count(self, path: Path, records: int) -> None:
        if records:
            self._counts[path] += records


def note_damage(path: Path, records: int) -> None:
    """Count damaged records of a store; their points run again."""
    with damage_told() as damage:
        damage.count(path, records)


@contextmanager
def damage_told() -> Iterator[Damage]:
    """Report the damage noted inside when the outermost of these contexts ends."""
    if (outer := _call.get()) is not None:
        yield outer
        return
    damage = Damage()
    token = _call.set(damage)
    try:
        yield damage
    finally:
        _call.reset(token)
        if found := damage.sentence():
            tell(f"study: {found}: run again")


def _records(count: int) -> str:
    return "1 record" if count == 1 else f"{count:,} records"
