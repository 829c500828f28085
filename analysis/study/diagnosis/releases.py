# SPDX-License-Identifier: GPL-2.0-only
"""What released each segment of a sender, and how fast the host reacts."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from study.captures.connection import PSH
from study.diagnosis.track import Track, goes_on_in_one_piece

LEAST_TOLERANCE_NS = 20_000
BEYOND = 3.0  # as many times its usual reaction a host may always take and still react,
AT_MOST = 20.0  # and as many if it is seen to do so
SURE = 5  # as many segments without room before tell how the host reacts
LEAST_BEATS = 20  # segments, of which most are alike as far apart
STEADY, MOSTLY = 0.02, 0.9
FIRST_BEATS, ABOUT = 4, 0.2  # segments before any ACK, and how near to one pace they are
CLOSE = 0.05  # of the wait before an ACK: what follows it as closely was released by it


def tolerance_ns(track: Track, way_ns: int = 0) -> int:
    """How long after an ACK a segment can still be taken for released by it: as long as this host
    takes now and then, seen at segments that had no room before the ACK. For a host at the other
    end of the path its reaction comes a round trip (`way_ns`) later."""
    floor = max(LEAST_TOLERANCE_NS, 2 * track.connection.resolution_ns, way_ns // 10)
    seen = _reactions_ns(track, way_ns)
    if not len(seen):
        return way_ns + floor
    usual = usual_reaction_ns(track, way_ns)
    slow = min(float(np.quantile(seen, 0.9)), AT_MOST * _bare_reaction_ns(track, usual))
    return way_ns + int(max(BEYOND * usual, slow, floor))


def usual_reaction_ns(track: Track, way_ns: int = 0) -> float | None:
    """How long the host usually takes from an ACK to what that released; None if never seen."""
    seen = _reactions_ns(track, way_ns)
    if not len(seen):
        return None
    if track.surely_released.sum() >= SURE:
        return float(np.median(seen))
    usual = float(np.quantile(seen, 0.25))
    answer = track.handshake_reaction_ns
    # A program that writes at its own pace is not slow to react.
    return usual if answer is None or way_ns else min(usual, max(10.0 * answer, LEAST_TOLERANCE_NS))


def _bare_reaction_ns(track: Track, usual: float) -> float:
    """The same of the host alone: where its segments do not tell it for sure, as soon as it answers
    a SYN."""
    answer = track.handshake_reaction_ns
    sure = answer is None or track.surely_released.sum() >= SURE
    return usual if sure else min(usual, float(answer))


def _reactions_ns(track: Track, way_ns: int) -> np.ndarray:
    sure = track.surely_released
    took = track.since_heard_ns
    took = took[sure] if sure.sum() >= SURE else took
    return np.maximum(took - way_ns, 0)


def own_pace_ns(track: Track) -> float | None:
    """How far apart the host's segments are when it hears nothing in between; None if seldom."""
    places = track.segments
    alone = np.flatnonzero(track.last_heard[places[1:]] < places[:-1]) + 1
    if len(alone) < 5:
        return None
    return float(np.quantile(track.time[places[alone]] - track.time[places[alone - 1]], 0.1))


def busy_spans(track: Track) -> np.ndarray:
    """When the host handles what it heard, or builds what comes next: rows of start and stop [ns].
    It takes as long for an ACK that releases nothing as for one that does."""
    heard = np.flatnonzero(~track.out)
    handles = usual_reaction_ns(track) or 0
    builds = own_pace_ns(track) or 0
    if builds > handles:
        builds = 0
    starts = np.concatenate((track.time[heard], track.time[track.segments]))
    takes = np.repeat([handles, builds], [len(heard), len(track.segments)])
    return np.column_stack((starts, starts + takes)).astype(np.int64)


@dataclass(frozen=True)
class Releases:
    """One row for each segment of `track.segments`."""

    track: Track
    tolerance_ns: int
    way_ns: int = 0  # to the host and back, where the capture was not taken at it
    estimated: bool = False  # the times of sending are reckoned from a capture elsewhere

    @cached_property
    def at(self) -> np.ndarray:
        """The place of the packet of the peer that may have released the segment; -1 without."""
        return self._at_a_distance() if self.way_ns else self._at_the_host()

    def _at_a_distance(self) -> np.ndarray:
        """The last one that can have been there in time, even if it passed by here before the
        segment before did."""
        time = self.track.time
        heard = np.flatnonzero(~self.track.out)
        sent = time[self.track.segments]
        place = np.searchsorted(time[heard], sent - int(0.95 * self.way_ns), side="right") - 1
        at = heard[np.maximum(place, 0)]
        waited = time[at] - np.concatenate((time[:1], sent[:-1]))
        longest = np.maximum(self.tolerance_ns, self.way_ns + CLOSE * waited)
        return np.where((place >= 0) & (sent - time[at] <= longest), at, -1)

    def _at_the_host(self) -> np.ndarray:
        """Of those since the segment before the first that is near enough, as the host reacts to
        each in turn; else the last."""
        track = self.track
        places = track.segments
        last = track.last_heard[places]
        before = np.concatenate(([-1], places[:-1]))
        heard = np.append(np.flatnonzero(~track.out), len(track.time))
        soonest = track.time[places] - self.tolerance_ns
        times = np.append(track.time[heard[:-1]], np.iinfo(np.int64).max)
        first = np.maximum(
            np.searchsorted(times, soonest), np.searchsorted(heard, before, side="right")
        )
        near = heard[np.minimum(first, len(heard) - 1)]
        return np.where(last > before, np.where(near < places, near, last), -1)

    @cached_property
    def beats(self) -> bool:
        """Whether the host sends in time with a clock of its own, whenever it last heard the peer:
        an ACK that is there just before a segment did not release it."""
        time, places = self.track.time, self.track.segments
        if len(places) < LEAST_BEATS or self.way_ns:
            return False
        gap = np.diff(time[places])
        # What leaves in one go is one beat.
        begins = np.flatnonzero(gap > LEAST_TOLERANCE_NS) + 1
        if len(begins) < LEAST_BEATS:
            return False
        if self._keeps_its_pace():
            return True
        gap = np.diff(time[places[begins]])
        usual = float(np.median(gap))
        heard = self.track.last_heard[places[begins]]
        since = time[places[begins]] - time[np.maximum(heard, 0)]
        early, late = np.quantile(since, [0.1, 0.9])
        steady = gap[np.abs(gap - usual) <= STEADY * usual].sum()
        return bool(steady > MOSTLY * gap.sum() and late - early > usual / 2)

    def _keeps_its_pace(self) -> bool:
        """Whether the host sent at one pace before it heard any ACK of data, and does so still."""
        track = self.track
        time, places = track.time, track.segments
        heard = np.flatnonzero((track.acked > track.acked_before) & ~track.out)
        heard = heard[heard > places[0]]
        ahead = int(np.searchsorted(places, heard[0])) if len(heard) else len(places)
        gap = np.diff(time[places])
        usual = float(np.median(gap))
        if ahead < FIRST_BEATS or usual <= LEAST_TOLERANCE_NS:
            return False
        like = np.abs(gap - usual) <= ABOUT * usual
        return bool(like[: ahead - 1].all() and gap[like].sum() > MOSTLY * gap.sum())

    @cached_property
    def by_peer(self) -> np.ndarray:
        """Whether the segment went as soon as that packet allowed it."""
        if self.beats:
            return np.zeros(len(self.track.segments), bool)
        time = self.track.time
        heard = time[np.maximum(self.at, 0)]
        took = time[self.track.segments] - heard
        before = np.concatenate((time[:1], time[self.track.segments[:-1]]))
        longest = (
            np.inf
            if self.estimated
            else AT_MOST * _bare_reaction_ns(self.track, usual_reaction_ns(self.track) or 0.0)
        )
        close = took - self.way_ns <= np.minimum(CLOSE * (heard - before), longest)
        soon = (self.at >= 0) & ((took <= self.tolerance_ns) | close)
        if self.way_ns:  # what released one before is not what the next had waited for
            soon[1:] &= self.at[1:] > self.at[:-1]
        pace = own_pace_ns(self.track)
        if pace is None or self.way_ns:
            return soon
        busy = (heard - before < pace * 0.9) & (took > LEAST_TOLERANCE_NS) & self.in_window
        return soon & ~busy  # the host had not done with the segment before

    @cached_property
    def need(self) -> np.ndarray:
        """The room that the sender would have gone on with [B]: a piece that segmentation offload
        hands down is not cut to what is left of a window, nor are two segments that left at one
        instant, where the capture was taken behind it."""
        track = self.track
        length = track.packets["length"][track.segments]
        time = track.time[track.segments]
        second = np.append(np.where(time[1:] == time[:-1], length[1:], 0), 0)[: len(length)]
        return length + np.maximum(second, self._rest_of_piece)

    @cached_property
    def _rest_of_piece(self) -> np.ndarray:
        """What follows of the same piece behind each segment [B]: segmented by the host itself, it
        leaves at once, with one header, and PSH at its end."""
        track, of = self.track, self.track.segments
        rest = np.zeros(len(of), np.int64)
        if len(of) < 2:
            return rest
        p = track.packets
        goes_on = (np.diff(track.time[of]) <= LEAST_TOLERANCE_NS) & (np.diff(of) == 1)
        goes_on &= goes_on_in_one_piece(track, of[:-1], of[1:])
        first = np.flatnonzero(np.concatenate(([True], ~goes_on)))
        last = np.append(first[1:], len(of)) - 1
        piece = np.cumsum(np.concatenate(([True], ~goes_on))) - 1
        whole = (p["flags"][of[last]] & PSH) > 0
        behind = track.end[of[last]][piece] - track.end[of]
        return np.where(whole[piece], behind, 0)

    @cached_property
    def fills(self) -> np.ndarray:
        """Whether a segment has what is left of the window: it is small because there is no room
        for more of it, or it is whole, and left with no ACK: a host that sends in bursts keeps back
        the last one that fits, until a probe for the tail (RFC 8985, 7) takes it along."""
        track = self.track
        length = track.packets["length"][track.segments]
        room = track.usable_before[track.segments]
        rest = (length < track.mss) & (length == room)
        outstanding = track.sent_before[track.segments] > track.acked_before[track.segments]
        last = (length >= track.mss) & (room - length < track.mss) & (room < 2 * track.mss)
        return rest | (last & ~self.by_peer & outstanding & (room > 0))

    @cached_property
    def reply(self) -> np.ndarray:
        """The place of the peer's data which the segment answers, as all that this end had sent
        was acknowledged by then; -1 where it answers none."""
        track = self.track
        p = track.packets
        told = ~track.out & (p["length"] > 0) & (track.outstanding == 0)
        last = np.maximum.accumulate(np.where(told, np.arange(len(p)), -1))
        at = last[track.segments - 1]
        before = np.concatenate(([-1], track.segments[:-1]))
        return np.where((track.segments > 0) & (at > before), at, -1)

    @cached_property
    def flight(self) -> np.ndarray:
        """What was outstanding before the packet that released the segment [B]; -1 without."""
        track = self.track
        flight = track.sent_before[track.segments] - track.acked[np.maximum(self.at - 1, 0)]
        return np.where(self.at > 0, flight, -1)

    @cached_property
    def clears(self) -> np.ndarray:
        """Whether that packet acknowledged all that was outstanding."""
        return (self.at >= 0) & (self.track.outstanding[np.maximum(self.at, 0)] == 0)

    @cached_property
    def in_window(self) -> np.ndarray:
        """Whether the segment would have had room in the window before it was released."""
        track = self.track
        edge = track.edge[np.maximum(self.at - 1, 0)]
        return edge - track.sent_before[track.segments] >= self.need
