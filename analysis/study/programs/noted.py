# SPDX-License-Identifier: GPL-2.0-only
"""Runs behind a figure. Each run of a scenario is noted, and a caller collects them:

with recorded() as runs:
    draw("ladder")
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from typing import TypeVar

T = TypeVar("T")

# What changes no number of a record: files beside it, and whether cycles were taken off.
NO_PARAMETERS = ("--pcap=", "--wan-pcap=", "--segments=", "--waits=", "--fast-forward=")


@dataclass(frozen=True)
class Run:
    """One run: what the program was given, and all that it said."""

    scenario: str
    flags: tuple[str, ...]
    record: dict


class Runs(list[Run]):
    """Each once; those of the same flags lie together, so that thousands are looked up quickly."""

    def __init__(self) -> None:
        super().__init__()
        self._alike: dict[tuple[str, tuple[str, ...]], list[Run]] = {}

    def add(self, run: Run) -> None:
        """Unless it is there."""
        alike = self._alike.setdefault((run.scenario, run.flags), [])
        if run not in alike:
            alike.append(run)
            self.append(run)


_listening: ContextVar[Runs | None] = ContextVar("listening", default=None)


@contextmanager
def recorded() -> Iterator[Runs]:
    """The list of the runs made inside, each once."""
    runs = Runs()
    before = _listening.set(runs)
    try:
        yield runs
    finally:
        _listening.reset(before)


def note(scenario: str, flags: Sequence[str], record: dict) -> None:
    """Called with every run; one that is made again, for its packets, gives the same
    record; one in full is another than one that was fast-forwarded."""
    runs = _listening.get()
    if runs is not None:
        told = tuple(flag for flag in flags if not flag.startswith(NO_PARAMETERS))
        runs.add(Run(scenario, told, record))


def remembered(function: Callable[..., T]) -> Callable[..., T]:
    """Like functools.cache; whoever listens hears of the runs behind a remembered answer, too."""
    known: dict[tuple, tuple[T, Runs]] = {}

    @wraps(function)
    def ask(*arguments: object) -> T:
        if arguments not in known:
            with recorded() as runs:
                known[arguments] = function(*arguments), runs
        answer, runs = known[arguments]
        for run in runs:
            note(run.scenario, run.flags, run.record)
        return answer

    return ask
