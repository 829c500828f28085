# SPDX-License-Identifier: GPL-2.0-only
"""Thread that writes records to a store. SQLite takes nearly as long for a point as all else that
a client does with it, and does not need Python meanwhile."""

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from typing import Protocol

from study.programs.declaration import declaration
from study.programs.identity import Identity
from study.runs.records import Row

MOST_WAITING = 20_000  # rows; a caller with more waits


class Keeps(Protocol):
    """An open store."""

    def put(self, program: Identity, ns3: str, declaration: str, rows: Sequence[Row]) -> None: ...


class Writer:
    """Writes what it is given to a store. An error is raised at the next `put` or `flush`, and
    nothing is written after it."""

    def __init__(
        self, store: Callable[[], AbstractContextManager[Keeps]], program: Identity
    ) -> None:
        self._open, self._program = store, program
        self._opened, self._store = ExitStack(), None
        self._thread = ThreadPoolExecutor(1)  # a connection of SQLite belongs to its thread
        self._waiting: deque[tuple[int, Future[None]]] = deque()  # numbers of rows
        self._error: BaseException | None = None

    def put(self, rows: Sequence[Row]) -> None:
        """Store these rows."""
        self._wait(MOST_WAITING)
        self._waiting.append((len(rows), self._thread.submit(self._write, rows)))

    def flush(self) -> None:
        """Wait until everything is stored."""
        self._wait(0)

    def close(self) -> None:
        """Store what is left, and end, without raising errors."""
        self._thread.submit(self._opened.close)
        self._thread.shutdown()

    def _wait(self, most: int) -> None:
        """Wait until fewer rows than `most`, or none, are waiting. Raise the error, if there is
        one."""
        while self._waiting and (
            self._waiting[0][1].done() or sum(count for count, _ in self._waiting) >= most
        ):
            self._waiting.popleft()[1].result()
        if self._error is not None:
            raise self._error

    def _write(self, rows: Sequence[Row]) -> None:
        if self._error is not None:
            return
        try:
            if self._store is None:
                self._store = self._opened.enter_context(self._open())
            declared = declaration(self._program.scenario)
            self._store.put(self._program, declared.ns3, declared.text, rows)
        except BaseException as error:
            self._error = error
