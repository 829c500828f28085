# SPDX-License-Identifier: GPL-2.0-only
"""Many points of one scenario, with progress: stored results are read, the other points run on
workers. All finished results are kept if it stops early."""

import gc
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from functools import partial
from pathlib import Path

from study.base.errors import StudyError
from study.programs import values
from study.programs.declaration import declaration
from study.programs.identity import identity
from study.programs.noted import note
from study.runs.damage import note_damage
from study.runs.feed import Feed, Sink, Take
from study.runs.flag_lines import line_of
from study.runs.lasting import Makers, lent
from study.runs.outcomes import Answer, Failure, Outcome, Tally, outcome
from study.runs.progress import bar
from study.runs.records import keys_of
from study.runs.store import NoStore, Store
from study.runs.store_file import file_in

Given = Mapping[str, values.Value]

# While True, results in the store are ignored and every point runs.
run_again: ContextVar[bool] = ContextVar("run_again", default=False)


def run_batch(
    scenario: str,
    points: Sequence[Sequence[str]],
    doing: str,
    tables: Sequence[Path] = (),
    waits: Sequence[Path] = (),
) -> list[dict]:
    """Return the records of runs with these flags, in order. `tables` and `waits` name a file for
    each point's segment table and waits; such points always run, whatever the store has. Raise
    StudyError if a point fails."""
    records = []
    for record in try_batch(scenario, points, doing, tables, waits):
        if isinstance(record, Failure):
            raise StudyError(record.reason)
        records.append(record)
    return records


def kept_batch(scenario: str, points: Sequence[Sequence[str]]) -> list[dict | None]:
    """Return the stored records of these flags, None where there is none. Run nothing."""
    if not file_in(None).is_file() or run_again.get():
        return [None] * len(points)
    given, lines = _read(scenario, points)
    keys = keys_of(identity(scenario).digest, lines)
    with Store() as store:
        found = store.get(keys)
    return [
        _whole(scenario, outcome(found[key]), values_of) if key in found else None
        for key, values_of in zip(keys, given, strict=True)
    ]


def _read(scenario: str, points: Sequence[Sequence[str]]) -> tuple[list[Given], list[str]]:
    """Return the values of each point by key, and each point's line of flags."""
    declared = declaration(scenario)
    by_flag = {parameter.flag: parameter for parameter in declared.parameters.values()}
    pairs = [[flag.removeprefix("--").partition("=") for flag in flags] for flags in points]
    asked = [[(by_flag[flag], text) for flag, _, text in each] for each in pairs]
    known = iter(values.read_many([each for flags in asked for each in flags]))
    given = [{parameter.key: next(known) for parameter, _ in flags} for flags in asked]
    return given, [line_of(declared, point) for point in given]


def _whole(scenario: str, came: dict, given: Given) -> dict:
    """Return a record with all parameters."""
    parameters = declaration(scenario).parameters
    defaults = {key: parameter.default for key, parameter in parameters.items()}
    return came | {"parameters": defaults | {key: value.text for key, value in given.items()}}


def try_batch(
    scenario: str,
    points: Sequence[Sequence[str]],
    doing: str,
    tables: Sequence[Path] = (),
    waits: Sequence[Path] = (),
) -> list[dict | Failure]:
    """Return records as `run_batch` does, with a Failure for a point that the program refuses."""
    given, lines = _read(scenario, points)
    if tables:
        lines = [f"{line} --segments={table}" for line, table in zip(lines, tables, strict=True)]
    if waits:
        lines = [f"{line} --waits={file}" for line, file in zip(lines, waits, strict=True)]
    with nullcontext(NoStore()) if tables else Store() as store:
        # A caller waits: of a few runs, no more are checked in full than the sample chooses.
        outcomes, _ = collect(scenario, lines, store=store, doing=doing, checks_one=False)
    records: list[dict | Failure] = []
    for flags, point, came in zip(points, given, outcomes, strict=True):
        if isinstance(came, Failure):
            records.append(came)
            continue
        records.append(_whole(scenario, came, point))
        note(scenario, flags, records[-1])
    return records


@contextmanager
def uncollected() -> Iterator[None]:
    """Disable the garbage collector, which takes a sixth of a stored point's time. No point has
    reference cycles."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def collect(
    scenario: str, lines: Sequence[str], *, store: Store | NoStore, **settings: object
) -> tuple[list[Outcome], Tally]:
    """Return each point's outcome, and the tally; for the settings see `feed`."""
    outcomes: list[Outcome | None] = [None] * len(lines)

    def keep(start: int, answers: list[Answer]) -> None:
        outcomes[start : start + len(answers)] = map(outcome, answers)

    tally = feed(scenario, lines, keep, store=store, **settings)
    return outcomes, tally


def feed(
    scenario: str,
    lines: Sequence[str],
    sink: Sink,
    *,
    store: Store | NoStore,
    doing: str,
    workers: Makers = lent,
    progress: bool | None = None,
    fresh: bool = False,
    fast_forward: bool = True,
    checks_one: bool = True,
    take: Take | None = None,
) -> Tally:
    """Pass the answers of all points to `sink` in blocks, as they arrive, and return the tally.
    Answers that come as columns go to `take`, if given. `progress` None shows a bar in a terminal
    and in a notebook. `fresh` ignores the store. Without `fast_forward` a stored result counts only
    if it was run in full. With `checks_one` at least one fast-forwarded point is also run in
    full."""
    began, damaged = time.monotonic(), store.damaged
    again = fresh or run_again.get()
    run = Feed(identity(scenario), store, lines, sink, again, fast_forward, take, checks_one)
    try:
        with uncollected():
            run.run(workers, partial(bar, doing, len(lines), progress=progress))
    finally:
        note_damage(store.path, store.damaged - damaged)
    run.tally.seconds = time.monotonic() - began
    return run.tally
