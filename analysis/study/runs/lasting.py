# SPDX-License-Identifier: GPL-2.0-only
"""Workers that serve several feeds, one after the other: a program's start takes as long as some
points, and a cluster's client longer."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar

from study.programs.identity import Identity
from study.runs.feed import Workers
from study.runs.workers import Chunk, Handed, LocalWorkers

Makers = Callable[[Identity], Workers]


@contextmanager
def lasting(make: Makers) -> Iterator[Makers]:
    """Yield a factory that makes a program's workers once, returns the same ones until they end,
    and ends them with the context."""
    made: dict[Identity, _Lasting] = {}

    def lend(program: Identity) -> Workers:
        if program not in made or made[program].ended:
            made[program] = _Lasting(make(program))
        return made[program]

    try:
        yield lend
    finally:
        for each in made.values():
            each.end()


_lent: ContextVar[Makers] = ContextVar("lent", default=LocalWorkers)


@contextmanager
def of_an_answer() -> Iterator[None]:
    """Use the same local workers for all batches of an answer, about a dozen small ones."""
    if _lent.get() is not LocalWorkers:  # part of a larger answer
        yield
        return
    with lasting(LocalWorkers) as lend:
        token = _lent.set(lend)
        try:
            yield
        finally:
            _lent.reset(token)


def lent(program: Identity) -> Workers:
    """Return the workers of the present answer, or else workers for this call alone."""
    return _lent.get()(program)


class _Lasting:
    """Workers of one program. `close` keeps them if nothing is running."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._under_way: set[Future[Chunk]] = set()
        self.chunk_s, self.lost = workers.chunk_s, workers.lost
        self.count, self.ended = workers.count, False

    def submit(self, lines: Sequence[str], hand_over: Handed) -> Future[Chunk]:
        future = self._workers.submit(lines, hand_over)
        self._under_way.add(future)
        future.add_done_callback(self._under_way.discard)
        return future

    def close(self) -> None:
        if self._under_way:
            self.end()

    def end(self) -> None:
        """Close the workers, even during a chunk."""
        self.ended = True
        self._workers.close()
