# SPDX-License-Identifier: GPL-2.0-only
"""Feed of results: finished points from the store, the others through workers, in blocks.

A block has its answers in the order of its points. Only the blocks being run are in memory, however
many points there are.
"""

import queue
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import AbstractContextManager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from study.base.errors import StudyError
from study.programs.declaration import declaration
from study.programs.identity import Identity
from study.runs.outcomes import Answer, Failure, Tally, outcome
from study.runs.records import Row, keys_of, row_of
from study.runs.spot_checks import disagreement, in_full, is_drawn, is_fast_forwarded
from study.runs.store import NoStore, Store
from study.runs.workers import Chunk, Handed

if TYPE_CHECKING:
    from study.runs.columns import Block as Columns
    from study.runs.made import Made

BLOCK = 10_000  # points
FIRST_CHUNK = 4  # until the time of a point is known
LARGEST_CHUNK = 1000
LEAST_S = 0.02  # least duration of a chunk: shorter ones at the end cost more than they gain
QUEUED = 2  # chunks for each worker, so that none is idle
LOOK_S = 0.2  # interval between checks whether the caller still waits
CHUNK = 100  # messages from workers that enter the store together

Sink = Callable[[int, list[Answer]], object]  # index of the first point, and the answers
Take = Callable[[int, "Columns"], object]  # the same, with columns that a worker made
Point = tuple[bytes, str, bytes | None]  # key, line, and the fast-forwarded record,
# if it is run in full to check it
Bar = Callable[[int], AbstractContextManager]  # number of points done
_Event = tuple[int, int, list[Answer] | None]  # a ticket, index of its first point, and answers


# Whether the caller still waits. If not, the points end as with Ctrl-C.
is_wanted: ContextVar[Callable[[], bool]] = ContextVar("is_wanted", default=lambda: True)


class Workers(Protocol):
    """Runner of chunks: this machine's cores, or a cluster."""

    chunk_s: float  # intended duration of a chunk
    lost: tuple[type[Exception], ...]  # exceptions after which a chunk counts as failed

    def count(self) -> int: ...
    def submit(self, lines: Sequence[str], hand_over: Handed) -> Future[Chunk]: ...
    def close(self) -> None: ...


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, or the caller no longer waits. The message says what is stored and how to go on."""


@dataclass(eq=False)
class _Block:
    start: int
    answers: list[Answer | None]
    left: int  # number of answers that are missing
    taken: list[range] = field(default_factory=list)  # indices whose columns were passed on

    def rest(self) -> Iterator[range]:
        """Yield the ranges of indices that were not passed on as columns."""
        end, last = 0, len(self.answers)
        for each in [*sorted(self.taken, key=lambda each: each.start), range(last, last)]:
            if end < each.start:
                yield range(end, each.start)
            end = each.stop


@dataclass
class _Pending:
    future: Future[Chunk]
    points: list[Point]
    done: int = 0  # number of points that are done


@dataclass
class Feed:
    """One call's points. `fresh` points ignore the store. Without `fast_forward` all run in full,
    and a stored result counts only if it was."""

    program: Identity
    store: Store | NoStore
    lines: Sequence[str]
    sink: Sink
    fresh: bool = False
    fast_forward: bool = True
    take: Take | None = None
    checks_one: bool = True  # run at least one fast-forwarded point in full as well

    def __post_init__(self) -> None:
        self.tally = Tally(len(self.lines))
        self._opened = 0  # number of points in blocks
        self._queue: deque[Point] = deque()
        self._blocks: dict[int, _Block] = {}  # unfinished blocks by their first point
        self._under_way: dict[bytes, int] = {}  # by key: the point that waits for the answer
        self._also: dict[bytes, list[int]] = {}  # other points with the same key
        self._pending: dict[int, _Pending] = {}
        self._events: queue.SimpleQueue = queue.SimpleQueue()
        self._writer = self.store.writer(self.program)
        self._rows: list[Row] = []  # for the writer, next
        self._tickets = 0
        self._point_s: float | None = None
        self._first_fast: Point | None = None  # the fast-forwarded point with the lowest key
        self._advance: Callable[[int], object] = lambda _: None

    def run(self, workers: Callable[[Identity], Workers], bar: Bar) -> None:
        """Run all points. Whatever happens, finished results are in the store."""
        while not self._queue and self._open():
            pass
        if self._queue:
            self.store.check_writable()
            with bar(self.tally.stored) as shown:
                self._advance = shown.update
                self._run(workers(self.program))

    def _run(self, workers: Workers) -> None:
        try:
            self._submit(workers)
            while self._pending:
                self._receive(self._next_event(), workers)
                with suppress(queue.Empty):
                    for _ in range(CHUNK):
                        self._receive(self._events.get_nowait(), workers)
                self._hand_over()
                self._submit(workers)
            self._flush()
            if self._under_way:  # a chunk returned fewer answers than points
                raise CancelledError
        except CancelledError:
            self._flush()
            raise StudyError(f"the workers are gone: {self._kept()}") from None
        except KeyboardInterrupt as interrupt:
            workers.close()
            self._receive_the_rest(workers)
            word = str(interrupt) or "interrupted"
            raise Interrupted(f"{word}: {self._kept()}") from None
        finally:
            workers.close()
            with suppress(StudyError):  # it has been raised already
                self._hand_over()
            self._writer.close()

    def _next_event(self) -> "_Event":
        while is_wanted.get()():
            with suppress(queue.Empty):
                return self._events.get(timeout=LOOK_S)
        raise KeyboardInterrupt("nobody waits for it any more")

    def _open(self) -> bool:
        """Open the next block and read its stored results. Return whether there was one."""
        start, lines = self._opened, list(self.lines[self._opened : self._opened + BLOCK])
        if not lines:
            return False
        keys = keys_of(self.program.digest, lines)
        found = {} if self.fresh else self.store.get(list(dict.fromkeys(keys)))
        if not self.fast_forward:
            found = {key: each for key, each in found.items() if not is_fast_forwarded(each)}
        answers: list[Answer | None] = list(map(found.get, keys)) if found else [None] * len(keys)
        block = _Block(start, answers, answers.count(None))
        self._opened += len(lines)
        self.tally.stored += len(lines) - block.left
        self._advance(len(lines) - block.left)
        if not block.left:
            self.sink(start, answers)
            return True
        self._blocks[start] = block
        under_way, queued = self._under_way, self._queue.append
        for number, (key, line, answer) in enumerate(zip(keys, lines, answers, strict=True), start):
            if answer is not None:
                continue
            if key in under_way:
                self._also.setdefault(key, []).append(number)
            else:
                under_way[key] = number
                queued((key, line, None))
        return True

    def _submit(self, workers: Workers) -> None:
        count = max(1, workers.count())
        while len(self._pending) < QUEUED * count:
            while len(self._queue) < LARGEST_CHUNK and self._open():
                pass
            if not self._queue:
                break
            size = self._chunk_size(workers.chunk_s, count)
            points = [self._queue.popleft() for _ in range(min(size, len(self._queue)))]
            self._hand_in(points, workers)
        is_none_checked = self._first_fast and not self.tally.checked
        if not self._pending and self.checks_one and is_none_checked:
            self._check(self._first_fast)
            self._submit(workers)

    def _hand_in(self, points: list[Point], workers: Workers) -> None:
        self._tickets += 1
        ticket, put = self._tickets, self._events.put
        future = workers.submit(
            [in_full(line) if fast or not self.fast_forward else line for _, line, fast in points],
            lambda start, answers: put((ticket, start, answers)),
        )
        self._pending[ticket] = _Pending(future, points)
        future.add_done_callback(lambda _: put((ticket, 0, None)))

    def _chunk_size(self, chunk_s: float, workers: int) -> int:
        """Return a chunk's number of points: by time, and smaller towards the end, so that all
        workers end together."""
        left = len(self._queue) + len(self.lines) - self._opened
        fair = -(-left // (2 * workers))
        if self._point_s is None:
            return max(1, min(FIRST_CHUNK, fair))
        wanted, least = (int(each / self._point_s) for each in (chunk_s, LEAST_S))
        return max(1, min(wanted, max(fair, least), LARGEST_CHUNK))

    def _receive(self, event: "_Event", workers: Workers) -> None:
        """Take part of a chunk's answers. An event without answers ends the chunk."""
        ticket, start, answers = event
        pending = self._pending.get(ticket)
        if pending is None or start > pending.done:
            return
        made = None
        if answers is None:
            chunk = self._end(ticket, workers)
            answers, made = chunk.answers, chunk.made
        points = pending.points[pending.done : start + len(answers)]
        is_whole, answers = pending.done == start, answers[pending.done - start :]
        pending.done += len(points)
        if not (made and is_whole and self._take_whole(points, answers, made)):
            self._take(points, answers)

    def _end(self, ticket: int, workers: Workers) -> Chunk:
        pending = self._pending[ticket]
        try:
            chunk = pending.future.result()
        except workers.lost as error:
            reason = f"lost with its worker ({type(error).__name__}); the next call runs it again"
            chunk = Chunk([Failure(reason)] * len(pending.points), workers.chunk_s)
        del self._pending[ticket]
        if chunk.answers:
            point_s = max(chunk.seconds, 1e-6) / len(chunk.answers)
            self._point_s = point_s if self._point_s is None else (self._point_s + point_s) / 2
        return chunk

    def _receive_the_rest(self, workers: Workers) -> None:
        """After an interrupt, take the answers that workers have sent until they ended."""
        with suppress(queue.Empty):
            while True:
                with suppress(CancelledError, StudyError):
                    self._receive(self._events.get_nowait(), workers)
        self._flush()

    def _take_whole(self, points: Sequence[Point], answers: Sequence[Answer], made: "Made") -> bool:
        """Take a chunk as the columns that its worker made, if its points are consecutive and no
        other point waits for them. Return whether that was possible."""
        keys, lines, fast = zip(*points, strict=True)
        # A worker's checksums are of the lines that it was given.
        if self.take is None or not self.fast_forward or any(fast):
            return False
        if not len(points) == len(answers) == len(made.sums):
            return False
        numbers = list(map(self._under_way.__getitem__, keys))
        block = self._block_of(numbers[0])
        first = numbers[0] - block.start
        places = range(first, first + len(points))
        if places.stop > len(block.answers) or numbers != [
            *range(numbers[0], numbers[0] + len(points))
        ]:
            return False
        if not self._also.keys().isdisjoint(keys):
            return False
        rows = list(zip(keys, lines, answers, made.sums, strict=True))
        if not made.is_of(declaration(self.program.scenario), rows):
            return False
        for key in keys:
            del self._under_way[key]
        self._rows += rows
        self.tally.ran += len(points)
        self._advance(len(points))
        self.take(block.start + first, made.columns)
        block.taken.append(places)
        self._less(block, len(points))
        return True

    def _block_of(self, number: int) -> _Block:
        """Return the block of a point."""
        return self._blocks[number - number % BLOCK]

    def _less(self, block: _Block, count: int) -> None:
        """Subtract arrived answers from a block's missing ones; remove a finished block."""
        block.left -= count
        if not block.left:
            del self._blocks[block.start]
            for part in block.rest():
                self.sink(block.start + part.start, block.answers[part.start : part.stop])

    def _take(self, points: Sequence[Point], answers: Sequence[Answer]) -> None:
        for point, answer in zip(points, answers, strict=True):
            key, line, fast = point
            if fast is not None:
                self._judge(key, line, fast, answer)
                continue
            is_fast = is_fast_forwarded(answer)
            if is_fast and self.fast_forward and self._draw(point, answer):
                continue
            if isinstance(answer, bytes):
                self._rows.append(row_of(key, line, answer))
            self._settle(key, answer, is_fast)

    def _draw(self, point: Point, answer: bytes) -> bool:
        """Return whether a fast-forwarded point is in the sample that is checked first."""
        key, line, _ = point
        if self._first_fast is None or key < self._first_fast[0]:
            self._first_fast = (key, line, answer)
        if not is_drawn(key, outcome(answer)):
            return False
        self._check((key, line, answer))
        return True

    def _check(self, point: Point) -> None:
        """Queue a fast-forwarded point first, to run it in full as well."""
        self.tally.checked += 1
        self._queue.appendleft(point)

    def _judge(self, key: bytes, line: str, fast: bytes, full: Answer) -> None:
        """Compare a fast-forwarded point with its full run. A difference ends the whole call."""
        wrong = disagreement(self.program.scenario, line, outcome(fast), outcome(full))
        if wrong:
            self._flush()
            self.store.remove([key])
            raise StudyError(wrong)
        self._rows.append(row_of(key, line, fast))
        self._settle(key, fast, is_fast=True)

    def _settle(self, key: bytes, answer: Answer, is_fast: bool) -> None:
        """Deliver an answer to all points that wait for it."""
        if key not in self._under_way:
            return
        numbers = [self._under_way.pop(key), *self._also.pop(key, ())]
        if isinstance(answer, bytes):
            self.tally.ran += len(numbers)
            self.tally.fast_forwarded += len(numbers) * is_fast
        self._advance(len(numbers))
        for number in numbers:
            block = self._block_of(number)
            block.answers[number - block.start] = answer
            self._less(block, 1)

    def _flush(self) -> None:
        """Write new results into the store."""
        self._hand_over()
        self._writer.flush()

    def _hand_over(self) -> None:
        """Pass new results to the store's writer."""
        if self._rows:
            rows, self._rows = self._rows, []
            self._writer.put(rows)

    def _kept(self) -> str:
        here = self.tally.stored + self.tally.ran
        least = "at least " if self._opened < len(self.lines) else ""
        return (
            f"{least}{here:,} of {len(self.lines):,} points are in the store; the same call goes on"
            " from there"
        )
