# SPDX-License-Identifier: GPL-2.0-only
"""What an exchange of commands and replies waited for: one split for both ends, as they take turns
(ExchangeClock in scenarios/model/clocks/exchange-clock.h is the same of a simulated one)."""

import numpy as np

from study.diagnosis.budget import CODE, Budget, overlay, pieces, without
from study.diagnosis.bulk import closing, opened
from study.diagnosis.kept_back import HELD, LEAST_KEPT_BACK_NS, kept_back_here
from study.diagnosis.line import (
    handshake_ns,
    least_rtt_ns,
    least_way_ns,
    line_Bps,
    queued_ns,
)
from study.diagnosis.losses import charge_losses
from study.diagnosis.received import OPTION_B, service_ns
from study.diagnosis.releases import Releases, tolerance_ns
from study.diagnosis.track import LEAST_MSS, Track


def judge_exchange(ends: tuple[Track, Track], at_client: bool) -> Budget:
    """The split of an exchange that was captured at one of its ends."""
    near = ends[0] if at_client else ends[1]
    rtt = least_way_ns(near) or 0
    gaps = _Gaps(ends, at_client, rtt)
    far = ends[1] if at_client else ends[0]
    # Only the far end waits for an ACK that is kept back here.
    kept = without(kept_back_here(far), gaps.before(near))
    waits = overlay(gaps.waits(), kept, "delayed_ack", HELD)
    waits = overlay(waits, closing(ends[0]), "server_application", ("client_application",))
    for track in ends:
        waits = charge_losses(waits, track, gaps.reaction_ns)
    return Budget(
        waits=waits,
        kind="exchange",
        from_client=near.connection.bulk_from_client,
        least_rtt_s=rtt / 1e9 or None,
        reaction_s=gaps.reaction_ns / 1e9,
    )


class _Gaps:
    """The stretches that each end with a packet of new data, from either end; what is behind the
    last of them is the wait for the end."""

    def __init__(self, ends: tuple[Track, Track], at_client: bool, rtt_ns: int) -> None:
        self.ends, self.at_client, self.rtt_ns = ends, at_client, rtt_ns
        self.time = ends[0].time
        self.begun = opened(ends[0] if at_client else ends[1])
        places = np.sort(np.concatenate([track.segments for track in ends]))
        self.places = places[places >= self.begun]
        self.starts = np.concatenate(([self.begun], self.places[:-1])).astype(np.int64)
        self.reaction_ns = 0
        # A host answers a SYN-ACK without its application.
        self.handles_ns = (handshake_ns(ends[1]) or 0) if at_client else 0

    def before(self, track: Track) -> np.ndarray:
        """The stretches that end with data of one end: rows of start and stop."""
        mine = track.out[self.places]
        return np.column_stack((self.time[self.starts], self.time[self.places]))[mine]

    def waits(self) -> np.ndarray:
        """Every gap as up to three waits: kept back or working, the way, what the host does."""
        by_client = self.ends[0].packets["from_client"]
        start, stop = self.time[self.starts], self.time[self.places]
        first, second = start.copy(), start.copy()  # where the first wait ends, and the second
        limit = np.zeros((3, len(start)), np.int8)
        for track in self.ends:
            mine = by_client[self.places] == track.from_client
            near = track.from_client == self.at_client
            follows = mine & (by_client[self.starts] == track.from_client)
            follows |= mine & self._released(track) if near else False
            follows &= self.starts > self.begun
            self._turn(track, near, mine & ~follows, first, second, limit)
            if follows.any():
                self._more_of_the_same(track, near, follows, first, second, limit)
        return self._as_waits(start, first, second, stop, limit)

    def _released(self, track: Track) -> np.ndarray:
        """Which segments of the near end went with an ACK that came behind what the other end said
        last: with what they say it had the word already."""
        if not len(track.segments):
            return np.zeros(len(self.places), bool)
        releases = Releases(track, tolerance_ns(track))
        of = np.minimum(np.searchsorted(track.segments, self.places), len(track.segments) - 1)
        at = np.maximum(releases.at[of], 0)
        plain = (track.packets["length"][at] == 0) & (track.acked[at] > track.acked_before[at])
        return releases.by_peer[of] & plain & (at > self.starts)

    def _turn(self, track, near, meant, first, second, limit) -> None:
        """The other end had the word: its last segment travels, then an application works."""
        own = CODE["client_application" if track.from_client else "server_application"]
        limit[:, meant] = own
        if near:
            handled = np.minimum(self.time[self.starts] + self.handles_ns, self.time[self.places])
            first[meant] = second[meant] = handled[meant]
            limit[0, meant] = CODE["cpu"]
        else:
            # What the near end said last may first wait for a line that its ACKs show.
            queued = self._queued_ns(self.ends[1] if track.from_client else self.ends[0])
            turn = np.minimum(self.time[self.starts] + queued, self.time[self.places])
            travels = np.minimum(turn + self.rtt_ns, self.time[self.places])
            first[meant], second[meant] = turn[meant], travels[meant]
            limit[0, meant], limit[1, meant] = CODE["link"], CODE["round_trip"]

    def _queued_ns(self, near: Track) -> np.ndarray:
        """For how long the packet that each stretch begins with waited for the line behind it."""
        queued = np.zeros(len(self.starts), np.int64)
        own = near.out[self.starts]
        lengths = near.packets["length"][near.segments]
        # Of small writes the time between two ACKs is a program's.
        if lengths.max(initial=0) >= LEAST_MSS - OPTION_B:
            rate = line_Bps(near, least_rtt_ns(near))
            queued[own] = queued_ns(near, rate, self.starts[own])
        return queued

    def _more_of_the_same(self, track, near, meant, first, second, limit) -> None:
        """The same end goes on: released by an ACK, or at its application's pleasure."""
        service = 0 if near else self._service(track)
        tolerance = tolerance_ns(track, 0 if near else self.rtt_ns + service)
        releases = Releases(track, tolerance, 0 if near else self.rtt_ns)
        if near:
            self.reaction_ns = tolerance
        of = np.searchsorted(track.segments, self.places)
        of = np.where(meant, np.minimum(of, len(track.segments) - 1), 0)
        own = CODE["client_application" if track.from_client else "server_application"]
        start, stop = self.time[self.starts], self.time[self.places]
        released = meant & releases.by_peer[of]
        free = meant & ~released
        quick = stop - start <= max(tolerance - (0 if near else self.rtt_ns + service), service)
        limit[:, free] = np.where(quick, CODE["cpu"], own)[free]
        heard = self.time[np.maximum(releases.at[of], 0)]
        heard = np.maximum(heard, start)
        kept = heard - start - (self.rtt_ns if near else 0)
        kept = np.where(kept > LEAST_KEPT_BACK_NS, kept, 0)
        first[released] = (start + kept)[released]
        second[released] = heard[released]
        room = _room(track, releases)[of]
        limit[0, released] = CODE["delayed_ack"]
        limit[1, released] = room[released]
        limit[2, released] = CODE["cpu"] if near else room[released]

    def _service(self, track: Track) -> int:
        """How far apart full segments are behind the narrowest line [ns], with some leeway."""
        service = service_ns(track)
        return 0 if service is None else int(1.1 * service)

    def _end(self, last: int) -> list[np.ndarray]:
        """Behind the last data the client closes, when it has them: at a server that is a round
        trip later; and then the server does."""
        number, stop = self.ends[0].packets["number"], self.time[-1:]
        of_server = not self.ends[0].out[last] and not self.at_client
        heard = np.minimum(self.time[[last]] + (self.rtt_ns if of_server else 0), stop)
        edge = number[[last]], number[-1:]
        return [
            pieces(self.time[[last]], heard, CODE["round_trip"], *edge),
            pieces(heard, stop, CODE["client_application"], *edge),
        ]

    def _as_waits(self, start, first, second, stop, limit) -> np.ndarray:
        number = self.ends[0].packets["number"]
        after, before = number[self.starts], number[self.places]
        last = int(self.places[-1]) if len(self.places) else self.begun
        ends = [
            pieces(
                self.time[:1],
                self.time[[self.begun]],
                CODE["handshake"],
                number[:1],
                number[[self.begun]],
            ),
            *self._end(last),
        ]
        parts = [
            pieces(start, first, limit[0], after, before),
            pieces(first, second, limit[1], after, before),
            pieces(second, stop, limit[2], after, before),
        ]
        waits = np.concatenate(ends + parts)
        return waits[np.argsort(waits["start_ns"], kind="stable")]


def _room(track: Track, releases: Releases) -> np.ndarray:
    """For each segment: what the sender lacked before it was released."""
    limit = np.full(len(track.segments), CODE["congestion_window"])
    limit[~releases.in_window] = CODE["receive_window"]
    small = track.packets["length"][track.segments] < track.whole
    limit[(small | (len(track.segments) < 2)) & releases.clears & releases.in_window] = CODE[
        "nagle"
    ]
    return limit
