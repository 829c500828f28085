# SPDX-License-Identifier: GPL-2.0-only
"""What the sender of a bulk transfer waited for: every stretch between two packets is charged by
the room there was, and by what released the next segment (Connection::FindWait in
scenarios/model/connection is the same of a simulated sender)."""

import numpy as np

from study.captures.connection import FIN, RST, SYN
from study.captures.growing import pieces as parts
from study.diagnosis.budget import CODE, LIMITS, Budget, joined, overlay, pieces
from study.diagnosis.kept_back import delayed_acks
from study.diagnosis.line import (
    HEADERS_B,
    carried_Bps,
    least_rtt_ns,
    least_way_ns,
    line_Bps,
    queued_ns,
    waiting_spans,
)
from study.diagnosis.losses import charge_losses
from study.diagnosis.releases import LEAST_TOLERANCE_NS, Releases, busy_spans, tolerance_ns
from study.diagnosis.send_buffer import send_buffer
from study.diagnosis.track import Known, Track
from study.diagnosis.vantage import LineSeen

SEVERAL, OFTEN = 2, 0.05  # of a sender's flights: no chance
BURST = 3  # parts of a window, of which one is worth a burst
HELD = ("receive_window", "drain", "congestion_window", "send_buffer", "nagle")


def judge_bulk(
    track: Track,
    seen: LineSeen | None = None,
    given_Bps: float | None = None,
    estimated: bool = False,
) -> Budget:
    """The split of the sender's time; `seen` is the narrowest line where the capture was taken
    behind it, `given_Bps` the rate of an Ethernet that is known and does not show. The times of
    sending may be `estimated`."""
    releases = Releases(track, tolerance_ns(track), estimated=estimated)
    rtt = _least(least_rtt_ns(track), track.known.rtt_ns)
    shown = seen.rate_Bps if seen else line_Bps(track, rtt)
    shown = shown or track.known.line_Bps
    rate = shown or (given_Bps and carried_Bps(given_Bps, track))
    small = nagled(track, releases)
    buffer, full = send_buffer(releases, small)
    waits = stretches(track, releases, full, small)
    tolerance = releases.tolerance_ns
    del releases, full, small
    waits = overlay(waits, busy_spans(track), "cpu", HELD)
    way = _least(least_way_ns(track), track.known.way_ns)
    waits = delayed_acks(waits, track, rtt, way, queued_ns(track, rate, track.answers[1]))
    waits = _way_of_the_last(waits, track, way, shown)
    if rate:
        spans = waiting_spans(track, rate)
        if seen:
            spans = joined(np.concatenate((spans, seen.busy)))
        waits = _behind_the_line(waits, spans)
    waits = overlay(waits, closing(track), "close", ("application",))
    waits = charge_losses(waits, track, tolerance)
    return Budget(
        waits=waits,
        kind="bulk",
        from_client=track.from_client,
        line_Bps=rate,
        line_headers_B=HEADERS_B,
        least_rtt_s=None if rtt is None else rtt / 1e9,
        reaction_s=tolerance / 1e9,
        send_buffer_B=buffer,
        known=Known(int(track.largest_window[-1]), track.handshake_reaction_ns, rtt, way, shown),
    )


def _least(*times_ns: int | None) -> int | None:
    """Of those that are known."""
    return min((each for each in times_ns if each is not None), default=None)


def stretches(track: Track, releases: Releases, full: np.ndarray, small: np.ndarray) -> np.ndarray:
    """A wait for each stretch between two packets; `full` are the segments that waited for the send
    buffer, `small` those for Nagle's algorithm."""
    count = len(track.packets)
    following = track.next_segment[:-1]
    limit = np.full(count - 1, CODE["application"])
    ahead = following < len(track.segments)
    room = _room(track, releases, full, small)
    for piece in parts(count - 1) if len(track.segments) else ():
        stretch = np.arange(piece.start, piece.stop)
        of = np.minimum(following[piece], len(track.segments) - 1)
        limit[piece] = np.where(
            ahead[piece], held(track, releases, room, stretch, of), limit[piece]
        )
    behind = ~ahead & (track.outstanding[:-1] > 0)
    limit[behind] = CODE["last_ack"]
    limit[~ahead & _asked_in_vain(track)[:-1]] = CODE["drain"]
    limit[: opened(track)] = CODE["handshake"]
    number = track.packets["number"]
    time = track.time
    return pieces(time[:-1], time[1:], limit, number[:-1], number[1:])


def _asked_in_vain(track: Track) -> np.ndarray:
    """Where all is acknowledged and the window is shut, and the sender probes it: it has more."""
    shut = (track.outstanding <= 0) & (track.usable <= 0)
    probes = shut & track.out & (track.packets["length"] <= 1)
    probes &= (track.packets["flags"] & (SYN | FIN | RST)) == 0
    return shut & probes.any()


def held(
    track: Track, releases: Releases, room: np.ndarray, stretch: np.ndarray, of: np.ndarray
) -> np.ndarray:
    """The limit of each stretch that has a segment behind it (`of`); `room` is that of each
    segment for which the window had room."""
    time = track.time
    segment = track.segments[of]
    before = np.where(of > 0, track.segments[np.maximum(of - 1, 0)], 0)
    at_work = LEAST_TOLERANCE_NS if releases.beats else releases.tolerance_ns
    quick = time[segment] - time[before] <= at_work
    own = np.where(quick, CODE["cpu"], CODE["application"])
    need = releases.need[of]
    outstanding = track.outstanding[stretch]
    largest = track.largest_window[stretch]
    full_room = np.maximum(largest - outstanding, 0)
    drains = full_room >= np.minimum(need, (largest + 1) // 2)
    window = np.where(drains, CODE["drain"], CODE["receive_window"])
    no_room = track.usable[stretch] < need
    asked = np.where(no_room | releases.fills[of], window, room[of])
    deferred = _deferred(track, stretch, need) & (asked == CODE["congestion_window"])
    asked = np.where(deferred, CODE["receive_window"], asked)
    released = releases.by_peer[of] | releases.fills[of]
    working = stretch >= releases.at[of]
    limit = np.where(released, np.where(working & releases.by_peer[of], CODE["cpu"], asked), own)
    reply = releases.reply[of]
    silent = np.where(outstanding > 0, CODE["last_ack"], CODE["application"])
    return np.where(reply >= 0, np.where(stretch < reply, silent, own), limit)


def _deferred(track: Track, stretch: np.ndarray, need: np.ndarray) -> np.ndarray:
    """Where a sender that hands down bursts waits for a larger one: Linux keeps back what fits into
    less than a third of the window (tcp_tso_win_divisor) and counts that as the window's. Of the
    congestion window it is known that it had room, for it held as much before and only grows until
    something is lost (RFC 5681, 3.1)."""
    outstanding = track.outstanding[stretch]
    lossless = stretch < (track.repairs[0] if len(track.repairs) else len(track.time))
    had_room = outstanding + need <= np.maximum.accumulate(track.outstanding)[stretch]
    largest = track.largest_window[stretch]
    whole = track.window[stretch] > largest - track.mss  # less is the receiver's program
    return lossless & had_room & whole & (BURST * track.usable[stretch] < largest)


def _room(track: Track, releases: Releases, full: np.ndarray, nagled: np.ndarray) -> np.ndarray:
    """For each segment: what it waited for if the window had room."""
    limit = np.full(len(track.segments), CODE["congestion_window"])
    limit[full] = CODE["send_buffer"]
    limit[nagled] = CODE["nagle"]
    length = track.packets["length"][track.segments]
    small = length < track.whole
    # Nagle's algorithm would have let what the program wrote meanwhile go with it.
    before = np.concatenate(([-1], length[:-1]))
    after = np.concatenate((length[1:], [-1]))
    alike = small & ((length == before) | (length == after))
    # Nor does a full buffer hold more now and then: that is what was written until an ACK came.
    larger = np.sort(length[small & releases.clears])
    more = len(larger) - np.searchsorted(larger, length, side="right")
    alike &= more < max(SEVERAL, OFTEN * len(larger))
    limit[alike & releases.clears & (releases.flight <= before)] = CODE["last_ack"]
    return limit


def nagled(track: Track, releases: Releases) -> np.ndarray:
    """The small segments that an ACK released: of all that was outstanding (RFC 896), or of the
    last small segment, as Minshall modified that and Linux does it."""
    length = track.packets["length"][track.segments]
    small = length < track.whole
    # A piece that is cut only behind the capture may end with a small one.
    ends_small = small | (length % max(track.mss, 1) > 0)
    last = np.maximum.accumulate(np.where(ends_small, track.end[track.segments], 0))
    last = np.concatenate(([0], last[:-1]))
    at = np.maximum(releases.at, 0)
    # Of several ACKs near enough to have released it the one counts that ended the wait.
    heard = np.maximum(track.last_heard[track.segments], at)
    told = (releases.at > 0) & (track.acked_before[at] < last) & (track.acked[heard] >= last)
    return small & (releases.clears | told)


def closing(track: Track) -> np.ndarray:
    """From when the receiver has acknowledged the sender's FIN until it closes its own half (RFC
    9293, 3.6: FIN-WAIT-2): the receiver's program takes this time, and not the sender's."""
    fin = (track.packets["flags"] & FIN) != 0
    own, theirs = np.flatnonzero(fin & track.out), np.flatnonzero(fin & ~track.out)
    if not len(own):
        return np.zeros((0, 2), np.int64)
    heard = np.searchsorted(track.acked, track.end[own[0]])
    until = track.time[theirs[0]] if len(theirs) else track.time[-1]
    since = track.time[np.minimum(heard, len(track.time) - 1)]
    return joined(np.array([[since, until]], np.int64))


def opened(track: Track) -> int:
    """The place of the packet with which the sender has a connection."""
    syn = (track.packets["flags"] & SYN) != 0
    if not syn[0]:
        return 0
    answered = np.flatnonzero(~track.out & (track.packets["ack"] >= 1))
    return int(answered[0]) if len(answered) else len(track.packets) - 1


def _behind_the_line(waits: np.ndarray, spans: np.ndarray) -> np.ndarray:
    """What waits before the line holds the sender, whatever else it waits for."""
    every = tuple(word for word in LIMITS if word not in ("handshake", "last_ack", "round_trip"))
    waits = overlay(waits, spans, "link", every)
    return overlay(waits, spans, "path_queue", ("last_ack", "round_trip"))


def _way_of_the_last(
    waits: np.ndarray, track: Track, way: int | None, rate: float | None
) -> np.ndarray:
    """Of a wait for the last ACK its own time on the line and the least round trip of any packet
    are the way, and what is left is the peer's time."""
    if way is None or not (waits["limit"] == CODE["last_ack"]).any():
        return waits
    of = track.segments
    begun = track.time[of] + queued_ns(track, rate, of)
    takes = (track.packets["length"][of] + HEADERS_B) / rate * 1e9 if rate else 0.0
    there = np.column_stack((begun, begun + takes)).astype(np.int64)
    back = np.column_stack((begun + takes, begun + takes + way)).astype(np.int64)
    waits = overlay(waits, there, "link", ("last_ack",))
    return overlay(waits, back, "round_trip", ("last_ack",))
