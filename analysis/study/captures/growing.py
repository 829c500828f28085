# SPDX-License-Identifier: GPL-2.0-only
"""Columns that grow while a capture is read. Long ones go on in a temporary file and are mapped
into memory at the end: millions of packets take disk, and memory only where they are looked at."""

import mmap
import tempfile
from collections.abc import Iterator
from typing import BinaryIO, Protocol

import numpy as np

from study.base.errors import StudyError, why

IN_MEMORY = 1 << 18  # rows
CHUNK_ROWS = 1 << 18  # rows of a long capture that are processed at a time


class Growing:
    """A column that grows in place: joining pieces would need twice the memory. While all its
    values are equal it is stored as one value."""

    def __init__(self, kind: type | np.dtype):
        self._array = np.zeros(1024, kind)
        self._used = 0
        self._is_one = len(self._array.dtype) == 0  # not for rows with fields
        self._file: BinaryIO | None = None

    def add(self, values: np.ndarray) -> None:
        """Append values."""
        if not len(values):
            return
        if self._is_one:
            if not self._used:
                self._array[0] = values[0]
            if (values == self._array[0]).all():
                self._used += len(values)
                return
            self._is_one, used, self._used = False, self._used, 0
            one = self._array[:1].copy()
            for piece in pieces(used):
                self._append(np.repeat(one, piece.stop - piece.start))
        self._append(values)

    def whole(self) -> np.ndarray:
        """Return the column, which cannot grow any more. Changes of a mapped column stay in memory.
        A column of one value is read-only."""
        if self._is_one:
            return np.broadcast_to(self._array[0], self._used)
        if self._file is None:
            self._array.resize(self._used, refcheck=False)
            return self._array
        try:
            self._file.flush()
            mapped = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_COPY)
            self._file.close()  # the map keeps it open, and no other process sees it
        except OSError as error:
            _refuse(error)
        return np.frombuffer(mapped, self._array.dtype)

    def _append(self, values: np.ndarray) -> None:
        end = self._used + len(values)
        if end > IN_MEMORY and self._file is None:
            self._array.resize(self._used, refcheck=False)
            try:
                self._file = tempfile.TemporaryFile(prefix="study-capture-")  # noqa: SIM115
            except OSError as error:
                _refuse(error)
            self._write(self._array)
        if self._file is not None:
            self._write(values.astype(self._array.dtype, copy=False))
        else:
            if end > len(self._array):
                self._array.resize(max(end, len(self._array) * 5 // 4), refcheck=False)
            self._array[self._used : end] = values
        self._used = end

    def _write(self, values: np.ndarray) -> None:
        try:
            self._file.write(np.ascontiguousarray(values).view(np.uint8))
        except OSError as error:
            _refuse(error)


class Mapped(Protocol):
    """Several columns, some of which may be mapped."""

    def let_go(self) -> None: ...


def let_go(column: np.ndarray | Mapped) -> None:
    """Release the memory of a mapped column or columns, which is read again on access; one in
    memory stays. Not for a column that was changed."""
    if not isinstance(column, np.ndarray):
        return column.let_go()
    base = column
    while isinstance(base, np.ndarray):
        base = base.base
    base = getattr(base, "obj", base)  # of a memoryview
    if isinstance(base, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        base.madvise(mmap.MADV_DONTNEED)


class Columns(dict[str, np.ndarray]):
    """Columns by name, some of them mapped."""

    @classmethod
    def grown(cls, growing: dict[str, Growing]) -> "Columns":
        """Return columns that grow no more."""
        return cls((name, column.whole()) for name, column in growing.items())

    def let_go(self) -> None:
        """Release the memory of mapped columns."""
        for column in self.values():
            let_go(column)

    def of(self, rows: slice | np.ndarray) -> "Columns":
        """Return some rows: a slice without a copy, many other rows as new mapped columns."""
        if isinstance(rows, slice) or len(rows) <= IN_MEMORY:
            some = Columns((name, column[rows]) for name, column in self.items())
            self.let_go()
            return some
        growing = {name: Growing(column.dtype) for name, column in self.items()}
        for piece in pieces(len(rows)):
            for name, column in self.items():
                growing[name].add(column[rows[piece]])
            self.let_go()
        return Columns.grown(growing)


def _refuse(error: OSError) -> None:
    raise StudyError(
        f"no room for the packets of a large capture in {tempfile.gettempdir()} ({why(error)}):"
        " TMPDIR=... names another folder"
    ) from error


def pieces(count: int) -> Iterator[slice]:
    """Yield slices of `count` rows, CHUNK_ROWS at a time."""
    for begin in range(0, count, CHUNK_ROWS):
        yield slice(begin, min(begin + CHUNK_ROWS, count))
