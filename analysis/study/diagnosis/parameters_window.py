# SPDX-License-Identifier: GPL-2.0-only
"""The receiver's window, as its sender sees it: how large, what takes the data out of the buffer,
when it tells that there is room again, and when it does not for long."""

from collections.abc import Iterator

import numpy as np

from study.captures.connection import RST, SYN
from study.diagnosis.finding import Finding, in_rate, named, some, time_text, timed
from study.diagnosis.parameters_link import Link
from study.diagnosis.transfer import Transfer

USUALLY = 0.5  # of the ACKs: what most of them do
LONG = 10.0  # a pause is so many times the usual wait, and
PAUSE_S = 0.1  # at least that
STEADY = 0.05
LEAST_UPDATES = 5
BEGINNING = 8  # offers
PLENTIFUL_B = 65535  # all that a header holds without a scale
GREW = 1.5  # a window that ends so many times larger than it began has grown


def window(transfer: Transfer, link: Link) -> Iterator[Finding]:
    """All of it."""
    yield from _size(transfer)
    updates = Updates(transfer)
    yield from updates.draining(link)
    yield from updates.pauses(link)
    yield from updates.probes(link)
    yield from updates.rule()


def offered(transfer: Transfer) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the receiver's packets that offer a window, and what they offer. A reset offers
    none, and a SYN's is not scaled yet."""
    rows = transfer.acks
    rows = rows[~transfer.flagged(RST)[rows]]
    plain = rows[~transfer.flagged(SYN)[rows]]
    rows = plain if len(plain) else rows
    return rows, transfer.packets["window"][rows]


def grew(transfer: Transfer) -> tuple[int, int] | None:
    """First and largest window, where it grew with the transfer."""
    _, windows = offered(transfer)
    if len(windows) <= BEGINNING:
        return None
    first, largest = int(windows[:BEGINNING].max()), int(windows.max())
    return (first, largest) if largest > GREW * max(first, 1) else None


def _size(transfer: Transfer) -> Iterator[Finding]:
    rows, windows = offered(transfer)
    if not len(windows):
        return
    largest = int(windows.max())
    numbers = transfer.number[rows[windows == largest]]
    grown = grew(transfer)
    source = f"win {largest}, the largest that it offers: {named(numbers)}"
    if grown:
        source += f"; it begins with {grown[0]} and grows"
    yield Finding("receive_window", largest, "B", "measured", source, some(numbers))
    sender, receiver = transfer.offers
    own = transfer.packets[transfer.is_sent & ~transfer.flagged(RST) & ~transfer.flagged(SYN)]
    host = int(np.median(own["window"])) if len(own) else 0
    if host:
        source = f"win {host}, the usual of the sender's packets"
        yield Finding("host_window", host, "B", "measured", source)
    scaled = max(host, largest) > PLENTIFUL_B
    for key, offer in (("host_window_scale", sender), ("device_window_scale", receiver)):
        shift = offer.window_scale
        if scaled and shift is None:
            told = "a window is larger than a header holds; no SYN tells its scale"
            yield Finding(key, "auto", "", "assumed", told)
        elif offer.seen:
            told = "no window scale" if shift is None else f"window scale {shift}"
            value = "none" if shift is None else str(min(shift, 14))
            yield Finding(key, value, "", "measured", f"{told} in the SYN")


class Updates:
    """Each ACK that left less than the whole window, and when the whole was told again."""

    def __init__(self, transfer: Transfer) -> None:
        self.transfer = transfer
        rows, windows = offered(transfer)
        packets = transfer.packets
        pure = packets["length"][rows] == 0
        acks = packets["ack"][rows]
        same = np.concatenate(([False], (acks[1:] == acks[:-1]) & (windows[1:] > windows[:-1])))
        self.rows, self.windows, self.acks = rows, windows, acks
        self.is_update = same & pure
        self.largest = int(windows.max()) if len(windows) else 0
        # The answers to probes repeat the ACK: the wait counts from the first that had its number.
        first = np.concatenate(([True], acks[1:] != acks[:-1])) if len(rows) else pure
        self.since = np.maximum.accumulate(np.where(first, np.arange(len(rows)), 0))
        known = transfer.region[rows] == transfer.region[rows[self.since]] if len(rows) else pure
        self.openings = np.flatnonzero(self.is_update & known)
        times = transfer.time_s[rows]
        self.waits_s = times[self.openings] - times[self.since[self.openings]]

    @property
    def is_usual(self) -> bool:
        """Whether most ACKs of data are followed by an update."""
        count = len(self.transfer.answers.row)
        return count > 0 and len(self.openings) >= USUALLY * count

    @property
    def reopens_whole(self) -> bool:
        """Whether the updates tell the whole window."""
        if not len(self.openings):
            return False
        return float(np.mean(self.windows[self.openings] >= self.largest)) >= USUALLY

    def _paused(self) -> np.ndarray:
        """Which of the waits are pauses."""
        if not len(self.waits_s):
            return np.zeros(0, dtype=bool)
        usual_s = float(np.median(self.waits_s))
        return (self.waits_s > LONG * usual_s) & (self.waits_s > PAUSE_S)

    def draining(self, link: Link) -> Iterator[Finding]:
        """A buffer that is empty some time after each ACK, or one that is emptied at a rate."""
        waits_s = self.waits_s[~self._paused()]
        numbers = self.transfer.number[self.rows[self.openings[~self._paused()]]]
        if self.is_usual and self.reopens_whole and len(waits_s):
            low_s, high_s = float(waits_s.min()), float(np.percentile(waits_s, 95))
            middle_s = float(np.median(waits_s))
            asked = f"from an ACK to the update that tells the whole window, {named(numbers)}"
            source = f"{asked}: the median of {len(waits_s):,}, from {time_text(low_s)} to "
            source += time_text(high_s)
            if high_s - low_s > STEADY * middle_s:
                yield timed("drain_latency", low_s, "derived", f"{asked}: the least", numbers)
                source = f"the most less the least, {time_text(high_s)} - {time_text(low_s)}"
                yield timed("drain_latency_spread", high_s - low_s, "derived", source, numbers)
            else:
                yield timed("drain_latency", middle_s, "derived", source, numbers)
            return
        yield from self._port()

    def _port(self) -> Iterator[Finding]:
        """Where the window is not whole most of the time: by how much its end advances."""
        rate = drain_rate(self.transfer)
        if rate is None:
            return
        bits, first, last = rate
        value, unit = in_rate(bits)
        numbers = self.transfer.number[[first, last]]
        source = (
            "the window is not whole most of the time, so its end advances by what leaves the "
            f"buffer: from packet {int(numbers[0])} to {int(numbers[1])}"
        )
        yield Finding("port_rate", value, unit, "derived", source, some(numbers))
        steps = self.windows[self.openings] - self.windows[np.maximum(self.openings - 1, 0)]
        if len(steps) >= LEAST_UPDATES:
            chunk = int(np.clip(np.median(steps), 1, 65535))
            numbers = self.transfer.number[self.rows[self.openings]]
            source = f"the usual step by which an update opens the window, {named(numbers)}"
            yield Finding("port_chunk", chunk, "B", "derived", source, some(numbers))

    def pauses(self, link: Link) -> Iterator[Finding]:
        """The waits that are far longer than the usual one."""
        paused = self._paused()
        if not paused.any():
            return
        usual_s = float(np.median(self.waits_s[~paused])) if (~paused).any() else 0.0
        places = self.openings[paused]
        shut = self.since[places]
        numbers = self.transfer.number[self.rows[places]]
        # What empties the buffer stopped when it had taken the data before: at the last update.
        last = np.searchsorted(self.openings, shut) - 1
        began = np.where(last >= 0, self.rows[self.openings[np.maximum(last, 0)]], self.rows[shut])
        together = self.transfer.region[began] == self.transfer.region[self.rows[places]]
        began = np.where(together, began, self.rows[shut])
        each_s = self.transfer.time_s[self.rows[places]] - self.transfer.time_s[began] - usual_s
        source = (
            f"the window stays shut until {named(numbers)}: the median of {len(places)}, counted "
            f"from the update before, less {time_text(usual_s)} of the usual update"
        )
        yield timed("drain_pause", float(np.median(each_s)), "derived", source, numbers)
        at_B = self.acks[shut]
        if len(at_B) > 1:
            every = int(np.median(np.diff(at_B)))
            source = f"bytes from one such pause to the next, {named(numbers)}: the median"
            yield Finding("drain_pause_every", every, "B", "derived", source, some(numbers))
            return
        begin = int(self.transfer.data.begin[0])
        seen = int(max(at_B[0] - begin, self.transfer.data.end[-1] - at_B[0], 1))
        source = f"one pause is seen, at byte {int(at_B[0])}: the next is no nearer than that"
        if self.transfer.has_holes:
            source = f"one pause is seen, at byte {int(at_B[0])}; what is left out may hold others"
        yield Finding("drain_pause_every", seen, "B", "bound", source, some(numbers), low=seen)

    def probes(self, link: Link) -> Iterator[Finding]:
        """What is asked while the window is shut, and when it is answered."""
        rows = probe_rows(self.transfer)
        if not len(rows):
            return
        time_s, number = self.transfer.time_s, self.transfer.number
        place = np.searchsorted(self.rows, rows)
        answered = place < len(self.rows)
        took_s = time_s[self.rows[place[answered]]] - time_s[rows[answered]]
        if len(took_s):
            own_s = max(float(np.median(took_s)) - link.there_and_back_s(self.transfer, 0), 0.0)
            source = f"from a probe to its answer, {named(number[rows])}, less the way: the median"
            yield timed("window_probe_latency", own_s, "derived", source, number[rows])
        before = np.searchsorted(self.rows, rows[0]) - 1
        if before >= 0:
            first = self.rows[self.since[before]]
            gap_s = float(time_s[rows[0]] - time_s[first])
            told = number[[first, rows[0]]]
            source = f"from the ACK that shut the window to the first probe, {named(told)}"
            yield timed("first_persist_timeout", gap_s, "measured", source, told)

    def rule(self) -> Iterator[Finding]:
        """Which openings are told."""
        openings = self.openings
        if len(openings) < LEAST_UPDATES or self.reopens_whole:
            return
        before = self.windows[openings - 1]
        steps = self.windows[openings] - before
        numbers = self.transfer.number[self.rows[openings]]
        half = min(self.transfer.mss_B, self.largest // 2)
        if (before == 0).all():
            told, rule = "only a shut window is told to be open again", "from-zero"
        elif (steps >= half).all():
            told, rule = "none tells of less than one MSS or half the window", "rfc1122"
        else:
            told, rule = f"the least step is {int(steps.min())} B", "every-opening"
        source = f"{len(openings):,} updates, {named(numbers)}: {told}"
        yield Finding("window_updates", rule, "", "derived", source, some(numbers))


def drain_rate(transfer: Transfer) -> tuple[float, int, int] | None:
    """Bits a second by which the end of the window advances while it is not whole, between two
    rows; None where it usually is."""
    rows, windows = offered(transfer)
    if len(rows) < LEAST_UPDATES or transfer.has_holes or grew(transfer):
        return None
    usual, largest = float(np.median(windows)), int(windows.max())
    if usual > largest - max(transfer.mss_B, 1):
        return None
    clipped = np.flatnonzero(windows <= largest - transfer.mss_B)
    first, last = rows[clipped[0]], rows[clipped[-1]]
    edges = transfer.packets["ack"][[first, last]] + transfer.packets["window"][[first, last]]
    took_s = float(transfer.time_s[last] - transfer.time_s[first])
    advanced = int(edges[1] - edges[0])
    return (advanced * 8 / took_s, int(first), int(last)) if took_s > 0 and advanced > 0 else None


def probe_rows(transfer: Transfer) -> np.ndarray:
    """The sender's packets of a byte at most while the window is shut."""
    packets, rows = transfer.packets, transfer.acks
    mine = np.flatnonzero(
        transfer.is_sent & (packets["length"] <= 1) & ((packets["flags"] & 7) == 0)
    )
    if not len(rows) or not len(mine):
        return mine[:0]
    place = np.searchsorted(rows, mine) - 1
    shut = (place >= 0) & (packets["window"][rows[np.maximum(place, 0)]] == 0)
    shut &= transfer.region[mine] == transfer.region[rows[np.maximum(place, 0)]]
    waited = transfer.time_s[mine] - transfer.time_s[rows[np.maximum(place, 0)]]
    return mine[shut & (waited > PAUSE_S / 10)]
