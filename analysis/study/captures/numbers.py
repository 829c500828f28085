# SPDX-License-Identifier: GPL-2.0-only
"""Sequence numbers of 32 bits that begin anywhere and wrap, as numbers that begin at the SYN and
do not."""

import numpy as np

from study.captures.connection import ACK, RST, SYN


def forward(later: np.ndarray, earlier: np.ndarray) -> np.ndarray:
    """How far one number is behind another, in the half circle around it (RFC 9293, 3.4)."""
    apart = later.astype(np.uint32, copy=False) - earlier.astype(np.uint32, copy=False)
    return apart.view(np.int32).astype(np.int64)


def unwrapped(
    seq: np.ndarray, ack: np.ndarray, flags: np.ndarray, from_client: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Both numbers of each packet from the SYNs on; without one the first number seen is 1."""
    seq_out = np.zeros(len(seq), np.int64)
    ack_out = np.full(len(ack), -1, np.int64)
    has_ack = flags & ACK > 0
    for end in (True, False):
        own = from_client == end
        told = ~own & has_ack
        rows = np.flatnonzero(own | told)
        if not len(rows):
            continue
        numbers = np.where(own[rows], seq[rows], ack[rows])
        # What resets a connection may carry any number: it is placed, but nothing by it.
        chain = flags[rows] & RST == 0
        if not chain.any():
            chain[0] = True
        placed = _chained(numbers, chain)
        syn = own[rows] & (flags[rows] & SYN > 0)
        origin = placed[syn.argmax()] if syn.any() else placed[chain.argmax()] - 1
        placed = placed - origin
        mine = own[rows]
        seq_out[rows[mine]] = placed[mine]
        ack_out[rows[~mine]] = placed[~mine]
    return seq_out, ack_out


def _chained(numbers: np.ndarray, chain: np.ndarray) -> np.ndarray:
    """Each number from the one before it in the chain on."""
    links = np.flatnonzero(chain)
    steps = np.zeros(len(links), np.int64)
    steps[1:] = forward(numbers[links[1:]], numbers[links[:-1]])
    along = np.cumsum(steps, out=steps)
    if len(links) == len(numbers):
        return along
    before = np.maximum(np.searchsorted(links, np.arange(len(numbers)), side="right") - 1, 0)
    return along[before] + forward(numbers, numbers[links[before]])
