# SPDX-License-Identifier: GPL-2.0-only
"""Sequence numbers as tcpdump prints them: a SYN's and a reset's as they are, the others relative
to the first ones it saw; and where the numbers show that packets were left out."""

import numpy as np

HALF, WHOLE = 1 << 31, 1 << 32
LARGEST_STEP = 1 << 30


class Numbers:
    """One end's numbers, relative to its SYN or to the first one printed, which is 1 then."""

    def __init__(self) -> None:
        # What may have to be taken off a printed number, until one that tells has been seen: it is
        # relative already, or as in the header.
        self._offsets: list[int] = []
        self._all_offsets: list[int] = []
        self._next = 1

    def sequence(self, printed: int | None, length: int, syn: bool, reset: bool) -> int:
        """A packet's own number; one that is not printed is the next."""
        if printed is None:
            return self._next
        if syn:
            self._offsets = self._all_offsets = [printed, 0]
            self._next = 1 + length
            return 0
        if reset:  # as in the header, which tells nothing if there was no SYN
            number, _ = self._nearest(printed, self._all_offsets)
            return number if abs(number - self._next) < LARGEST_STEP else self._next
        number = self._placed(printed, -1)
        self._next = max(self._next, number + length)
        return number

    def acknowledged(self, printed: int, by_syn: bool) -> int:
        """The same end's number as the other acknowledges it, a SYN as in the header."""
        number = self._placed(printed, 0, decides=not by_syn)
        self._next = max(self._next, number)
        return number

    def near(self, printed: int) -> int:
        """The number nearest to the next one that a printed one can be."""
        return self._nearest(printed, self._offsets)[0]

    def _placed(self, printed: int, relative: int, decides: bool = True) -> int:
        if not self._offsets:
            # Today's tcpdump counts from the first number it saw, as 0 for the end that sent it and
            # as 1 for the one whose number was acknowledged; that first one it prints whole.
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
    """Packets before which others are missing: numbers jump, and what they jump over never comes;
    or the text says so."""
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
            if ack > known + 1:  # a FIN counts one
                jumped |= _never(packets[index:], not end, known, ack)
                reached[not end] = ack
        if jumped:
            found.append(index)
    return found


def _never(later: np.ndarray, end: bool, start: int, stop: int) -> bool:
    """Whether an end sends nothing that begins in a range any more."""
    if stop <= start:
        return False
    seq = later["seq"]
    own = (later["from_client"] == end) & (later["length"] > 0)
    return not (own & (seq >= start) & (seq < stop)).any()
