# SPDX-License-Identifier: GPL-2.0-only
"""Sequence numbers as tcpdump prints them: a SYN's and a reset's as they are, the others relative to
the first ones it saw; and where the numbers show that packets were left out."""

import numpy as np

HALF, WHOLE = 1 << 31, 1 << 32
FAR = 1 << 30


class Numbers:
    """One end's numbers, relative to its SYN or to the first one printed, which is 1 then."""

    def __init__(self) -> None:
        # What may have to be taken off a printed number: it is absolute, or relative already.
        self._offsets: list[int] = []
        self._last = 1
        self._next = 1

    def sequence(self, printed: int | None, length: int, syn: bool, reset: bool) -> int:
        """A packet's own number; one that is not printed is the next."""
        if printed is None:
            return self._next
        if syn:
            self._offsets, self._last = [printed, 0], 0
            self._next = 1 + length
            return 0
        number = self._begun_or_near(printed, reset)
        self._last = number
        self._next = max(self._next, number + length)
        return number

    def acknowledged(self, printed: int) -> int:
        """The same end's number as the other acknowledges it."""
        number = self._begun_or_near(printed, False)
        self._last = number
        self._next = max(self._next, number)
        return number

    def near(self, printed: int) -> int:
        """The number nearest to the last one that a printed one can be."""
        candidates = []
        for offset in self._offsets or [0]:
            ahead = (printed - offset - self._last) % WHOLE
            candidates.append(self._last + ahead - (WHOLE if ahead >= HALF else 0))
        return min(candidates, key=lambda each: abs(each - self._last))

    def _begun_or_near(self, printed: int, reset: bool) -> int:
        if not self._offsets:
            # Today's tcpdump counts from the first number it saw, as 0 for the end that sent it and
            # as 1 for the one whose number was acknowledged; that first one it prints whole.
            self._offsets = [printed - 1, -1, 0]
            self._last = 1
            return 1
        number = self.near(printed)
        # A reset's is absolute; to what is not known if there was no SYN.
        return self._next if reset and abs(number - self._last) > FAR else number


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
