# SPDX-License-Identifier: GPL-2.0-only
"""Facts of a captured transfer: what its packets show directly, each with the packets that show it.
No cause is in them. They are read before anything is simulated, and stand where nothing fits."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from study.captures.connection import PSH, RST, SYN
from study.diagnosis.bursts import Bursts
from study.diagnosis.lateness import echo_late_s, own_queue_s, return_queue_s
from study.diagnosis.losses import Fills, fills_of, numbers_behind, numbers_seen
from study.diagnosis.transfer import Transfer
from study.diagnosis.vantage import LEAST_SEEN, SOON_S, Vantage
from study.kit.wire import HEADERS_B

SENDER_SOON_S = 3e-4  # the same, of the end at which it was captured
SLACK = 0.3  # of a round trip, by which an answer may be late in a queue
FULL = 0.95  # of a window or a whole segment: what is larger has filled it, but for options
ACKS_OF_RATE = 6  # ACKs over which a rate is taken, so that two that come together count little


@dataclass(frozen=True)
class Fact:
    """One thing that packets show."""

    name: str
    value: object
    unit: str
    text: str  # in words, without the packets
    packets: tuple[int, ...] = ()  # numbers in the file, the first few


@dataclass(frozen=True)
class Facts:
    """What a transfer shows, in the time of the end that sends most."""

    transfer: Transfer
    vantage: Vantage

    @property
    def misses_packets(self) -> bool:
        """Whether packets that were there are not in the capture."""
        return any(note.kind == "not captured" for note in self.transfer.connection.notes)

    @cached_property
    def mss_B(self) -> int:
        """The usual whole segment's payload, without options."""
        return max(self.transfer.mss_B, 1)

    @cached_property
    def wire_mss_B(self) -> int:
        """The largest payload that the SYNs allow, where both are seen."""
        offers = [offer.mss for offer in self.transfer.offers if offer.seen and offer.mss]
        if len(offers) < 2:
            return self.mss_B
        return max(min(offers) - self.transfer.options_B, self.mss_B)

    @cached_property
    def rtt_s(self) -> float:
        """The least time from a segment to its ACK, or of the handshake: the path's, with a
        segment's transmission time."""
        found = [*self.answered_s.tolist(), *filter(None, [self.handshake_s])]
        return max(min(found, default=1e-3), 1e-6)

    @cached_property
    def answered_s(self) -> np.ndarray:
        """The times from a segment to its ACK, where it has one of its own."""
        answers = self.transfer.answers
        return answers.since_last_s[answers.clean & (answers.since_last_s > 0)]

    @cached_property
    def handshake_s(self) -> float | None:
        """From SYN to SYN-ACK, or from that to its ACK where the receiver opened."""
        shake = self.transfer.handshake
        if shake is None:
            return None
        time_s = self.transfer.time_s
        ends = (0, 1) if self.transfer.sender_is_client else (1, 2)
        took = float(time_s[shake[ends[1]]] - time_s[shake[ends[0]]])
        return took if took > 0 else None

    @cached_property
    def way_s(self) -> float:
        """Least round trip less the transmission time of its packets."""
        shake = self.handshake_s
        if shake and shake <= self.rtt_s:
            return max(shake - 2 * HEADERS_B / self.pair_Bps, shake / 2)
        return max(self.rtt_s - (self.mss_B + 2 * HEADERS_B) / self.pair_Bps, self.rtt_s / 4)

    @cached_property
    def data_rtt_s(self) -> float:
        """The usual time from a segment to its ACK: a receiver's own time is in it."""
        return float(np.median(self.answered_s)) if len(self.answered_s) else self.rtt_s

    @cached_property
    def return_queue_s(self) -> float:
        """How long the ACKs usually waited in a queue of the return path; 0 in a capture that was
        not taken where they arrive."""
        return return_queue_s(self.transfer) if self.vantage.at == "sender" else 0.0

    @cached_property
    def own_queue_s(self) -> float:
        """How long data usually waited in a queue of the sending host; 0 in a capture that was not
        taken there."""
        return own_queue_s(self.transfer) if self.vantage.at == "sender" else 0.0

    @cached_property
    def echo_late_s(self) -> float:
        """How much later than the least late data usually echo an ACK's timestamp."""
        return echo_late_s(self.transfer)

    @property
    def has_return_queue(self) -> bool:
        """Whether ACKs wait in a queue of the return path for longer than a round trip, which a
        line ahead cannot bring about."""
        return self.return_queue_s > self.rtt_s

    @property
    def may_have_return_queue(self) -> bool:
        """Whether ACKs may usually wait in a queue, and no timestamp tells whether they do."""
        answers = self.transfer.answers
        untold = bool((self.transfer.packets["ts_value"][answers.row] < 0).all())
        late = untold and self.vantage.at == "sender" and self.data_rtt_s > 2 * self.rtt_s
        return late or self.echo_is_late

    @property
    def echo_is_late(self) -> bool:
        """Whether a capture at the receiver shows ACKs that were answered a round trip late."""
        return self.vantage.at == "receiver" and self.echo_late_s > self.rtt_s

    @cached_property
    def line_Bps(self) -> float:
        """The most that was acknowledged per time over some ACKs, with headers: what the bottleneck
        link carries at least."""
        answers = self.transfer.answers
        per = self.mss_B + HEADERS_B
        if len(answers.row) <= ACKS_OF_RATE:
            took = max(self.transfer.until_acknowledged_s, 1e-6)
            return self.transfer.total_B / took * per / self.mss_B
        span = answers.time_s[ACKS_OF_RATE:] - answers.time_s[:-ACKS_OF_RATE]
        carried = answers.ack[ACKS_OF_RATE:] - answers.ack[:-ACKS_OF_RATE]
        rates = carried[span > 0] / span[span > 0]
        if not len(rates):
            return 1.25e8
        return float(np.quantile(rates, 0.9)) * per / self.mss_B

    @cached_property
    def pair_Bps(self) -> float:
        """The rate at which segments of one flight are acknowledged one after the other, the upper
        quartile: the line's where the transfer as a whole is slower than that."""
        answers = self.transfer.answers
        gap, carried = np.diff(answers.time_s), np.diff(answers.ack)
        waits = np.concatenate(([False], gap[:-1] < gap[1:]))
        close = (gap > 1e-6) & (gap < 0.5 * self.rtt_s) & ~waits
        if close.sum() < 4:
            return max(self.line_Bps, 1.25e7)
        per = (self.mss_B + HEADERS_B) / self.mss_B
        return max(self.line_Bps, float(np.quantile(carried[close] / gap[close], 0.75)) * per)

    @cached_property
    def stalls(self) -> np.ndarray:
        """Segments of new data behind a long wait for a window that had no room."""
        transfer = self.transfer
        rows = transfer.data.row
        gap = np.diff(transfer.time_s[rows], prepend=transfer.time_s[rows[:1]])
        room = np.concatenate(([self.window_B], transfer.room_B[:-1]))
        return np.flatnonzero((gap > self.least_stall_s) & (room < self.mss_B))

    @property
    def least_stall_s(self) -> float:
        """The shortest wait that is no round trip."""
        return max(0.02, 3 * self.rtt_s)

    @cached_property
    def flight_B(self) -> int:
        """The most that was in flight."""
        return int(self.transfer.outstanding_B.max(initial=0))

    @property
    def leaves_room(self) -> bool:
        """Whether the flight stays below the window, by more than a segment."""
        return self.flight_B < min(FULL * self.window_B, self.window_B - self.mss_B)

    @cached_property
    def usual_flight_B(self) -> int:
        """The flight just before an ACK that released data, the upper quartile behind the start."""
        flights = self.transfer.outstanding_B
        behind = flights[len(flights) // 4 :]
        return int(np.quantile(behind, 0.9)) if len(behind) else self.flight_B

    @cached_property
    def first_flight(self) -> int:
        """Segments that left before anything of them was acknowledged."""
        data, answers = self.transfer.data, self.transfer.answers
        if not len(answers.row):
            return len(data.row)
        return int((data.time_s < answers.time_s[0]).sum())

    @cached_property
    def has_no_nagle(self) -> bool:
        """Whether a segment that is not whole usually left while another such was not acknowledged
        yet, which Nagle's algorithm does not allow (RFC 896; also as Minshall changed it)."""
        data = self.transfer.data
        small = np.flatnonzero(data.length < FULL * self.mss_B)  # options may shorten a whole one
        early = self.transfer.outstanding_B[small[1:]] > data.end[small[1:]] - data.end[small[:-1]]
        is_acknowledged = len(self.transfer.answers.row) > 0
        return bool(is_acknowledged and early.sum() >= LEAST_SEEN and early.mean() > 0.5)

    @property
    def nagles(self) -> tuple[str, ...]:
        """What Nagle's algorithm may be at the sender, as its parameter has it."""
        return ("false",) if self.has_no_nagle else ("true", "false")

    @property
    def sees_writes(self) -> bool:
        """Whether the capture shows when a program writes: at the sender by the ACK that had come,
        elsewhere by the ends of writes. Behind a full segment there may have been a late ACK."""
        return self.vantage.at == "sender" or self.has_no_nagle

    @property
    def begins_inside(self) -> bool:
        """Whether it begins behind the handshake: the congestion window is open already."""
        return not self.transfer.flagged(SYN).any()

    @property
    def first_flight_is_free(self) -> bool:
        """Whether the window had room for one segment more: else it may have held the flight."""
        transfer = self.transfer
        known = transfer.acks[transfer.acks < min(transfer.sent_rows, default=0)]
        room_B = int(transfer.packets["window"][known[-1]]) if len(known) else self.first_window_B
        return self.first_flight > 0 and (self.first_flight + 1) * self.mss_B <= room_B

    @cached_property
    def write_B(self) -> int:
        """What the sender's program writes at once, where its PSH flags show that: the usual data
        from one to the next."""
        transfer = self.transfer
        rows = transfer.sent_rows
        ends = transfer.packets["seq"][rows] + transfer.packets["length"][rows]
        pushed = ends[(transfer.packets["flags"][rows] & PSH) > 0]
        return int(np.median(np.diff(pushed))) if len(pushed) > LEAST_SEEN else 0

    @cached_property
    def windows(self) -> np.ndarray:
        """What the receiver advertised, without SYN and RST."""
        rows = self.transfer.acks
        rows = rows[~self.transfer.flagged(SYN)[rows] & ~self.transfer.flagged(RST)[rows]]
        told = self.transfer.packets["window"][rows]
        return told[told >= 0]

    @cached_property
    def window_B(self) -> int:
        """The largest window."""
        return int(self.windows.max(initial=0)) or 65535

    @cached_property
    def usual_window_B(self) -> int:
        """The window that most packets advertise; the largest where no window is in most."""
        told, counts = np.unique(self.windows, return_counts=True)
        most = counts.max(initial=0) > len(self.windows) / 2
        return int(told[np.argmax(counts)]) if most else self.window_B

    @cached_property
    def first_window_B(self) -> int:
        return int(self.windows[0]) if len(self.windows) else self.window_B

    @cached_property
    def meets_window(self) -> bool:
        """Whether the flight ever left no room for another segment."""
        return bool((self.transfer.room_B < self.mss_B).any())

    @cached_property
    def least_window_B(self) -> int:
        """Of those behind the first quarter, which are no window that still grows."""
        behind = self.windows[len(self.windows) // 4 :]
        return int(behind.min()) if len(behind) else self.window_B

    @cached_property
    def zero_windows(self) -> np.ndarray:
        """Packets that advertise no room."""
        rows = self.transfer.acks
        shut = self.transfer.packets["window"][rows] == 0
        return rows[shut & ~self.transfer.flagged(RST)[rows]]

    @cached_property
    def lost_syns(self) -> int:
        """SYNs that a run loses. After two a sender begins with one segment (RFC 5681, 3.1): one
        that began with more has lost at most one."""
        again = max(len(self.transfer.client_syns) - 1, 0)
        return again if self.first_flight == 1 else min(again, 1)

    @cached_property
    def fills(self) -> Fills:
        """The packets that filled a hole in what was captured before them."""
        return fills_of(self.transfer, self.rtt_s)

    @cached_property
    def lost(self) -> list[int]:
        """Where losses were, as numbers of the sender's packets in a run; the first are its SYNs.
        What was lost ahead of the capture comes out of order, and was not seen before."""
        told = self.transfer, self.mss_B, self.lost_syns
        at_receiver = self.vantage.at == "receiver"
        behind = numbers_behind(*told, self.fills) if at_receiver else numbers_seen(*told)
        return [*range(1, self.lost_syns + 1), *behind]

    @cached_property
    def bursts(self) -> Bursts:
        soon_s = SOON_S if self.sees_writes else max(SOON_S, SLACK * self.rtt_s)
        if self.vantage.at == "sender":  # whose own reaction is seen, without a queue's jitter
            soon_s = SENDER_SOON_S
        return Bursts.of(self.transfer, soon_s)
