# SPDX-License-Identifier: GPL-2.0-only
"""Frames of a binary capture, a chunk of the file at a time: where each begins, how much of it was
kept, its time and its link.

A file is read in chunks and not mapped into memory: that way gzip and standard input are read as
files are, and a file of 1 GB takes the memory of a chunk. The records' lengths are followed one by
one, by `struct`; all that is inside of them is decoded for a whole chunk at once, by numpy. No
library did better: the fastest reader makes a Python object of every frame and has no wheel for
Linux on aarch64; libpcap's reads one kind of link a file, and microseconds.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from study.captures.source import Source

CHUNK = 1 << 22
# Bytes after a chunk, so that a header can be read before its length is checked.
MARGIN = 256


@dataclass(frozen=True)
class Frames:
    """Frames in one block of memory. Each array has an item for a frame."""

    data: np.ndarray  # of uint8, with a margin after it
    offset: np.ndarray  # index of the frame's first byte in `data`
    kept: np.ndarray  # in the file, in B
    length: np.ndarray  # on the wire, in B
    time_ns: np.ndarray  # since 1970
    interface: np.ndarray  # index of its `Interface`
    number: np.ndarray  # in the file, from 1


@dataclass(frozen=True)
class Interface:
    """Interface of a capture: the kind of its link header, and the unit of its stamps."""

    link: int  # LINKTYPE_ number
    snaplen: int = 0
    ticks_a_second: int = 1_000_000
    offset_s: int = 0


class Reader:
    """Reader of a binary format. `cut` says that the last record is incomplete."""

    header_B = 0  # of the file, ahead of its records

    def __init__(self, source: Source):
        self.interfaces: list[Interface] = []
        self.cut = False
        self.end_ns = 0  # end of the capture, if statistics have it
        self._source = source
        self._number = 1  # of the next frame

    def frames(self) -> Iterator[Frames]:
        """Yield all frames, a chunk at a time."""
        data, used = self._chunk(b"", 0), self.header_B
        while True:
            found, used = self._walk(data, used)
            if len(found):
                yield self._decoded(data, found)
                self._number += len(found)
            rest = data[used:]
            data, used = self._chunk(rest, self._needed(data, used)), 0
            if len(data) == len(rest):
                self.cut = self._source.cut or len(rest) > 0
                return

    def _chunk(self, rest: bytes, least_B: int) -> bytes:
        """Return the unused rest of the chunk before and what follows it, up to at least so many
        bytes; the rest alone at the end."""
        pieces, length = [rest], len(rest)
        wanted = max(length + CHUNK, least_B)
        while length < wanted and (more := self._source.read(min(CHUNK, wanted - length))):
            pieces.append(more)
            length += len(more)
        return b"".join(pieces)

    def _walk(self, data: bytes, start: int) -> tuple[Sequence, int]:
        """Return what is known of all complete records, and the place of the first incomplete
        one."""
        raise NotImplementedError

    def _needed(self, data: bytes, place: int) -> int:
        """Return how many bytes the incomplete record at a place takes, as far as is known."""
        raise NotImplementedError

    def _decoded(self, data: bytes, found: Sequence) -> Frames:
        """Return the frames of the complete records of a chunk."""
        raise NotImplementedError


def as_bytes(data: bytes) -> np.ndarray:
    """Return a chunk as an array with its margin."""
    array = np.zeros(len(data) + MARGIN, np.uint8)
    array[: len(data)] = np.frombuffer(data, np.uint8)
    return array
