# SPDX-License-Identifier: GPL-2.0-only
"""Notes on the parts of a connection that a capture does not show."""

from collections.abc import Iterator

import numpy as np

from study.captures.clock import MS
from study.captures.connection import Note, Offer

STALL_S = 0.2  # of silence at a capture's end; a shorter one is where the capture was stopped


class Seen:
    """What a connection's packets, added piece by piece, show of missing ones."""

    def __init__(self) -> None:
        self.ends = {True: Octets(), False: Octets()}

    def add(self, packets: np.ndarray) -> None:
        """Add the next packets."""
        of_client = packets["from_client"]
        for end, octets in self.ends.items():
            octets.add(packets, of_client == end)


class Octets:
    """The bytes that an end sent, as continuous ranges, and its highest ACK."""

    def __init__(self) -> None:
        self.packets = 0
        self._acknowledged = -1
        self._begins: list[np.ndarray] = []
        self._ends: list[np.ndarray] = []

    def add(self, packets: np.ndarray, own: np.ndarray) -> None:
        """Add the next packets, of which `own` are this end's."""
        self.packets += int(own.sum())
        if not own.all():
            self._acknowledged = max(self._acknowledged, int(packets["ack"][~own].max()))
        data = np.flatnonzero(own & (packets["length"] > 0))
        if not len(data):
            return
        begin = packets["seq"][data]
        end = begin + packets["length"][data]
        first = np.concatenate(([True], begin[1:] != end[:-1]))
        self._begins.append(begin[first])
        self._ends.append(end[np.append(first[1:], True)])

    def not_captured_B(self) -> int:
        """Return how many bytes between captured ones were acknowledged but not captured."""
        if not self._begins or self._acknowledged < 0:
            return 0
        begin, end = np.concatenate(self._begins), np.concatenate(self._ends)
        order = np.argsort(begin, kind="stable")
        begin = begin[order]
        gap = begin[1:] - np.maximum.accumulate(end[order])[:-1]
        lost = (gap > 0) & (begin[1:] <= self._acknowledged)
        return int(gap[lost].sum())


def notes_on(
    seen: Seen, client: Offer, server: Offer, tick_ns: int, tail_s: float
) -> Iterator[Note]:
    """Yield notes on the packets of one connection."""
    names = {True: "client", False: "server"}
    for end, name in names.items():
        if not seen.ends[end].packets:
            sentence = f"only one direction was captured: no packet of the {name} is there"
            yield Note("one direction", sentence)
    yield from _on_syns(seen, client, server)
    if tick_ns >= MS:
        ms = tick_ns / MS
        tick = f"{ms / 1000:g} s" if ms >= 1000 else f"{ms:g} ms"
        sentence = (
            f"the clock ticked every {tick}: shorter times are not told, and"
            " longer ones are off by up to as much"
        )
        yield Note("clock", sentence)
    for end, name in names.items():
        missing_B = seen.ends[end].not_captured_B()
        if missing_B:
            sentence = (
                f"{missing_B:,} B of the {name} were acknowledged and are not there: the capture"
                " missed packets"
            )
            yield Note("not captured", sentence)
    if tail_s >= STALL_S:
        sentence = (
            f"after the last packet the capture went on for {tail_s:.3g} s, and the connection was"
            " not closed"
        )
        yield Note("stall", sentence)


def _on_syns(seen: Seen, client: Offer, server: Offer) -> Iterator[Note]:
    if client.seen and server.seen:
        return
    if not client.seen and not server.seen:
        what, whose = "no SYN was captured", "the window's scale is not known"
    elif server.seen:
        what = "the client's SYN was not captured"
        whose = "the scale of its window is not known"
        if server.window_scale is None:
            whose = "the server's offers no window scale, so there is none"
    else:
        if not seen.ends[False].packets:
            return  # reported as one direction
        what, whose = "the server's SYN was not captured", "the window's scale is not known"
    whole = " with all its options" if client.is_cut or server.is_cut else ""
    yield Note("no SYN", f"{what}{whole}: {whose}")
