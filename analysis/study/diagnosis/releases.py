# SPDX-License-Identifier: GPL-2.0-only
"""What released each segment of a sender, and how fast the host reacts."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from study.diagnosis.track import Track

LEAST_TOLERANCE_NS = 20_000
BEYOND = 3.0  # as many times its usual reaction a host may take and still react


def tolerance_ns(track: Track, way_ns: int = 0) -> int:
    """How long after an ACK a segment can still be taken for released by it: a few times what this
    host usually takes, seen at segments that had no room before the ACK. For a host at the other
    end of the path its reaction comes a round trip (`way_ns`) later."""
    floor = max(LEAST_TOLERANCE_NS, 2 * track.connection.resolution_ns, way_ns // 10)
    usual = usual_reaction_ns(track, way_ns)
    return way_ns + floor if usual is None else way_ns + int(max(BEYOND * usual, floor))


def usual_reaction_ns(track: Track, way_ns: int = 0) -> float | None:
    """How long the host usually takes from an ACK to what that released; None if never seen."""
    places = track.segments
    places = places[places > 0]
    heard_just_before = track.last_heard[places] == places - 1
    released = places[heard_just_before]
    if not len(released):
        return None
    before = released - 1
    reaction = np.maximum(track.time[released] - track.time[before] - way_ns, 0)
    need = np.minimum(track.packets["length"][released], track.mss)
    had_no_room = track.usable_before[before] < need
    if had_no_room.sum() >= 5:
        return float(np.median(reaction[had_no_room]))
    return float(np.quantile(reaction, 0.25))


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

    @cached_property
    def at(self) -> np.ndarray:
        """The place of the last packet of the peer since the segment before; -1 without one."""
        places = self.track.segments
        heard = self.track.last_heard[places]
        before = np.concatenate(([-1], places[:-1]))
        return np.where(heard > before, heard, -1)

    @cached_property
    def by_peer(self) -> np.ndarray:
        """Whether the segment went as soon as that packet allowed it."""
        time = self.track.time
        heard = time[np.maximum(self.at, 0)]
        took = time[self.track.segments] - heard
        soon = (self.at >= 0) & (took <= self.tolerance_ns)
        pace = own_pace_ns(self.track)
        if pace is None:
            return soon
        before = np.concatenate((time[:1], time[self.track.segments[:-1]]))
        busy = (heard - before < pace * 0.9) & (took > LEAST_TOLERANCE_NS) & self.in_window
        return soon & ~busy  # the host had not done with the segment before

    @cached_property
    def need(self) -> np.ndarray:
        """The room that the sender would have gone on with [B]."""
        return np.minimum(self.track.packets["length"][self.track.segments], self.track.mss)

    @cached_property
    def fills(self) -> np.ndarray:
        """Whether a segment is small because the window has no room for more of it."""
        track = self.track
        length = track.packets["length"][track.segments]
        return (length < track.mss) & (length == track.usable_before[track.segments])

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
        before = np.maximum(self.at - 1, 0)
        return np.where(self.at > 0, self.track.outstanding[before], -1)

    @cached_property
    def clears(self) -> np.ndarray:
        """Whether that packet acknowledged all that was outstanding."""
        return (self.at >= 0) & (self.track.outstanding[np.maximum(self.at, 0)] == 0)

    @cached_property
    def in_window(self) -> np.ndarray:
        """Whether the segment would have had room in the window before it was released."""
        before = np.maximum(self.at - 1, 0)
        return self.track.usable[before] >= self.need


def send_buffer_B(releases: Releases) -> int | None:
    """The largest flight, where it stays the largest although the ACKs of three such flights would
    have let a congestion window grow by more than a segment (RFC 5681, 3.1)."""
    track = releases.track
    meant = releases.by_peer & releases.in_window & (releases.flight > 0)
    if meant.sum() < 3:
        return None
    flight = releases.flight[meant]
    acked = track.acked[releases.at[meant]]
    largest = int(flight.max())
    full = flight > largest - track.mss
    run = np.cumsum(np.diff(full, prepend=False) & full)[full]  # which one of unbroken runs
    acked = acked[full]
    begun = acked[np.searchsorted(run, run, side="left")]
    return largest if (acked - begun).max() >= 3 * largest else None
