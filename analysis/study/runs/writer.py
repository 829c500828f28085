# SPDX-License-Identifier: GPL-2.0-only
"""Thread that writes records to a store. SQLite takes nearly as long for a point as all else that
a client does with it, and does not need Python meanwhile."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from threading import Condition, Thread
from typing import Protocol

from study.programs.declaration import declaration
from study.programs.identity import Identity
from study.runs.records import Row

MOST_WAITING = 20_000  # rows; a caller with more waits


class Keeps(Protocol):
    """An open store."""

    def put(
        self, program: Identity, ns3: str, declaration: str, rows: Sequence[Row], sums: list[bytes]
    ) -> None: ...


class Writer:
    """Writes what it is given to a store, together with what arrived while it was busy. An error is
    raised at the next `put` or `flush`."""

    def __init__(
        self, store: Callable[[], AbstractContextManager[Keeps]], program: Identity
    ) -> None:
        self._store, self._program = store, program
        self._rows: list[Row] = []
        self._sums: list[bytes] = []
        self._changed = Condition()
        self._thread: Thread | None = None
        self._is_busy = self._is_closed = False
        self._error: BaseException | None = None

    def put(self, rows: Sequence[Row], sums: Sequence[bytes]) -> None:
        """Store these rows with their checksums."""
        with self._changed:
            self._changed.wait_for(lambda: self._error or len(self._rows) < MOST_WAITING)
            self._raise()
            self._rows += rows
            self._sums += sums
            if self._thread is None:
                self._thread = Thread(target=self._run, daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def flush(self) -> None:
        """Wait until everything is stored."""
        with self._changed:
            self._changed.wait_for(lambda: self._error or not (self._rows or self._is_busy))
            self._raise()

    def close(self) -> None:
        """Store what is left, and end, without raising errors."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join()

    def _raise(self) -> None:
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        try:
            with self._store() as store:
                while self._has_taken():
                    rows, sums = self._taken
                    declared = declaration(self._program.scenario)
                    store.put(self._program, declared.ns3, declared.text, rows, sums)
        except BaseException as error:
            with self._changed:
                self._error = error
                self._changed.notify_all()

    def _has_taken(self) -> bool:
        """Wait for rows and take them, and return whether there are any, False after closing."""
        with self._changed:
            self._is_busy = False
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._rows or self._is_closed)
            self._taken = self._rows, self._sums
            self._rows, self._sums, self._is_busy = [], [], bool(self._rows)
            return self._is_busy
