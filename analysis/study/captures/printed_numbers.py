# SPDX-License-Identifier: GPL-2.0-only
"""Sequence numbers as tcpdump prints them: a SYN's and a reset's as they are, the others relative
to the first ones it saw; and where the numbers show that packets were left out."""

import numpy as np

HALF, WHOLE = 1 << 31, 1 << 32
LARGEST_STEP = 1 << 30


class Numbers:
    """One end's numbers, relative to its SYN, or to the first one printed, which then is 1."""

    def __init__(self) -> None:
        # Possible offsets of a printed number until one is decisive: it is relative already, or as
        # in the header.
        self._offsets: list[int] = []
        self._all_offsets: list[int] = []
        self._next = 1

    def sequence(self, printed: int | None, length: int, syn: bool, reset: bool) -> int:
        """Return a packet's own relative number; the next one if none is printed."""
        if printed is None:
            return self._next
        if syn:
            self._offsets = self._all_offsets = [printed, 0]
            self._next = 1 + length
            return 0
        if reset:  # as in the header, which shows nothing without a SYN
            number, _ = self._nearest(printed, self._all_offsets)
            return number if abs(number - self._next) < LARGEST_STEP else self._next
        number = self._placed(printed, -1)
        self._next = max(self._next, number + length)
        return number

    def acknowledged(self, printed: int, by_syn: bool) -> int:
        """Return an ACK's relative number. A SYN's ACK is printed as in the header."""
        number = self._placed(printed, 0, decides=not by_syn)
        self._next = max(self._next, number)
        return number

    def near(self, printed: int) -> int:
        """Return the possible relative number that is nearest to the next one."""
        return self._nearest(printed, self._offsets)[0]

    def _placed(self, printed: int, relative: int, decides: bool = True) -> int:
        if not self._offsets:
            # Today's tcpdump counts from the first number seen, as 0 for the end that sent it and
            # as 1 for the one whose number was acknowledged. It prints the first one absolute.
            self._offsets = self._all_offsets = [printed - 1, relative]
            return 1
        number, offset = self._nearest(printed, self._offsets)
        if decides:
            self._offsets = [offset]
        return number

    def _nearest(self, printed: int, offsets: list[int]) -> tuple[int, int]:
        candidates = []
        for offset in offsets or [0]:
            ahead = (printed - offset - self._next) % WHOLE
            candidates.append((self._next + ahead - (WHOLE if ahead >= HALF else 0), offset))
        return min(candidates, key=lambda each: abs(each[0] - self._next))


def holes(packets: np.ndarray, left_out: np.ndarray) -> list[int]:
    """Return the indices of packets before which others are missing: numbers jump over bytes that
    never come, or the text says so."""
    found = []
    reached: dict[bool, int] = {}
    for index in range(len(packets)):
        packet = packets[index]
        end = bool(packet["from_client"])
        jumped = bool(left_out[index]) and index > 0
        first, behind = int(packet["seq"]), int(packet["seq"] + packet["length"])
        if packet["length"]:
            jumped |= end in reached and _never(packets[index:], end, reached[end], first)
            reached[end] = max(reached.get(end, behind), behind)
        ack = int(packet["ack"])
        if ack > 0 and (not end) in reached:
            known = reached[not end]
            if ack > known + 1:  # a FIN counts as one
                jumped |= _never(packets[index:], not end, known, ack)
                reached[not end] = ack
        if jumped:
            found.append(index)
    return found


def _never(later: np.ndarray, end: bool, start: int, stop: int) -> bool:
    """Return whether an end sends nothing more that begins in the range."""
    if stop <= start:
        return False
    seq = later["seq"]
    own = (later["from_client"] == end) & (later["length"] > 0)
    return not (own & (seq >= start) & (seq < stop)).any()
