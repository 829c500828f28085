# SPDX-License-Identifier: GPL-2.0-only
"""What one end of a connection, as a sender of data, knew after each packet, as arrays."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from study.captures.connection import FIN, SYN, Connection
from study.captures.growing import pieces as parts
from study.diagnosis.spurious import spurious
from study.kit.wire import OPTIONS_B


def _before(values: np.ndarray, first: int = 0) -> np.ndarray:
    """Return each packet's value before it."""
    before = np.empty_like(values)
    before[:1], before[1:] = first, values[:-1]
    return before


@dataclass(frozen=True)
class Track:
    """One direction of data, in the time of the end that sends it."""

    connection: Connection
    from_client: bool  # the end that sends

    @property
    def packets(self) -> np.ndarray:
        return self.connection.packets

    @cached_property
    def time(self) -> np.ndarray:
        """[ns]"""
        return self.packets["time_ns"].astype(np.int64)

    @cached_property
    def out(self) -> np.ndarray:
        """Sent by this end."""
        return self.packets["from_client"] == self.from_client

    @cached_property
    def _number(self) -> type:
        """What octets are numbered in: all that is reckoned of them fits into it."""
        p = self.packets
        highest = lowest = 0
        for piece in parts(len(p)):
            seq, ack = p["seq"][piece], p["ack"][piece]
            ends = (seq + p["length"][piece], ack + p["window"][piece])
            highest = max(highest, *(int(each.max()) for each in ends))
            lowest = min(lowest, int(seq.min()), int(ack.min()))
        small = 2 * max(highest, -lowest) < np.iinfo(np.int32).max  # and so is a sum of two
        return np.int32 if small else np.int64

    @cached_property
    def end(self) -> np.ndarray:
        """The number behind a packet's last octet, SYN and FIN counted (RFC 9293, 3.4)."""
        p = self.packets
        control = ((p["flags"] & SYN) != 0).astype(np.int64) + ((p["flags"] & FIN) != 0)
        return (p["seq"] + p["length"] + control).astype(self._number)

    @cached_property
    def sent(self) -> np.ndarray:
        """The highest number sent, after each packet (SND.NXT, were nothing sent again), without
        the octets that only ask for room."""
        own = self.out & ~self._beyond
        return np.maximum.accumulate(np.where(own, self.end, 0))

    @cached_property
    def sent_before(self) -> np.ndarray:
        return _before(self.sent)

    @cached_property
    def acked(self) -> np.ndarray:
        """The highest number acknowledged, after each packet (SND.UNA)."""
        first = self.packets["seq"][self.out].min() if self.out.any() else 0
        heard = np.where(~self.out, self.packets["ack"], -1)
        return np.maximum(np.maximum.accumulate(heard), first).astype(self._number)

    @cached_property
    def acked_before(self) -> np.ndarray:
        return _before(self.acked)

    @cached_property
    def outstanding(self) -> np.ndarray:
        """Sent and not acknowledged [B]."""
        return np.maximum(self.sent - self.acked, 0)

    @cached_property
    def _window_at(self) -> np.ndarray:
        """Index of the packet that announced the window in force, for each packet; -1 before the
        first."""
        p = self.packets
        tells = ~self.out & (p["ack"] >= 0) & (p["ack"] >= self.acked)
        places = np.arange(len(p), dtype=np.int32)
        return np.maximum.accumulate(np.where(tells, places, -1))

    @cached_property
    def window(self) -> np.ndarray:
        """Peer's announced receive window [B]; 0 before the first."""
        at = self._window_at
        window = self.packets["window"].astype(self._number)
        return np.where(at >= 0, window[np.maximum(at, 0)], 0)

    @cached_property
    def usable(self) -> np.ndarray:
        """The room that the peer's window leaves beyond all that was sent [B]."""
        return np.maximum(self.edge - self.sent, 0)

    @cached_property
    def edge(self) -> np.ndarray:
        """The number behind the last octet that the peer's window has room for."""
        at = self._window_at
        ack = self.packets["ack"].astype(self._number)
        return np.where(at >= 0, ack[np.maximum(at, 0)] + self.window, 0)

    @cached_property
    def data(self) -> np.ndarray:
        """Carries octets of this end, of which at least one is new."""
        p = self.packets
        return self.out & (p["length"] > 0) & (self.end > self.sent_before)

    @cached_property
    def _beyond(self) -> np.ndarray:
        """One octet of data for which the window has no room: the first time and each time again,
        until the receiver takes it."""
        p = self.packets
        known = _before(self._window_at, -1) >= 0
        octet = self.out & known & (p["length"] == 1) & ~self.control
        return octet & (p["seq"] >= _before(self.edge))

    @cached_property
    def probe(self) -> np.ndarray:
        """A window probe (RFC 9293, 3.8.6.1): an octet beyond the window, or an old one."""
        p = self.packets
        beyond = self._beyond
        old = self.out & (p["length"] <= 1) & (self.end == self.acked) & ~self.control
        return beyond | (old & (p["seq"] < self.acked))

    @cached_property
    def control(self) -> np.ndarray:
        """SYN or FIN."""
        return (self.packets["flags"] & (SYN | FIN)) != 0

    @cached_property
    def again(self) -> np.ndarray:
        """Sent again: data, SYN or FIN that hold nothing new."""
        p = self.packets
        old = self.end <= self.sent_before
        return self.out & ((p["length"] > 0) | self.control) & old & ~self.probe

    @cached_property
    def segments(self) -> np.ndarray:
        """The places of the packets that carry new data and are no probes."""
        return np.flatnonzero(self.data & ~self.probe)

    @cached_property
    def mss(self) -> int:
        """The largest segment that this end makes [B], where GSO hides it what the SYNs allow."""
        lengths = self.packets["length"][self.segments]
        if not len(lengths):
            return 1
        offers = (self.connection.client_offer.mss, self.connection.server_offer.mss)
        largest = int(lengths.max())
        allowed = min((offer for offer in offers if offer), default=largest)
        if largest <= allowed:
            return largest
        stamps = self.connection.client_offer.timestamps and self.connection.server_offer.timestamps
        return allowed - (OPTIONS_B if stamps else 0)

    @cached_property
    def after_heard(self) -> np.ndarray:
        """The places of the segments that come right behind a packet of the peer."""
        places = self.segments[self.segments > 0]
        return places[~self.out[places - 1]]

    @cached_property
    def surely_released(self) -> np.ndarray:
        """Of the same, which had no room in the window before it."""
        places = self.after_heard
        need = np.minimum(self.packets["length"][places], self.mss)
        return _before(self.usable)[places - 1] < need

    @cached_property
    def answers(self) -> tuple[np.ndarray, np.ndarray]:
        """(ACK, segment): the ACKs of new data, and of each the newest segment that it covers,
        as places; without those of data that were sent again (RFC 6298, 3)."""
        ends = self.end[self.segments]
        advance = np.flatnonzero((self.acked > self.acked_before) & ~self.out)
        newest = np.searchsorted(ends, self.acked[advance], side="right") - 1
        known = newest >= 0
        advance, newest = advance[known], self.segments[newest[known]]
        if self.again.any():
            repeated = np.flatnonzero(self.again & (self.packets["length"] > 0))
            starts = np.sort(self.packets["seq"][repeated])
            stops = np.sort(self.end[repeated])
            low = self.acked_before[advance]
            touched = np.searchsorted(starts, self.acked[advance], side="left") > np.searchsorted(
                stops, low, side="right"
            )
            advance, newest = advance[~touched], newest[~touched]
        timely = (self.time[advance] >= self.time[newest]) & (advance > newest)
        # What stands behind a hole may answer what was in it.
        holes = np.array(self.connection.holes, int)
        timely &= np.searchsorted(holes, advance, "right") == np.searchsorted(
            holes, newest, "right"
        )
        return advance[timely], newest[timely]

    @cached_property
    def repairs(self) -> np.ndarray:
        """Return the places of retransmissions that are not spurious."""
        again = np.flatnonzero(self.again)
        return again[~spurious(self, again)]

    @cached_property
    def lost(self) -> np.ndarray:
        """The places of the packets whose data had to be sent again, as far as they were seen."""
        again = self.repairs[self.packets["length"][self.repairs] > 0]
        if not len(again):
            return again
        data = np.flatnonzero(self.out & (self.packets["length"] > 0))
        data = data[np.argsort(self.packets["seq"][data], kind="stable")]
        # The last one before that began with the same octet, or ahead of it.
        place = np.searchsorted(self.packets["seq"][data], self.packets["seq"][again], "right") - 1
        while (late := (place > 0) & (data[place] >= again)).any():
            place = np.where(late, place - 1, place)
        # Behind the loss it is not in the capture.
        seen = self.end[data[place]] > self.packets["seq"][again]
        return np.unique(data[place[seen]])
