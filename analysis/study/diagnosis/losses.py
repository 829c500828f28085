# SPDX-License-Identifier: GPL-2.0-only
"""Time lost to losses: what is charged to recovery, as ShareClock does it in the simulation."""

import numpy as np

from study.diagnosis.budget import LIMITS, overlay
from study.diagnosis.in_vain import unheard
from study.diagnosis.line import least_way_ns
from study.diagnosis.track import Track

RECOVERS = (
    "receive_window",
    "drain",
    "window_update",
    "congestion_window",
    "send_buffer",
    "nagle",
    "last_ack",
)

PROBED = 1.5  # round trips: a probe is sent two after the last segment (RFC 8985, 7.2)


def charge_losses(waits: np.ndarray, track: Track, tolerance_ns: int) -> np.ndarray:
    """From the last progress to a packet that a timer sent again everything is lost; from any that
    was sent again until all that was out is acknowledged, every wait for an ACK."""
    waits = _silences(waits, track)
    again = np.flatnonzero(track.again)
    # Behind lost ACKs a sender recovers although the data had arrived.
    again = again[np.isin(again, track.repairs) | unheard(track, again)]
    if not len(again):
        return waits
    progress = np.flatnonzero(track.acked > track.acked_before)
    place = np.searchsorted(progress, again) - 1
    since = np.where(place >= 0, track.time[progress[np.maximum(place, 0)]], track.time[0])
    lost = np.column_stack((since, track.time[again]))
    heard = track.last_heard[again]
    # A timer runs for longer than a round trip (RFC 6298, 2), of which ACKs may come in the first
    # part; a host that is slow for once does not.
    slow = max(tolerance_ns, (least_way_ns(track) or 0) // 2)
    timed_out = (heard < 0) | (track.time[again] - track.time[heard] > slow)
    done = np.searchsorted(track.acked, track.sent[again])
    last = len(track.time) - 1
    recovery = np.column_stack((track.time[again], track.time[np.minimum(done, last)]))
    waits = overlay(waits, recovery, "loss_recovery", RECOVERS)
    return overlay(waits, lost[timed_out], "loss_recovery", LIMITS[1:])


def _silences(waits: np.ndarray, track: Track) -> np.ndarray:
    """Where a capture was taken behind the loss of the last segments of a flight, a probe for the
    tail (RFC 8985, 7) is what comes first: from the last progress to it all is lost, too, and from
    it on until there is no hole."""
    probes, rtt = track.beyond_a_hole, least_way_ns(track)
    if not len(probes) or rtt is None:
        return waits
    own = np.flatnonzero(track.out)
    before = own[np.searchsorted(own, probes) - 1]
    silent = track.time[probes] - track.time[before] > PROBED * rtt
    probes, before = probes[silent], before[silent]
    progress = np.flatnonzero(track.acked > track.acked_before)
    place = np.searchsorted(progress, probes) - 1
    since = np.where(place >= 0, progress[np.maximum(place, 0)], 0)
    done = np.minimum(np.searchsorted(track.acked, track.sent[probes]), len(track.time) - 1)
    spans = np.column_stack((track.time[since], track.time[probes]))
    waits = overlay(waits, spans, "loss_recovery", LIMITS[1:])
    spans = np.column_stack((track.time[probes], track.time[done]))
    waits = overlay(waits, spans, "loss_recovery", (*RECOVERS, "round_trip", "application"))
    # What was lost had left with the others: if that was the end, nothing was left to send.
    sent = np.column_stack((track.time[before], track.time[since]))
    last = track.end[probes] >= track.end[track.segments].max()
    return overlay(waits, sent[last], "last_ack", ("application",))
