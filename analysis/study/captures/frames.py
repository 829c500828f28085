# SPDX-License-Identifier: GPL-2.0-only
"""Frames of a binary capture, a chunk of the file at a time: where each begins, how much of it was
kept, its time and its link.

A file is read in chunks and not mapped into memory: that way gzip and standard input are read as
files are, and a file of 1 GB takes the memory of a chunk. The records' lengths are followed one by
one, by `struct`; all that is inside of them is decoded for a whole chunk at once, by numpy. No
library did better: the fastest reader makes a Python object of every frame and has no wheel for
Linux on aarch64; libpcap's reads one kind of link a file, and microseconds.
"""

from collections.abc import Iterator
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


class Chunks:
    """The bytes of a source in pieces; each begins with the unused rest of the one before."""

    def __init__(self, source: Source, before: bytes = b""):
        self._source = source
        self.data = before
        self.ended = False

    def next(self, used: int, least: int = 0) -> bool:
        """Drop `used` bytes and read more, up to at least `least` bytes, and return False at the
        end."""
        rest = self.data[used:]
        pieces = [rest]
        length = len(rest)
        wanted = max(length + CHUNK, least)
        while length < wanted and (more := self._source.read(min(CHUNK, wanted - length))):
            pieces.append(more)
            length += len(more)
        self.ended = length == len(rest)
        self.data = b"".join(pieces)
        return not self.ended


def as_bytes(data: bytes) -> np.ndarray:
    """Return a chunk as an array with its margin."""
    array = np.zeros(len(data) + MARGIN, np.uint8)
    array[: len(data)] = np.frombuffer(data, np.uint8)
    return array


Reader = Iterator[Frames]
