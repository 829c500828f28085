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

# Flags that do not change a record's results: names of files, and fast-forwarding.
NO_PARAMETERS = ("--pcap=", "--wan-pcap=", "--segments=", "--waits=", "--fast-forward=")


@dataclass(frozen=True)
class Run:
    """One run: the program's flags and its record."""

    scenario: str
    flags: tuple[str, ...]
    record: dict


class Runs(list[Run]):
    """List of runs without duplicates, with fast look-up by flags."""

    def __init__(self) -> None:
        super().__init__()
        self._alike: dict[tuple[str, tuple[str, ...]], list[Run]] = {}

    def add(self, run: Run) -> None:
        """Append a run unless it is in the list."""
        alike = self._alike.setdefault((run.scenario, run.flags), [])
        if run not in alike:
            alike.append(run)
            self.append(run)


_listening: ContextVar[Runs | None] = ContextVar("listening", default=None)


@contextmanager
def recorded() -> Iterator[Runs]:
    """Yield a list that collects the runs made inside the context, each once."""
    runs = Runs()
    before = _listening.set(runs)
    try:
        yield runs
    finally:
        _listening.reset(before)


def note(scenario: str, flags: Sequence[str], record: dict) -> None:
    """Note a run for the collectors. A run repeated for its packets has the same record and counts
    once. A full run and a fast-forwarded one are different runs."""
    runs = _listening.get()
    if runs is not None:
        told = tuple(flag for flag in flags if not flag.startswith(NO_PARAMETERS))
        runs.add(Run(scenario, told, record))


def remembered(function: Callable[..., T]) -> Callable[..., T]:
    """Cache a function like functools.cache, and note the runs behind a cached result again."""
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
