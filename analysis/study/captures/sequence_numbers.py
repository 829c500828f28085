# SPDX-License-Identifier: GPL-2.0-only
"""Sequence numbers of 32 bits, which begin anywhere and wrap, as numbers that begin at the SYN and
do not wrap."""

import numpy as np

from study.captures.connection import ACK, RST, SYN


def forward(later: np.ndarray, earlier: np.ndarray) -> np.ndarray:
    """Return the distance from `earlier` to `later` in the half circle (RFC 9293, 3.4)."""
    apart = later.astype(np.uint32, copy=False) - earlier.astype(np.uint32, copy=False)
    return apart.view(np.int32).astype(np.int64)


class Unwrapped:
    """Unwrapped sequence and ACK numbers of packets that come in pieces, relative to the SYNs;
    without a SYN the first number seen is 1. A SYN must be in the first piece."""

    def __init__(self) -> None:
        self._ends = {True: _Chain(), False: _Chain()}

    def of(
        self, seq: np.ndarray, ack: np.ndarray, flags: np.ndarray, from_client: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the unwrapped numbers of the next packets."""
        seq_out = np.zeros(len(seq), np.int64)
        ack_out = np.full(len(ack), -1, np.int64)
        has_ack = flags & ACK > 0
        for end, chain in self._ends.items():
            own = from_client == end
            rows = np.flatnonzero(own | (~own & has_ack))
            if not len(rows):
                continue
            mine = own[rows]
            numbers = np.where(mine, seq[rows], ack[rows])
            # A reset may carry any number: it is placed, but does not place others.
            links = flags[rows] & RST == 0
            placed = chain.placed(numbers, links, mine & (flags[rows] & SYN > 0))
            seq_out[rows[mine]] = placed[mine]
            ack_out[rows[~mine]] = placed[~mine]
        return seq_out, ack_out


class _Chain:
    """The numbers of one end's bytes, each placed relative to the one before."""

    def __init__(self) -> None:
        self._number: np.ndarray | None = None  # the last one that places others
        self._place = 0

    def placed(self, numbers: np.ndarray, links: np.ndarray, syn: np.ndarray) -> np.ndarray:
        """Return the unwrapped next numbers; `links` marks those that place others."""
        if self._number is not None:
            numbers = np.concatenate((self._number, numbers))
            links = np.concatenate(([True], links))
            places = _chained(numbers, links) + self._place
        else:
            if not links.any():
                links[0] = True
            places = _chained(numbers, links)
            places -= places[syn.argmax()] if syn.any() else places[links.argmax()] - 1
        last = len(links) - 1 - int(links[::-1].argmax())
        begins = 0 if self._number is None else 1
        self._number, self._place = numbers[last : last + 1], int(places[last])
        return places[begins:]


def _chained(numbers: np.ndarray, chain: np.ndarray) -> np.ndarray:
    """Return each number relative to the one before it in the chain."""
    links = np.flatnonzero(chain)
    steps = np.zeros(len(links), np.int64)
    steps[1:] = forward(numbers[links[1:]], numbers[links[:-1]])
    along = np.cumsum(steps, out=steps)
    if len(links) == len(numbers):
        return along
    before = np.maximum(np.searchsorted(links, np.arange(len(numbers)), side="right") - 1, 0)
    return along[before] + forward(numbers, numbers[links[before]])
