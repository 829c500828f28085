# SPDX-License-Identifier: GPL-2.0-only
"""Rounds in which every benchmark is sampled once, so that what else the machine does meets all of
them alike; and the row that comes of a benchmark's samples."""

import os
import resource
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from study.base.errors import StudyError


class NotMeasured(Exception):
    """Why a benchmark cannot be measured here."""


@dataclass(frozen=True)
class Figure:
    """One number of a benchmark: a ratio, or a value with its unit."""

    name: str
    what: str
    unit: str  # "x" for a ratio
    clock: str = ""  # "wall" or "CPU" for times, or "instructions"
    at_least: float | None = None
    at_most: float | None = None

    def target(self) -> str:
        if self.at_least is not None:
            return f">= {self.at_least:g}"
        return "" if self.at_most is None else f"<= {self.at_most:g}"

    def met(self, value: float) -> str:
        if self.at_least is not None:
            return "yes" if value >= self.at_least else "no"
        return "" if self.at_most is None else "yes" if value <= self.at_most else "no"


@dataclass(frozen=True)
class Benchmark:
    """Figures measured together: one sample gives a number for each. It is given the number of
    rounds before, so that what is compared takes turns in being first."""

    figures: tuple[Figure, ...]
    sample: Callable[[int], Sequence[float]]


@dataclass(frozen=True)
class Cost:
    """Wall clock time and processor time of some work, child processes included."""

    wall_s: float
    cpu_s: float


def cost(work: Callable[[], object]) -> Cost:
    began_s, used_s = time.perf_counter(), _used_s()
    work()
    return Cost(time.perf_counter() - began_s, _used_s() - used_s)


def _used_s() -> float:
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(use.ru_utime + use.ru_stime for use in map(resource.getrusage, whose))


def in_turns(works: Sequence[Callable[[], object]], turn: int) -> list[Cost]:
    """Return the cost of each function, run in turn. The first one rotates with `turn`."""
    costs: dict[int, Cost] = {}
    for number in range(len(works)):
        place = (number + turn) % len(works)
        costs[place] = cost(works[place])
    return [costs[place] for place in range(len(works))]


def rows(
    benchmarks: Sequence[Benchmark], rounds: int, say: Callable[[str], None]
) -> Iterator[list[dict[str, str]]]:
    """Yield after each round a row for each figure, over all rounds so far."""
    samples: dict[str, list[float]] = {}
    reasons: dict[str, str] = {}
    for turn in range(rounds):
        for benchmark in benchmarks:
            names = [figure.name for figure in benchmark.figures]
            if names[0] in reasons:
                continue
            began_s = time.perf_counter()
            try:
                values = benchmark.sample(turn)
            except (NotMeasured, StudyError, OSError) as error:
                reasons |= dict.fromkeys(names, " ".join(str(error).split()))
                continue
            for name, value in zip(names, values, strict=True):
                samples.setdefault(name, []).append(value)
            told = ", ".join(f"{value:.4g}" for value in values)
            took_s = time.perf_counter() - began_s
            say(f"round {turn + 1} of {rounds}: {names[0]}: {told} ({took_s:.0f} s)")
        yield [
            _row(figure, samples.get(figure.name, []), reasons.get(figure.name))
            for benchmark in benchmarks
            for figure in benchmark.figures
        ]


def _row(figure: Figure, values: Sequence[float], reason: str | None) -> dict[str, str]:
    row = {"name": figure.name, "what": figure.what, "value": "", "unit": figure.unit}
    row |= {"target": figure.target(), "met": "", "clock": figure.clock}
    row |= {"rounds": str(len(values)), "min": "", "max": ""}
    if reason:
        return row | {"met": f"not measured: {reason}"}
    median = statistics.median(values)
    numbers = {"value": median, "min": min(values), "max": max(values)}
    texts = {key: f"{number:.4g}" for key, number in numbers.items()}
    return row | texts | {"met": figure.met(median)}


def load() -> str:
    """Return the load average: processes that want a processor, including ours."""
    return f"{os.getloadavg()[0]:.1f}"
