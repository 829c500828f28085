# SPDX-License-Identifier: GPL-2.0-only
"""Columns that grow while a capture is read. Long ones go on in a temporary file and are mapped
into memory at the end: millions of packets take disk, and memory only where they are looked at."""

import mmap
import tempfile
from collections.abc import Iterator

import numpy as np

from study.base.errors import StudyError, why

IN_MEMORY = 1 << 18  # rows
AT_ONCE = 1 << 18  # rows of a long capture that are worked on at a time


class Growing:
    """A column that grows where it is: joining pieces would hold all of them twice."""

    def __init__(self, kind: type | np.dtype):
        self._array = np.zeros(1024, kind)
        self._used = 0
        self._file = None
        self._map: mmap.mmap | None = None

    def add(self, values: np.ndarray) -> None:
        """Append them."""
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

    def whole(self) -> np.ndarray:
        """The column; it does not grow any more. What is written into it stays in memory."""
        if self._file is None:
            self._array.resize(self._used, refcheck=False)
            return self._array
        try:
            self._file.flush()
            self._map = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_COPY)
            self._file.close()  # the map keeps it, and nobody else sees it
        except OSError as error:
            _refuse(error)
        return np.frombuffer(self._map, self._array.dtype)

    def let_go(self) -> None:
        """Of the memory that a mapped column takes; it is read again where it is looked at. Not
        for one that was written into."""
        if self._map is not None and hasattr(mmap, "MADV_DONTNEED"):
            self._map.madvise(mmap.MADV_DONTNEED)

    def _write(self, values: np.ndarray) -> None:
        try:
            self._file.write(np.ascontiguousarray(values).view(np.uint8))
        except OSError as error:
            _refuse(error)


def _refuse(error: OSError) -> None:
    raise StudyError(
        f"no room for the packets of a large capture in {tempfile.gettempdir()} ({why(error)}):"
        " TMPDIR=... names another folder"
    ) from error


def pieces(count: int) -> Iterator[slice]:
    """So many rows, a part at a time."""
    for begin in range(0, count, AT_ONCE):
        yield slice(begin, min(begin + AT_ONCE, count))
