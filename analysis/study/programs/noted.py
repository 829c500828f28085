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


_listening: ContextVar[list[Run] | None] = ContextVar("listening", default=None)


@contextmanager
def recorded() -> Iterator[list[Run]]:
    """The list of the runs made inside, each once."""
    runs: list[Run] = []
    before = _listening.set(runs)
    try:
        yield runs
    finally:
        _listening.reset(before)


def note(scenario: str, flags: Sequence[str], record: dict) -> None:
    """Called with every run; one that is made again, for its packets, gives the same
    record; one in full is another than one that was fast-forwarded."""
    runs = _listening.get()
    run = Run(scenario, tuple(flag for flag in flags if not flag.startswith(NO_PARAMETERS)), record)
    if runs is not None and run not in runs:
        runs.append(run)


def remembered(function: Callable[..., T]) -> Callable[..., T]:
    """Like functools.cache; whoever listens hears of the runs behind a remembered answer, too."""
    known: dict[tuple, tuple[T, list[Run]]] = {}

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
