# SPDX-License-Identifier: GPL-2.0-only
"""Many points of one scenario: from the result store what is there, through workers what is not,
with progress, and with everything kept that was done when it stops early."""

import sys
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import orjson

from study.base.errors import StudyError
from study.programs import values
from study.programs.declaration import Declaration, Parameter, declaration
from study.programs.identity import Identity, identity
from study.programs.noted import note
from study.runs.spot_checks import disagreement, in_full, is_drawn, is_fast_forwarded
from study.runs.store import NoStore, Store, key_of
from study.runs.workers import Chunk, Failure, LocalWorkers, Outcome

FIRST_CHUNK = 4  # until it is known how long a point takes
LARGEST_CHUNK = 1000
QUEUED = 2  # chunks for each worker, so that none waits for us

# While it is true no progress is shown: somebody else shows it, of many such calls.
quiet: ContextVar[bool] = ContextVar("quiet", default=False)
# While it is true nothing is taken from the store: everything is run again.
run_again: ContextVar[bool] = ContextVar("run_again", default=False)


class Workers(Protocol):
    """Who runs chunks: this machine's cores, or a cluster."""

    chunk_s: float  # how long a chunk should take
    lost: tuple[type[Exception], ...]  # a chunk that ends in one of these has failed

    def count(self) -> int: ...
    def submit(self, lines: Sequence[str]) -> Future[Chunk]: ...
    def close(self) -> None: ...


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, with what is kept and how to go on."""


@dataclass
class Tally:
    """How many points came from where, and how they ended."""

    points: int
    seconds: float = 0.0
    stored: int = 0
    ran: int = 0
    fast_forwarded: int = 0
    checked: int = 0  # of these, run in full as well
    stalled: int = 0
    cut_off: int = 0
    failed: int = 0

    def __str__(self) -> str:
        ran = f"{self.ran:,} ran"
        if self.fast_forwarded:
            ran += f" ({self.fast_forwarded:,} fast-forwarded, {self.checked:,} checked in full)"
        ended = {"stalled": self.stalled, "cut off": self.cut_off, "failed": self.failed}
        parts = [ran, f"{self.stored:,} from the store"]
        parts += [f"{count:,} {name}" for name, count in ended.items() if count]
        word = "point" if self.points == 1 else "points"
        return f"{self.points:,} {word} in {self.seconds:.1f} s: {', '.join(parts)}"


def line_of(declared: Declaration, given: Mapping[str, values.Value]) -> str:
    """A point as one line of flags: what differs from the defaults, in the declared order."""
    flags = (
        flag_of(parameter, given[key])
        for key, parameter in declared.parameters.items()
        if key in given
    )
    return " ".join(filter(None, flags))


def flag_of(parameter: Parameter, value: values.Value) -> str:
    """The flag of a value, or nothing for a default: so equal points are equal texts."""
    return "" if value.text == parameter.default else f"--{parameter.flag}={value.text}"


def run_batch(
    scenario: str, points: Sequence[Sequence[str]], doing: str, tables: Sequence[Path] = ()
) -> list[dict]:
    """The records of many runs from their flags, in their order; the first failure is an error.
    Runs that leave a segment table, one name a point, are made whatever the store has."""
    records = []
    for record in try_batch(scenario, points, doing, tables):
        if isinstance(record, Failure):
            raise StudyError(record.reason)
        records.append(record)
    return records


def try_batch(
    scenario: str, points: Sequence[Sequence[str]], doing: str, tables: Sequence[Path] = ()
) -> list[dict | Failure]:
    """The same; a point whose values do not go together has its failure in a record's place."""
    declared = declaration(scenario)
    by_flag = {parameter.flag: parameter for parameter in declared.parameters.values()}
    given = []
    for flags in points:
        pairs = [flag.removeprefix("--").partition("=") for flag in flags]
        read = {by_flag[f].key: values.read(by_flag[f], text) for f, _, text in pairs}
        given.append(read)
    lines = [line_of(declared, point) for point in given]
    if tables:
        lines = [f"{line} --segments={table}" for line, table in zip(lines, tables, strict=True)]
    with nullcontext(NoStore()) if tables else Store() as store:
        outcomes, _ = collect(scenario, lines, store=store, doing=doing)
    defaults = {key: parameter.default for key, parameter in declared.parameters.items()}
    records: list[dict | Failure] = []
    for flags, point, outcome in zip(points, given, outcomes, strict=True):
        if isinstance(outcome, Failure):
            records.append(outcome)
            continue
        own = {key: value.text for key, value in point.items()}
        records.append(outcome | {"parameters": defaults | own})
        note(scenario, flags, records[-1])
    return records


def collect(
    scenario: str,
    lines: Sequence[str],
    *,
    store: Store | NoStore,
    doing: str,
    workers: Callable[[Identity], Workers] = LocalWorkers,
    progress: bool | None = None,
    fresh: bool = False,
    fast_forward: bool = True,
) -> tuple[list[Outcome], Tally]:
    """The outcome of each point, and the tally. `progress` None shows it in a terminal and in a
    notebook. A `fresh` one takes nothing from the store. Without `fast_forward` a kept result
    serves only if it was run in full; one that was run in full serves both."""
    began = time.monotonic()
    program = identity(scenario)
    keys = [key_of(program.digest, line) for line in lines]
    known = {} if fresh or run_again.get() else store.get(list(dict.fromkeys(keys)))
    found: dict[bytes, Outcome] = {key: orjson.loads(record) for key, record in known.items()}
    if not fast_forward:
        found = {key: each for key, each in found.items() if not is_fast_forwarded(each)}
    stored = [key in found for key in keys]
    missing = {key: line for key, line in zip(keys, lines, strict=True) if key not in found}
    tally = Tally(len(lines), stored=sum(stored))
    if missing:
        with _bar(doing, len(lines), tally.stored, progress) as bar:
            run = _Run(program, store, missing, found, bar.update, fast_forward)
            run.all(workers(program))
            tally.checked = len(run.checked)
    outcomes = [found[key] for key in keys]
    _count(tally, outcomes, stored)
    tally.seconds = time.monotonic() - began
    return outcomes, tally


class _Run:
    """Points on their way through workers into the store."""

    def __init__(
        self,
        program: Identity,
        store: Store | NoStore,
        missing: Mapping[bytes, str],
        found: dict[bytes, Outcome],
        advance: Callable[[int], object],
        fast_forward: bool,
    ) -> None:
        self._program, self._store, self._advance = program, store, advance
        self._fast_forward = fast_forward
        self._missing, self._found = missing, found
        self._keys, self._next = list(missing), 0
        self._point_s: float | None = None
        self._pending: dict[Future[Chunk], list[bytes]] = {}
        self.checked: dict[bytes, bytes] = {}  # by the key of the full run, that of the point
        self._unconfirmed: set[bytes] = set()  # drawn, and not put into the store before
        self._first_fast: bytes | None = None  # of the fast-forwarded, the one of the lowest key

    def all(self, workers: Workers) -> None:
        """Run everything. However this ends, what was done is in the store."""
        try:
            self._submit(workers)
            while self._pending:
                done, _ = wait(self._pending, return_when=FIRST_COMPLETED)
                for future in done:
                    self._keep(future, self._chunk(future, workers))
                self._submit(workers)
        except CancelledError:
            raise StudyError(f"the workers are gone: {self._kept()}") from None
        except KeyboardInterrupt:
            workers.close()
            for future in list(self._pending):
                if future.done() and not future.cancelled() and not future.exception():
                    self._keep(future, future.result())
            raise Interrupted(f"interrupted: {self._kept()}") from None
        finally:
            workers.close()

    def _kept(self) -> str:
        here = sum(isinstance(outcome, dict) for outcome in self._found.values())
        here -= len(self._unconfirmed)
        total = len(self._found.keys() | self._missing.keys())
        return f"{here:,} of {total:,} points are in the store; the same call goes on from there"

    def _chunk(self, future: Future[Chunk], workers: Workers) -> Chunk:
        try:
            return future.result()
        except workers.lost as error:
            keys = self._pending[future]
            reason = f"lost with its worker ({type(error).__name__}); the next call runs it again"
            return Chunk([Failure(reason)] * len(keys), workers.chunk_s)

    def _submit(self, workers: Workers) -> None:
        count = max(1, workers.count())
        ended = self._next == len(self._keys) and not self._pending
        if ended and self._first_fast and not self.checked:
            self._check(self._first_fast)  # none was drawn, and one is to be
        while self._next < len(self._keys) and len(self._pending) < QUEUED * count:
            size = self._chunk_size(workers.chunk_s, count)
            keys = self._keys[self._next : self._next + size]
            self._next += size
            self._pending[workers.submit([self._line(key) for key in keys])] = keys

    def _line(self, key: bytes) -> str:
        line = self._missing[self.checked.get(key, key)]
        return in_full(line) if key in self.checked or not self._fast_forward else line

    def _check(self, key: bytes) -> None:
        """Have a fast-forwarded point run in full as well, next."""
        full = key_of(self._program.digest, in_full(self._missing[key]))
        self.checked[full] = key
        self._keys.insert(self._next, full)

    def _chunk_size(self, chunk_s: float, workers: int) -> int:
        """By time; and smaller towards the end, so that all workers end together."""
        left = len(self._keys) - self._next
        fair = -(-left // (2 * workers))
        wanted = FIRST_CHUNK if self._point_s is None else int(chunk_s / self._point_s)
        return max(1, min(wanted, fair, LARGEST_CHUNK))

    def _keep(self, future: Future[Chunk], chunk: Chunk) -> None:
        done = dict(zip(self._pending.pop(future), chunk.outcomes, strict=False))
        if done:
            point_s = max(chunk.seconds, 1e-6) / len(done)
            self._point_s = point_s if self._point_s is None else (self._point_s + point_s) / 2
        checks = {key: done.pop(key) for key in list(done) if key in self.checked}
        self._found |= done
        self._draw([key for key, outcome in done.items() if is_fast_forwarded(outcome)])
        self._put([key for key in done if key not in self._unconfirmed])
        self._advance(len(done))
        for key, full in checks.items():
            self._judge(self.checked[key], full)

    def _put(self, keys: Iterable[bytes]) -> None:
        """Into the store, if they are records."""
        rows = [
            (key, self._missing[key], orjson.dumps(self._found[key]))
            for key in keys
            if isinstance(self._found[key], dict)
        ]
        if rows:
            declared = declaration(self._program.scenario)
            self._store.put(self._program, declared.ns3, declared.text, rows)

    def _draw(self, fast: Sequence[bytes]) -> None:
        if not fast or not self._fast_forward:
            return
        self._first_fast = min([*fast, *filter(None, [self._first_fast])])
        for key in fast:
            if not is_drawn(key, self._found[key]):
                continue
            self._unconfirmed.add(key)
            self._check(key)

    def _judge(self, key: bytes, full: Outcome) -> None:
        """A point that says something else in full fails everything."""
        line = self._missing[key]
        wrong = disagreement(self._program.scenario, line, self._found[key], full)
        if wrong:
            self._store.remove([key])
            raise StudyError(wrong)
        self._unconfirmed.discard(key)
        self._put([key])


def _count(tally: Tally, outcomes: Sequence[Outcome], stored: Sequence[bool]) -> None:
    for outcome, was_stored in zip(outcomes, stored, strict=True):
        if isinstance(outcome, Failure):
            tally.failed += 1
            continue
        tally.ran += not was_stored
        tally.fast_forwarded += not was_stored and outcome.get("method") == "fast-forwarded"
        tally.stalled += outcome["outcome"] == "stalled"
        tally.cut_off += outcome["outcome"] == "cut-off"


# The metadata of such an output.
FOR_THOSE_WHO_WAIT = {"study": {"progress": True}}


def shows_progress(wanted: bool | None) -> bool:
    """As asked for; otherwise in a terminal and in a notebook, and not in a pipe."""
    if wanted is None:
        return not quiet.get() and (sys.stderr.isatty() or _is_notebook())
    return wanted


def tell(*lines: str) -> None:
    """Say what happened to whoever waits: on stderr, which JupyterLab would colour as an error; so
    in a notebook as an output of its own, marked as one that a published page leaves out."""
    if not _is_notebook():
        print(*lines, sep="\n", file=sys.stderr)
        return
    from IPython.display import display

    display({"text/plain": "\n".join(lines)}, raw=True, metadata=FOR_THOSE_WHO_WAIT)


def _is_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and hasattr(shell, "kernel")


def _bar(doing: str, total: int, done: int, progress: bool | None):
    """In a notebook a widget, in a terminal a line that goes when it is done, else nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about a notebook without widgets, which has a line then
        from tqdm.auto import tqdm

    look = {"desc": doing, "unit": "point", "leave": False, "smoothing": 0.1, "file": sys.stderr}
    return tqdm(total=total, initial=done, disable=not shows_progress(progress), **look)
