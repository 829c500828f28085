# SPDX-License-Identifier: GPL-2.0-only
"""Whether a sender's own buffer holds it. That is in no packet, but a congestion window grows with
every ACK and shrinks with losses only (RFC 5681, 3.1): flights that do neither are a buffer's."""

import numpy as np

from study.diagnosis.releases import Releases
from study.diagnosis.track import Track

LEAST_RELEASES = 5
STOPS, SILENT_ACKS = 3, 3  # as many, each behind more ACKs that released nothing
ALIKE_STOPS = 2  # at one level, within a piece of two segments
SOME = 0.05  # of its life a sender must have waited for room in a buffer that is told of
MOSTLY = 0.8  # of the time without any other reason must end with an ACK, or a program is slow


def send_buffer(releases: Releases, other: np.ndarray) -> tuple[int | None, np.ndarray]:
    """The buffer as it shows [B], None if it does not; and which segments waited for its room.
    `other` are those that have another reason."""
    held = np.zeros(len(releases.track.segments), bool)
    flight = _plateau(releases)
    if flight is not None:
        return flight, releases.flight > flight - releases.track.mss
    track = releases.track
    woken = writer_woken(releases, other)
    below = _below_the_largest(releases, other)
    if woken.any():
        return int(track.outstanding.max()), woken | below
    if not below.any():
        return None, held
    at = releases.at[below]
    flight = int(np.median(np.maximum.reduceat(track.outstanding, at)))
    if flight > track.window[at].max() - 2 * track.mss:
        return None, held  # the window is in the way, as far as it grows
    return flight, below


def writer_woken(releases: Releases, other: np.ndarray) -> np.ndarray:
    """The segments with which a sender goes on that had stopped although there was room: it let
    ACKs by until less than half of what was out is left, again and again to the same level. A
    congestion window does not wait so, and a program does not know the level; Linux wakes a writer
    when a third of its memory is free, however far its last block had taken it beyond."""
    track, places = releases.track, releases.track.segments
    none = np.zeros(len(places), bool)
    if len(places) < LEAST_RELEASES:
        return none
    lossless = places < (track.repairs[0] if len(track.repairs) else len(track.time))
    left = np.where(releases.at > 0, track.sent_before[places] - track.acked[releases.at], 0)
    begun = np.concatenate(([0], track.outstanding[places[:-1]]))
    before = np.concatenate(([0], places[:-1]))
    room = track.usable[before] >= releases.need
    stops = _silent(track) & releases.by_peer & room & lossless & ~other
    deep = stops & (left > 0) & (left < begun / 2)
    if not deep.any():
        return none
    alike = np.abs(left - np.median(left[deep])) <= 2 * track.mss
    gap = np.diff(track.time[places], prepend=track.time[places[0]])
    enough = (deep & alike).sum() >= ALIKE_STOPS and gap[stops & alike].sum() >= (
        SOME * track.time[-1]
    )
    return stops & alike if enough else none


def _plateau(releases: Releases) -> int | None:
    """The largest flight, where it stays the largest although the ACKs of three such flights would
    have let a congestion window grow by more than a segment."""
    track = releases.track
    meant = releases.by_peer & releases.in_window & (releases.flight > 0)
    if meant.sum() < 3:
        return None
    flight = releases.flight[meant]
    acked = track.acked[releases.at[meant]]
    largest = int(flight.max())
    full = flight > largest - track.mss
    if full.sum() < 3 or track.outstanding.max() > largest:
        return None
    if largest > np.median(track.window[releases.at[meant]][full]) - track.mss:
        return None  # the window is in the way
    run = np.cumsum(np.diff(full, prepend=False) & full)[full]  # which one of unbroken runs
    acked = acked[full]
    begun = acked[np.searchsorted(run, run, side="left")]
    return largest if (acked - begun).max() >= 3 * largest else None


def _below_the_largest(releases: Releases, other: np.ndarray) -> np.ndarray:
    """The segments that an ACK released although there had been more outstanding before, and
    nothing was lost: the congestion window had room for them, and they are most of what ACKs
    released. Linux counts memory, and wakes a
    writer when a third of it is free, so such flights rise and fall."""
    track = releases.track
    places = track.segments
    none = np.zeros(len(places), bool)
    if len(places) < LEAST_RELEASES:
        return none
    most = np.maximum.accumulate(track.outstanding)[np.maximum(places - 1, 0)]
    known = np.where(releases.at > 0, releases.flight, track.sent_before[places])
    known = np.where(releases.at > 0, known, known - track.acked_before[places])
    gap = np.diff(track.time[places], prepend=track.time[places[0]])
    free = releases.in_window & (known + releases.need <= most) & (gap > releases.tolerance_ns)
    free &= ~other & (releases.reply < 0) & ~releases.clears & (known > 0)
    lossless = places < (track.repairs[0] if len(track.repairs) else len(track.time))
    free &= lossless
    ended = free & releases.by_peer
    stops = _stops(track, ended)
    if not (ended.sum() >= LEAST_RELEASES or stops) or gap[ended].sum() < MOSTLY * gap[free].sum():
        return none
    others = releases.by_peer & releases.in_window & ~free & ~other & lossless
    acked = track.acked[releases.at[ended]]
    least = SOME * track.time[-1]
    usual = gap[ended].sum() >= (least if stops else max(gap[others].sum(), least))
    return ended if usual and acked.max() - acked.min() >= 3 * np.median(known[ended]) else none


def _stops(track: Track, ended: np.ndarray) -> bool:
    """Whether ACKs released nothing, again and again, although there was room for what they let
    go: no congestion window does that, so that few stops tell, also beside a slow start."""
    return int((ended & _silent(track)).sum()) >= STOPS


def _silent(track: Track) -> np.ndarray:
    """Before which segments more ACKs came than a sender lets by that waits for one."""
    heard = np.cumsum(~track.out)[track.segments]
    return np.diff(heard, prepend=heard[:1]) > SILENT_ACKS
