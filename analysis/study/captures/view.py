# SPDX-License-Identifier: GPL-2.0-only
"""Numbers in network byte order, read from many places of a memory block at once."""

import numpy as np


class View:
    """A chunk's bytes as numbers of 1, 2 and 4 bytes at any place. A place after the chunk reads as
    its last bytes: the caller knows how much of a frame was kept."""

    def __init__(self, data: np.ndarray):
        self._u8 = data
        self._u16 = np.ndarray((len(data) - 1,), ">u2", buffer=data, strides=(1,))
        self._u32 = np.ndarray((len(data) - 3,), ">u4", buffer=data, strides=(1,))

    def u8(self, place: np.ndarray) -> np.ndarray:
        """Return one byte at each place."""
        return self._u8.take(place, mode="clip")

    def u16(self, place: np.ndarray) -> np.ndarray:
        """Return two bytes at each place."""
        return self._at(self._u16, place).astype(np.uint16)

    def u32(self, place: np.ndarray) -> np.ndarray:
        """Return four bytes at each place."""
        return self._at(self._u32, place).astype(np.uint32)

    def bytes(self, place: np.ndarray, count: int) -> np.ndarray:
        """Return rows of `count` bytes."""
        return self._u8.take(place[:, None] + np.arange(count), mode="clip")

    @staticmethod
    def _at(numbers: np.ndarray, place: np.ndarray) -> np.ndarray:
        return numbers[np.minimum(place, len(numbers) - 1)]
