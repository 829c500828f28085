# SPDX-License-Identifier: GPL-2.0-only
"""The receiver's window, as its sender sees it: how large, what takes the data out of the buffer,
when it tells that there is room again, and when it does not for long."""

from collections.abc import Iterator, Mapping

import numpy as np

from study.captures.connection import RST, SYN
from study.captures.scale import SCALE
from study.diagnosis.finding import Finding, in_rate, named, share, some, time_text, timed
from study.diagnosis.parameters_link import Link
from study.diagnosis.parameters_port import (
    read_in_leaps,
    small_steps,
    told_step_by_step,
    unread_behind_acks,
)
from study.diagnosis.transfer import Transfer

USUALLY, SELDOM = 0.5, 0.1  # of the ACKs: what most of them do, and hardly any
LONG = 10.0  # a pause is so many times the usual wait, and
PAUSE_S = 0.02  # at least that
STEADY = 0.05
LEAST_UPDATES = 5
HELD_BY_IT, MATTERS = ("receive_window", "drain", "window_update"), 0.02
LEAPS_MATTER = 0.2  # of the time
LARGEST_B = 6291456  # of Linux's net.ipv4.tcp_rmem
BEGINNING = 8  # offers
PLENTIFUL_B = 65535  # all that a header holds without a scale
QUICKER = 1.5  # times as quick
GREW = 1.5  # a window that ends so many times larger than it began has grown


def window(transfer: Transfer, link: Link, limits_s: Mapping[str, float]) -> Iterator[Finding]:
    """All of it."""
    yield from _size(transfer, share(limits_s, *HELD_BY_IT))
    updates = Updates(transfer)
    drained = list(updates.draining(link))
    if not drained and share(limits_s, "drain") >= LEAPS_MATTER:
        drained = list(read_in_leaps(transfer, updates.rows, updates.windows))
    yield from drained
    yield from updates.pauses(link)
    yield from updates.probes(link)
    yield from updates.rule()


def offered(transfer: Transfer) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the receiver's packets that offer a window, and what they offer. A reset offers
    none, and a SYN's is not scaled: where nothing is, it tells the whole."""
    rows = transfer.acks
    rows = rows[~transfer.flagged(RST)[rows]]
    plain = rows[~transfer.flagged(SYN)[rows]]
    rows = plain if len(plain) and not _tells_all(transfer) else rows
    return rows, transfer.packets["window"][rows]


def _tells_all(transfer: Transfer) -> bool:
    """Whether the receiver's SYN tells a window that holds: no scale was agreed on (RFC 7323, 2.2),
    and its first ACKs take back none of it."""
    sender, receiver = transfer.offers
    if not (sender.seen and receiver.seen) or None not in (
        sender.window_scale,
        receiver.window_scale,
    ):
        return False
    rows = transfer.acks
    syn = rows[transfer.flagged(SYN)[rows]]
    plain = rows[~transfer.flagged(SYN)[rows] & ~transfer.flagged(RST)[rows]]
    if len(syn) != 1 or not len(plain):
        return False
    edge = transfer.packets["ack"] + transfer.packets["window"]
    return bool(edge[plain[0]] >= edge[syn[0]])


def grew(transfer: Transfer) -> tuple[int, int] | None:
    """First and largest window, where it grew with the transfer."""
    _, windows = offered(transfer)
    if len(windows) <= BEGINNING:
        return None
    first, largest = int(windows[:BEGINNING].max()), int(windows.max())
    return (first, largest) if largest > GREW * max(first, 1) else None


def _size(transfer: Transfer, queued: float) -> Iterator[Finding]:
    rows, windows = offered(transfer)
    if not len(windows):
        return
    acks = transfer.packets["ack"][rows]
    empty = drain_rate(transfer) is None
    largest = _lasting(acks, windows) if empty else int(windows.max())
    numbers = transfer.number[rows[windows == largest]]
    grown = grew(transfer)
    sender, receiver = transfer.offers
    usual = "the usual behind the first quarter"
    often = "the largest that it offers" if largest == windows.max() else usual
    source = f"win {largest}, {often}: {named(numbers)}"
    if grown:
        source += f"; it begins with {grown[0]} and grows"
    if grown and queued < MATTERS and receiver.window_scale is not None:
        room = min(PLENTIFUL_B << min(receiver.window_scale, 14), LARGEST_B)
        source += (
            " without ever holding the sender: what it would grow to is taken, Linux's largest"
        )
        size = max(room, largest)
        yield Finding("receive_window", size, "B", "bound", source, some(numbers), low=largest)
    elif any(note.kind == SCALE for note in transfer.connection.notes):
        flight = int(transfer.outstanding_B.max())
        source += ", scaled by the least shift with which all that was in flight fits"
        low = min(flight, largest)
        yield Finding("receive_window", largest, "B", "bound", source, some(numbers), low=low)
    else:
        yield Finding("receive_window", largest, "B", "measured", source, some(numbers))
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


def _lasting(acks: np.ndarray, windows: np.ndarray) -> int:
    """What most of the ACKs come to offer behind the first quarter, if most offer the same: a
    receiver that has learnt how much memory a segment takes does not go on with what it began
    with. Else the largest; so, too, of a buffer that is not empty, whose window is the rest."""
    of = np.unique(acks, return_inverse=True)[1]
    most = np.zeros(of.max() + 1, windows.dtype)
    np.maximum.at(most, of, windows)  # an ACK and the updates behind it
    later = most[len(most) // 4 :]
    sizes, counts = np.unique(later, return_counts=True)
    usual = int(sizes[np.argmax(counts)])
    return usual if counts.max() > USUALLY * len(later) else int(windows.max())


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
        places = np.flatnonzero(self.is_update & known)
        # The first of several in a row is when there was room again.
        self.openings = places[np.unique(self.since[places], return_index=True)[1]]
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

    def _stalls_s(self) -> np.ndarray:
        """For each opening since when the window's end had not advanced: what empties the buffer
        stopped when it had taken the data before."""
        edges = np.maximum.accumulate(self.acks + self.windows)
        advanced = np.flatnonzero(np.diff(edges, prepend=0) > 0)
        shut = self.since[self.openings]
        last = np.searchsorted(advanced, shut, side="right") - 1
        began = self.rows[advanced[np.maximum(last, 0)]]
        opened = self.rows[self.openings]
        together = self.transfer.region[began] == self.transfer.region[opened]
        began = np.where(together, began, self.rows[shut])
        return self.transfer.time_s[opened] - self.transfer.time_s[began]

    def _paused(self) -> np.ndarray:
        """Which of the waits are pauses: far longer than the usual, or of a window that is shut
        where it usually is not."""
        if not len(self.waits_s):
            return np.zeros(0, dtype=bool)
        if self.is_usual or drain_rate(self.transfer) is not None:
            usual_s = float(np.median(self.waits_s))
            return (self.waits_s > LONG * usual_s) & (self.waits_s > PAUSE_S)
        shut = self.windows[self.openings - 1] < min(self.transfer.mss_B, self.largest)
        return shut & (self._stalls_s() > PAUSE_S)

    def draining(self, link: Link) -> Iterator[Finding]:
        """A buffer that is empty some time after each ACK, or one that is emptied at a rate."""
        waits_s = self.waits_s[~self._paused()]
        numbers = self.transfer.number[self.rows[self.openings[~self._paused()]]]
        steps, slope = (
            small_steps(self.transfer, self.rows, self.windows),
            drain_rate(self.transfer),
        )
        # Where the window's end advances more slowly than step by step, something else held it.
        if steps and (slope is None or steps.rate_bps > QUICKER * slope[0]):
            yield from told_step_by_step(self.transfer, steps, link.frame_s(self.transfer, 0))
            return
        if self.is_usual and self.reopens_whole and len(waits_s):
            low_s, high_s = _usual_range(waits_s)
            middle_s = float(np.median(waits_s))
            asked = f"from an ACK to the update that tells the whole window, {named(numbers)}"
            source = f"{asked}: the median of {len(waits_s):,}, from {time_text(waits_s.min())} to "
            source += time_text(np.percentile(waits_s, 95))
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
            yield from unread_behind_acks(self.transfer, self.rows, self.windows)
            return
        bits, first, last = rate
        value, unit = in_rate(bits)
        numbers = self.transfer.number[[first, last]]
        source = (
            "the window is not whole most of the time, so its end advances by what leaves the "
            f"buffer: the slope from packet {int(numbers[0])} to {int(numbers[1])}"
        )
        yield Finding("port_rate", value, unit, "derived", source, some(numbers))
        edges = np.maximum.accumulate(self.acks + self.windows)
        steps = np.diff(edges)
        opened = np.flatnonzero((steps > 0) & (self.rows[1:] > first) & (self.rows[1:] <= last))
        if len(opened) >= LEAST_UPDATES:
            ordered = np.sort(steps[opened])  # what half of the bytes went in
            half = np.searchsorted(np.cumsum(ordered), ordered.sum() / 2)
            chunk = int(np.clip(ordered[min(half, len(ordered) - 1)], 1, 65535))
            numbers = self.transfer.number[self.rows[opened + 1]]
            source = f"the usual step by which the window's end advances, {named(numbers)}"
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
        each_s = self._stalls_s()[paused] - usual_s
        source = (
            f"the window stays shut until {named(numbers)}: the median of {len(places)}, counted "
            f"from where its end advanced before, less {time_text(usual_s)} of the usual update"
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
        every = np.flatnonzero(self.is_update)
        from_zero = self.windows[every - 1] == 0
        numbers = self.transfer.number[self.rows[openings]]
        half = min(self.transfer.mss_B, self.largest // 2)
        if (before == 0).all() and from_zero.mean() > 1 - SELDOM:
            told, rule = "only a shut window is told to be open again", "from-zero"
        elif (steps >= half).all():
            told, rule = "none tells of less than one MSS or half the window", "rfc1122"
        else:
            told, rule = f"the least step is {int(steps.min())} B", "every-opening"
        source = f"{len(openings):,} updates, {named(numbers)}: {told}"
        yield Finding("window_updates", rule, "", "derived", source, some(numbers))


def _usual_range(waits_s: np.ndarray) -> tuple[float, float]:
    """From the least to the most, but no further from the quartiles than these are apart, which of
    waits that are spread evenly leaves nothing out: a frame that was captured late tells of that
    alone, and makes the wait behind it short."""
    low_s, high_s = np.percentile(waits_s, [25, 75])
    apart_s = high_s - low_s
    most_s = np.percentile(waits_s, 95)
    return float(max(low_s - apart_s, waits_s.min())), float(min(high_s + apart_s, most_s))


def drain_rate(transfer: Transfer) -> tuple[float, int, int] | None:
    """Bits a second by which the end of the window advances while it is not whole, between two
    rows; None where it usually is."""
    rows, windows = offered(transfer)
    if len(rows) < LEAST_UPDATES or transfer.has_holes or grew(transfer):
        return None
    # A buffer that fills takes back what was announced before; one that only grows never does.
    taken_back = np.maximum.accumulate(windows) - windows >= max(transfer.mss_B, 1)
    filled = int(np.argmax(taken_back))
    before = transfer.packets["ack"][rows] < transfer.data.end[-1]
    # It is not whole in most packets; or, of a program that reads much at a time, never again
    # until all has come: between pauses of one that is fast enough it is.
    again = ~taken_back[filled:] & before[filled:]
    if np.mean(taken_back) < USUALLY and (not taken_back.any() or again.mean() > SELDOM):
        return None
    usual = float(np.median(windows[filled:]))
    clipped = np.flatnonzero(windows <= usual)  # before that the buffer only fills
    span = rows[clipped[0] : clipped[-1] + 1]
    edges = transfer.packets["ack"][span] + transfer.packets["window"][span]
    if len(np.unique(edges)) < LEAST_UPDATES or np.ptp(transfer.time_s[span]) <= 0:
        return None
    slope = float(np.polyfit(transfer.time_s[span] - transfer.time_s[span[0]], edges, 1)[0])
    return (slope * 8, int(span[0]), int(span[-1])) if slope > 0 else None


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
