# SPDX-License-Identifier: GPL-2.0-only
"""A connection seen from the end that sends most: its data, the answers to them, and what each
answer covered. The sender is the model's host, the other end its device."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from study.captures.connection import ACK, RST, SYN, Connection, Offer
from study.diagnosis.track import Track
from study.kit.wire import OPTIONS_B


@dataclass(frozen=True)
class Data:
    """The segments that carried something for the first time, in the order of their numbers, an
    entry each: `row` is that of the packet."""

    row: np.ndarray
    time_s: np.ndarray
    begin: np.ndarray
    end: np.ndarray

    @property
    def length(self) -> np.ndarray:
        return self.end - self.begin


@dataclass(frozen=True)
class Answers:
    """Every ACK of new data, an entry each, with what it covered. Those behind a hole of a printed
    trace, or of what was sent twice, are left out of `clean`."""

    row: np.ndarray
    time_s: np.ndarray
    ack: np.ndarray
    segments: np.ndarray  # that it covered
    since_last_s: np.ndarray  # from the last segment that it covers
    clean: np.ndarray
    carries_data: np.ndarray


@dataclass(frozen=True)
class Transfer:
    """A connection, as its sender sees it."""

    connection: Connection

    @cached_property
    def packets(self) -> np.ndarray:
        return self.connection.packets

    @cached_property
    def sender_is_client(self) -> bool:
        return self.connection.bulk_from_client

    @cached_property
    def offers(self) -> tuple[Offer, Offer]:
        """Of the sender and of the receiver."""
        ends = self.connection.client_offer, self.connection.server_offer
        return ends if self.sender_is_client else ends[::-1]

    @cached_property
    def time_s(self) -> np.ndarray:
        return self.packets["time_ns"] * 1e-9

    @cached_property
    def is_sent(self) -> np.ndarray:
        """Of the sender, whatever it is."""
        return self.packets["from_client"] == self.sender_is_client

    @cached_property
    def region(self) -> np.ndarray:
        """Which unbroken stretch of a printed trace each packet belongs to."""
        holes = np.asarray(self.connection.holes, dtype=np.int64)
        return np.searchsorted(holes, np.arange(len(self.packets)), side="right")

    @cached_property
    def has_timestamps(self) -> bool:
        own = self.packets[self.is_sent & (self.packets["length"] > 0)]
        return bool(len(own)) and bool((own["ts_value"] >= 0).mean() > 0.5)

    @property
    def options_B(self) -> int:
        """What options take of each segment."""
        return OPTIONS_B * self.has_timestamps

    @cached_property
    def sent_rows(self) -> np.ndarray:
        """Rows of all that carries data, sent once or again."""
        return np.flatnonzero(self.is_sent & (self.packets["length"] > 0))

    @cached_property
    def is_again(self) -> np.ndarray:
        """For each of `sent_rows`, whether all of it had been sent before."""
        rows = self.packets[self.sent_rows]
        ends = rows["seq"] + rows["length"]
        before = np.concatenate(([0], np.maximum.accumulate(ends)[:-1])) if len(ends) else ends
        return ends <= before

    @cached_property
    def lost_rows(self) -> np.ndarray:
        """The packets whose data were retransmitted, not spuriously: also a retransmission that was
        sent again. A probe of a shut window and a keep-alive carry a byte at most, and are none."""
        if not self.is_again.any():
            return np.zeros(0, dtype=np.int64)
        lost = Track(self.connection, self.sender_is_client).lost
        return lost[self.packets["length"][lost] > 1]

    @cached_property
    def data(self) -> Data:
        """The data segments. A piece that the interface splits later (GSO) counts as the segments
        that it becomes."""
        whole, size = self.pieces, self.mss_B
        counts = -(-whole.length // size)
        piece = np.repeat(np.arange(len(counts)), counts)
        place = np.arange(len(piece)) - np.repeat(np.cumsum(counts) - counts, counts)
        begin = whole.begin[piece] + place * size
        end = np.minimum(begin + size, whole.end[piece])
        return Data(whole.row[piece], whole.time_s[piece], begin, end)

    @cached_property
    def pieces(self) -> Data:
        """The pieces of new data as they are in the capture, without retransmissions."""
        rows = self.sent_rows[~self.is_again]
        packets = self.packets[rows]
        ends = packets["seq"] + packets["length"]
        return Data(rows, self.time_s[rows], packets["seq"].copy(), ends)

    @cached_property
    def total_B(self) -> int:
        return self.connection.carried_B(self.sender_is_client)

    @cached_property
    def mss_B(self) -> int:
        """The usual whole segment: the largest that is sent at least twice; what the SYNs allow
        where a piece is larger, which the interface cuts up only later."""
        lengths = self.pieces.length
        if not len(lengths):
            return 0
        sizes, counts = np.unique(lengths, return_counts=True)
        usual = int(sizes[counts >= min(2, counts.max())].max())
        agreed = [offer.mss - self.options_B for offer in self.offers if offer.seen and offer.mss]
        return min(agreed) if agreed and sizes[-1] > min(agreed) else usual

    @cached_property
    def acks(self) -> np.ndarray:
        """Rows of the receiver's packets that acknowledge anything."""
        packets = self.packets
        return np.flatnonzero(~self.is_sent & (packets["ack"] >= 0) & ~self.flagged(RST))

    def flagged(self, flag: int) -> np.ndarray:
        return (self.packets["flags"] & flag) > 0

    @cached_property
    def answers(self) -> Answers:
        data, rows = self.data, self.acks
        rows = rows[~self.flagged(SYN)[rows]]
        high = np.maximum.accumulate(self.packets["ack"][rows])
        # Behind a hole, and where no SYN was seen, what was acknowledged before is not known.
        before = np.maximum(np.append(0, high)[:-1], self._begun(rows))
        new = high > before
        rows, high, before = rows[new], high[new], before[new]
        first = np.searchsorted(data.end, before, side="right")
        last = np.searchsorted(data.end, high, side="right") - 1
        known = (last >= first) & (first < len(data.end))
        rows, high, before, first, last = (
            each[known] for each in (rows, high, before, first, last)
        )
        times = self.time_s[rows]
        clean = self.region[rows] == self.region[data.row[first]]
        again = self.sent_rows[self.is_again]
        if len(again):  # what was sent twice: its answer may be to either
            begins = np.sort(self.packets["seq"][again])
            clean &= np.searchsorted(begins, before) == np.searchsorted(begins, high)
        return Answers(
            rows,
            times,
            high,
            last - first + 1,
            times - data.time_s[last],
            clean,
            self.packets["length"][rows] > 0,
        )

    def _begun(self, rows: np.ndarray) -> np.ndarray:
        """Return the first number of data in the unbroken stretch of each of these packets; 0 in
        one without data."""
        regions, firsts = np.unique(self.region[self.data.row], return_index=True)
        return np.append(self.data.begin[firsts], 0)[np.searchsorted(regions, self.region[rows])]

    @cached_property
    def until_acknowledged_s(self) -> float:
        """From the first packet until all data are acknowledged: what a receiver does with them
        after that, until it closes, is not the transfer's."""
        answers = self.answers
        whole = len(answers.row) and answers.ack[-1] >= self.data.end[-1]
        back_B = self.connection.carried_B(not self.sender_is_client)
        if not whole or back_B > self.total_B / 2:
            return self.connection.duration_s
        first = int(np.argmax(answers.ack >= self.data.end[-1]))
        return max(float(answers.time_s[first] - self.time_s[0]), 1e-9)

    @cached_property
    def client_syns(self) -> np.ndarray:
        """Rows of the client's SYNs: those before the last had no answer in time."""
        syns = self.flagged(SYN) & ~self.flagged(ACK) & self.packets["from_client"]
        return np.flatnonzero(syns)

    @cached_property
    def handshake(self) -> tuple[int, int, int] | None:
        """Rows of SYN, SYN-ACK and the ACK behind it, as far as all are seen and none twice."""
        syn = np.flatnonzero(self.flagged(SYN))
        if len(syn) != 2 or self.flagged(ACK)[syn[0]] or not self.flagged(ACK)[syn[1]]:
            return None
        from_client = self.packets["from_client"]
        behind = np.flatnonzero(from_client[syn[1] + 1 :])
        if not len(behind):
            return None
        third = int(syn[1] + 1 + behind[0])
        whole = self.region[syn[0]] == self.region[third]
        return (int(syn[0]), int(syn[1]), third) if whole else None

    @cached_property
    def outstanding_B(self) -> np.ndarray:
        """After each segment of `data`, what was sent and not yet seen acknowledged."""
        data, rows = self.data, self.acks
        if not len(data.row):
            return np.zeros(0, dtype=np.int64)
        high = np.append(0, np.maximum.accumulate(self.packets["ack"][rows]))
        acked = np.maximum(high[np.searchsorted(rows, data.row)], self._begun(data.row))
        return data.end - np.maximum(acked, data.begin[0])

    @cached_property
    def room_B(self) -> np.ndarray:
        """After each segment of `data`, what the advertised window would still take."""
        data, rows = self.data, self.acks
        if not len(rows):
            return np.full(len(data.row), np.iinfo(np.int64).max)
        edge = np.maximum.accumulate(self.packets["ack"][rows] + self.packets["window"][rows])
        place = np.searchsorted(rows, data.row) - 1
        known = np.where(place >= 0, edge[np.maximum(place, 0)], data.end)
        return known - data.end
