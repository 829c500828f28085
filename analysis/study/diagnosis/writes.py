# SPDX-License-Identifier: GPL-2.0-only
"""The writes of the program that sends, where its segments show them: small ones one after the
other at the beginning, or the same again and again with pauses in between."""

from collections.abc import Iterator

import numpy as np

from study.captures.connection import PSH
from study.diagnosis.finding import Finding, named, some, time_text, timed
from study.diagnosis.transfer import TIMESTAMP_B, Transfer

DIRECT_S = 2e-3  # from one such segment to the next
BLOCK_B = 512  # programs write multiples of it
ALONE_S = 1e-4  # behind the packet in front of it
SOON, MOSTLY = 0.05, 0.8  # of the time from one write to the next, and of the writes
LEAST_FLIGHTS, LEAST_WRITE_B = 12, 16  # that tell of joined writes, and what a write is at least
LEAST_WRITES, ALIKE = 5, 0.2  # with pauses, and how far the middle half of them lie apart


def early_writes(transfer: Transfer) -> Iterator[Finding]:
    """What a program hands down at a time, where segments of less than the MSS leave one after the
    other without waiting: the first, the usual one, and the time between two."""
    data = transfer.data
    pushed = (transfer.packets["flags"][data.row] & PSH) > 0
    pushed |= not pushed.any()  # of a sender that sets no PSH
    small = pushed & (data.length < transfer.mss_B) & (transfer.room_B > 0)
    gaps_s = np.diff(data.time_s, prepend=-np.inf)
    no_ack = np.concatenate(([False], np.diff(data.row) == 1))
    behind = small & no_ack & (gaps_s < DIRECT_S)
    run = np.flatnonzero(behind & np.concatenate(([False], small[:-1])))
    if len(run) < 2:
        return
    first = int(run[0]) - 1
    sizes, counts = np.unique(data.length[run], return_counts=True)
    usual = int(sizes[np.argmax(counts)])
    numbers = transfer.number[data.row[[first, *run]]]
    source = f"the first of the segments that leave one after the other, {named(numbers)}"
    yield Finding("first_write", int(data.length[first]), "B", "measured", source, some(numbers))
    source = f"the size of most segments that leave one after the other, {named(numbers)}"
    yield Finding("write_size", usual, "B", "measured", source, some(numbers))
    middle_s = float(np.median(gaps_s[run]))
    source = f"from one such segment to the next, {named(numbers)}: the median of {len(run)}"
    source += f", {time_text(middle_s)}"
    yield timed("write_time", middle_s, "derived", source, numbers)


def block_writes(transfer: Transfer) -> tuple[int, np.ndarray] | None:
    """Bytes a write, and the rows of the segments that end one, where a program that is never idle
    shows its writes all the same: each ends with what is left of it, at a multiple of its size."""
    data, size = transfer.data, transfer.mss_B
    if transfer.has_holes or transfer.is_again.any() or not len(data.row):
        return None
    small = np.flatnonzero(data.length[:-1] < size)
    if len(small) < LEAST_WRITES:
        return None
    ends = data.end - data.begin[0]
    one = int(np.gcd.reduce(ends[small]))
    every = np.arange(one, ends[-2] + 1, one)
    if one <= size or one % BLOCK_B or np.mean(np.isin(every, ends)) < MOSTLY:
        return None
    return one, data.row[small]


def writes_with_pauses(transfer: Transfer) -> tuple[int, float, np.ndarray] | None:
    """Bytes a write, the time from one to the next, and the rows of their first packets, where the
    program writes the same again and again and waits in between."""
    data, begun = transfer.data, np.flatnonzero(_of_itself(transfer))
    if len(begun) < LEAST_WRITES:
        return None
    sizes = np.diff(data.begin[begun])
    periods_s = np.diff(data.time_s[begun])
    for values in (sizes, periods_s):
        low, middle, high = np.percentile(values, [25, 50, 75])
        if high - low > ALIKE * middle:
            return None
    if sizes.sum() < transfer.total_B / 2 or _are_woken(transfer, begun, periods_s):
        return None
    # As fast as all of them went: one that was late now and then is part of that.
    size = int(np.median(sizes))
    return size, float(size * periods_s.sum() / sizes.sum()), data.row[begun]


def _whole_B(transfer: Transfer) -> int:
    """What a segment could carry: by the SYNs, for it may never have."""
    agreed = [offer.mss for offer in transfer.offers if offer.seen and offer.mss]
    return max(transfer.mss_B, min(agreed, default=0) - TIMESTAMP_B)


def joined_writes(transfer: Transfer) -> tuple[int, float, np.ndarray] | None:
    """Bytes a write, the time from one to the next, and the rows of what they became, where Nagle's
    algorithm joins small writes until the ACK comes: every flight waits for the ACK of all before
    it, and has as many whole writes as were written meanwhile, now one more and now one less."""
    data = transfer.data
    small = np.flatnonzero(data.length < _whole_B(transfer))
    if transfer.has_holes or transfer.is_again.any() or len(small) < LEAST_FLIGHTS:
        return None
    # Where a small segment ends, a write does; a whole one leaves when it is full.
    sizes = np.diff(data.end[small], prepend=data.begin[0])
    one, usual = int(np.gcd.reduce(sizes)), int(np.median(sizes))
    more = int((sizes > usual).sum())
    if one < LEAST_WRITE_B or usual < 2 * one or more < max(2, 0.05 * len(sizes)):
        return None
    behind = data.row[small[1:]]
    waited = transfer.time_s[behind] - transfer.time_s[behind - 1] < DIRECT_S
    waited &= ~transfer.is_sent[behind - 1]
    waited &= transfer.outstanding_B[small[1:]] == data.length[small[1:]]
    if np.mean(waited) < MOSTLY or data.length[small].sum() < transfer.total_B / 2:
        return None
    first, last = small[0], small[-1]
    carried_B = float(data.end[last] - data.end[first])
    took_s = float(data.time_s[last] - data.time_s[first])
    return one, one * took_s / carried_B, data.row[small]


def _are_woken(transfer: Transfer, begun: np.ndarray, periods_s: np.ndarray) -> bool:
    """Whether most writes come right behind an ACK while more is out: a program with a pace of its
    own does not know when that comes, one that sleeps until its buffer has room is woken by it."""
    rows, acks = transfer.data.row[begun], transfer.acks
    place = np.searchsorted(acks, rows) - 1
    since_s = transfer.time_s[rows] - transfer.time_s[acks[np.maximum(place, 0)]]
    out = transfer.outstanding_B[begun] > transfer.data.length[begun]
    woken = (place >= 0) & out & (since_s < SOON * np.median(periods_s))
    return float(np.mean(woken)) > MOSTLY


def is_paced(transfer: Transfer, size: int) -> bool:
    """Whether what leaves at a time is nothing but whole segments, whose size no program knows: a
    kernel that spaces what it sends (SO_MAX_PACING_RATE, BBR) hands them down so."""
    return size > 0 and transfer.mss_B > 0 and size % transfer.mss_B == 0 and size % BLOCK_B != 0


def _of_itself(transfer: Transfer) -> np.ndarray:
    """Of each segment, whether it left of itself: not behind an ACK or another segment, and with
    the window open, also before the receiver last spoke; what that opened a window for has no
    program to thank, unless it came much later."""
    rows, acks = transfer.data.row, transfer.acks
    waited_s = transfer.time_s[rows] - transfer.time_s[np.maximum(rows - 1, 0)]
    same = np.concatenate(([False], np.diff(transfer.region[rows]) == 0))
    room = transfer.room_B + transfer.data.length >= transfer.mss_B
    own = same & room & (waited_s > ALONE_S)
    if len(acks) < 2:
        return own
    edge = np.maximum.accumulate(transfer.packets["ack"][acks] + transfer.packets["window"][acks])
    place = np.searchsorted(acks, rows) - 1
    before = edge[np.maximum(place - 1, 0)] - transfer.data.begin
    opened = (place > 0) & (before < transfer.mss_B)
    return own & (~opened | (waited_s > DIRECT_S))
