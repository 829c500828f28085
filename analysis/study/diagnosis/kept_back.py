# SPDX-License-Identifier: GPL-2.0-only
"""ACKs that a peer keeps back on purpose (RFC 1122, 4.2.3.2), as far as a sender can tell them from
a peer that is slow: one came for less than two full segments where others cover two, or it is late
by the time of a timer that is known."""

import numpy as np

from study.diagnosis.budget import overlay, without
from study.diagnosis.track import Track

LEAST_KEPT_BACK_NS = 1_000_000  # less is a host at work
LEAST_LATE_NS = 10_000_000  # less may be the path
# Linux 40 ms (TCP_DELACK_MIN), BSD's and Windows' 200 ms, and the longest that RFC 1122 allows;
# a timer is never early, but for the round trip's own spread, and late by a tick of 4 ms at most or
# by 2 %.
TIMERS_NS = (40_000_000, 200_000_000, 500_000_000)
SPREAD_NS, TICK_NS = 1_000_000, 4_000_000
UNREAD_SHARE = (
    10  # data unread for longer before an ACK is kept back show a reader that is waited for
)
HELD = ("receive_window", "drain", "congestion_window", "send_buffer", "nagle", "last_ack")


def is_timer(late_ns: np.ndarray) -> np.ndarray:
    """Whether an ACK is late by the time of a known timer."""
    found = np.zeros(len(late_ns), bool)
    for timer in TIMERS_NS:
        found |= (late_ns >= timer - SPREAD_NS) & (late_ns <= 1.02 * timer + TICK_NS)
    return found


def delayed_acks(
    waits: np.ndarray, track: Track, rtt_ns: int | None, way_ns: int | None, queued_ns: np.ndarray
) -> np.ndarray:
    """Charge what waited for an ACK kept back to that. `rtt_ns` is the least round trip of data,
    `way_ns` the least of any packet, `queued_ns` how long each answered segment was in a queue."""
    ack, segment = track.answers
    if rtt_ns is None or not len(ack):
        return waits
    behind = track.time[segment] + queued_ns  # the line is free for it
    took = track.time[ack] - behind
    covers = (track.acked[ack] - track.acked_before[ack]) / track.mss
    late = took - rtt_ns
    least = max(LEAST_LATE_NS, rtt_ns // 4)
    in_pairs = np.median(covers) > 1.5
    kept = (late > least) & (covers < 2) & (in_pairs | is_timer(late))
    way = min(way_ns or 0, rtt_ns)
    # A timer runs from the first segment that it has to acknowledge.
    ends = track.end[track.segments]
    first = np.searchsorted(ends, track.acked_before[ack], side="right")
    first = track.segments[np.minimum(first, len(ends) - 1)]
    always = is_timer(took - way) | is_timer(track.time[ack] - track.time[first] - way)
    kept |= always
    late = np.where(always, took - way, late)
    # Since an ACK before it nothing was kept back that this one could have told.
    late = np.minimum(late, np.diff(track.time[ack], prepend=track.time[0]))
    kept &= late > least
    # What acknowledges a FIN alone answers that, and not the data before it.
    kept &= track.acked_before[ack] < ends[-1]
    if not kept.any():
        return waits
    read = _when_it_read(track, ack) & kept
    if read.any():
        kept &= ~read | _by_the_clock(track, ack, late)
    stop = track.time[ack] - way // 2
    spans = np.column_stack((stop - late, stop))[kept].astype(np.int64)
    return overlay(waits, without(spans, _travelling(track, way)), "delayed_ack", HELD)


def _when_it_read(track: Track, ack: np.ndarray) -> np.ndarray:
    """Which ACKs came because the receiver's program read: the window was shut, and opened by less
    than all that it once was, or had been told smaller than that before, as data lay unread.
    Without the reading none would have let the sender go on."""
    before = np.maximum(ack - 1, 0)
    behind = track.window[ack] < track.largest_window[ack] - track.mss
    behind |= track.window[before] < track.largest_window[before] - track.mss
    opened = track.edge[ack] > track.edge[np.maximum(ack - 1, 0)]
    return behind & opened & (track.usable_before[ack] < track.mss)


def _by_the_clock(track: Track, ack: np.ndarray, late_ns: np.ndarray) -> np.ndarray:
    """Which ACKs a known timer sent, and found the buffer empty: they tell the whole window, and
    none told of less for long before. That the program had read meanwhile, they kept back."""
    heard = np.flatnonzero(~track.out)
    whole = track.window[heard] >= track.largest_window[heard] - track.mss
    last = np.maximum.accumulate(np.where(whole, np.arange(len(heard)), -1))
    place = np.searchsorted(heard, ack)
    clipped = heard[np.minimum(last[np.maximum(place - 1, 0)] + 1, place)]
    unread_ns = track.time[ack] - late_ns - track.time[clipped]
    found = is_timer(late_ns) & (track.window[ack] >= track.largest_window[ack])
    # The last of the data needs no window to be acknowledged.
    last_one = track.acked[ack] >= track.end[track.segments[-1]]
    return is_timer(late_ns) & last_one | (found & (UNREAD_SHARE * unread_ns <= late_ns))


def kept_back_here(track: Track) -> np.ndarray:
    """When the end at which the capture was taken kept back an ACK of this track's data, from the
    first octet that it covers on: rows of start and stop."""
    advance = np.flatnonzero((track.acked > track.acked_before) & ~track.out)
    if not len(track.segments):
        return np.zeros((0, 2), np.int64)
    first = np.searchsorted(track.end[track.segments], track.acked_before[advance], side="right")
    first = track.segments[np.minimum(first, len(track.segments) - 1)]
    spans = np.column_stack((track.time[first], track.time[advance]))
    return spans[spans[:, 1] - spans[:, 0] > LEAST_KEPT_BACK_NS]


def _travelling(track: Track, way_ns: int) -> np.ndarray:
    """When anything was on its way, if nothing waited for a line: rows of start and stop."""
    if way_ns < LEAST_KEPT_BACK_NS:
        return np.zeros((0, 2), np.int64)
    time, half = track.time, way_ns // 2
    return np.column_stack(
        (np.where(track.out, time, time - half), np.where(track.out, time + half, time))
    )
