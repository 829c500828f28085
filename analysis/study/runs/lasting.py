# SPDX-License-Identifier: GPL-2.0-only
"""Workers that serve several feeds, one after the other: a program's start takes as long as some
points, and a cluster's client longer."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TYPE_CHECKING

from study.programs.identity import Identity
from study.runs.feed import Workers
from study.runs.workers import Chunk

if TYPE_CHECKING:
    from study.runs.made import Handed

Makers = Callable[[Identity], Workers]


@contextmanager
def lasting(make: Makers) -> Iterator[Makers]:
    """Makes them when they are asked for first, gives the same ever after, and ends them."""
    made: list[_Lasting] = []

    def lend(program: Identity) -> Workers:
        if not made:
            made.append(_Lasting(make(program)))
        return made[0]

    try:
        yield lend
    finally:
        for each in made:
            each.end()


class _Lasting:
    """Of one program. Closed with nothing running it stays as it is."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._under_way: set[Future[Chunk]] = set()
        self.chunk_s, self.lost = workers.chunk_s, workers.lost
        self.count, self.end = workers.count, workers.close

    def submit(self, lines: Sequence[str], hand_over: "Handed") -> Future[Chunk]:
        future = self._workers.submit(lines, hand_over)
        self._under_way.add(future)
        future.add_done_callback(self._under_way.discard)
        return future

    def close(self) -> None:
        if self._under_way:
            self._workers.close()
