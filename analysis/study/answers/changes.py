# SPDX-License-Identifier: GPL-2.0-only
"""results/changes.csv: the changes that `study explain` tries on every system, and their
effects."""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

from study.answers.explain import Explanation, Trial, explain
from study.base.project import RESULTS
from study.judging import table_file
from study.kit.systems import systems

FILE = RESULTS / "changes.csv"
COLUMNS = [
    "system", "what", "change", "flag", "outcome", "throughput_Bps", "command_ms", "gain_pct",
]  # fmt: skip
KINDS = ("helps", "does_nothing", "makes_worse")

Row = dict[str, str]


def rows(names: Sequence[str] = ()) -> list[Row]:
    """Return the rows of the named systems, or of all."""
    names = list(names or systems)
    with ThreadPoolExecutor() as pool:  # a thread only waits for its programs
        found = pool.map(lambda name: copy_context().run(explain, systems[name]), names)
        return [row for name, each in zip(names, found, strict=True) for row in of(name, each)]


def of(name: str, explanation: Explanation) -> Iterable[Row]:
    """Yield a row for each change: helpful ones first, best at the top."""
    for kind in KINDS:
        for trial in getattr(explanation, kind):
            yield {"system": name, "what": kind, **_cells(trial)}


def _cells(trial: Trial) -> Row:
    return {
        "change": trial.words,
        "flag": trial.flag,
        "outcome": trial.outcome,
        "throughput_Bps": _number(trial.throughput_Bps, 1),
        "command_ms": _number(trial.command_s and trial.command_s * 1000, 3),
        "gain_pct": _number(trial.gain_pct, 2),
    }


def _number(value: float | None, decimals: int) -> str:
    """Return a number's text, without a negative zero."""
    return "" if value is None else f"{round(value, decimals) + 0.0:.{decimals}f}"


def to_csv(table: Sequence[Row]) -> str:
    """Return the rows as the file's text."""
    return table_file.to_csv(COLUMNS, list(table))


def from_csv(text: str) -> list[Row]:
    """Return the rows of the file's text."""
    return table_file.from_csv(text, COLUMNS, "results/changes.csv", "run ./waf reproduce")
