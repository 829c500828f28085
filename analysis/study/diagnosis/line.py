# SPDX-License-Identifier: GPL-2.0-only
"""The narrowest line of a path, as a sender's packets and the ACKs show it: its rate, and when
something waited before it."""

import numpy as np

from study.captures.connection import SYN
from study.diagnosis.budget import joined
from study.diagnosis.track import Track

HEADERS_B = 54  # IPv4, TCP and a frame's head; a bulk segment's own are few more or less
ETHERNET_B = 78  # the same on an Ethernet with frame check, preamble and gap (IEEE 802.3, 3.1.1)
LEAST_GAPS = 8  # as many gaps between ACKs must show the same rate
SAME, OFTEN = 0.01, 0.3  # rates that are one, and the part of them that is no chance


def least_rtt_ns(track: Track) -> int | None:
    """The least time from a full segment to its ACK, or where there is none from any."""
    ack, segment = track.answers
    if not len(ack):
        return None
    took = track.time[ack] - track.time[segment]
    full = track.packets["length"][segment] >= track.mss
    return int(took[full].min() if full.any() else took.min())


def handshake_ns(track: Track) -> int | None:
    """From this end's SYN to the peer's answer, if it was sent once; for the end that answers, from
    its SYN-ACK to the ACK of that."""
    shake = _handshake(track)
    return None if shake is None else shake[0]


def _handshake(track: Track) -> tuple[int, int] | None:
    """The same, and the place of the answer."""
    syn = np.flatnonzero(track.out & ((track.packets["flags"] & SYN) != 0))
    if len(syn) != 1:
        return None
    answered = np.flatnonzero(~track.out & (track.packets["ack"] >= 1))
    if not len(answered):
        return None
    return int(track.time[answered[0]] - track.time[syn[0]]), int(answered[0])


def least_way(track: Track) -> tuple[int, int] | None:
    """The least round trip of any packet [ns], a handshake's too, and the place of the answer."""
    ack, segment = track.answers
    took = track.time[ack] - track.time[segment]
    found = [(int(took.min()), int(ack[np.argmin(took)]))] if len(ack) else []
    shake = _handshake(track)
    return min(found + ([] if shake is None else [shake]), default=None)


def least_way_ns(track: Track) -> int | None:
    """Without the place."""
    least = least_way(track)
    return None if least is None else least[0]


def carried_Bps(rate_Bps: float, track: Track) -> float:
    """An Ethernet's rate as what the line carries a second, headers counted."""
    return rate_Bps * (track.mss + HEADERS_B) / (track.mss + ETHERNET_B)


def line_Bps(track: Track, rtt_ns: int | None) -> float | None:
    """What the narrowest line carries a second, headers counted; None where nothing shows it.

    Between two ACKs the line was never idle if the later one's segment had waited, before it was
    its turn, for longer than the whole gap: its round trip is above the least by that.
    """
    ack, segment = track.answers
    if rtt_ns is None or len(ack) <= LEAST_GAPS:
        return None
    took = track.time[ack] - track.time[segment]
    gap = np.diff(track.time[ack])
    carried = np.diff(track.acked[ack]).astype(float)
    carried += HEADERS_B * np.maximum(np.round(carried / track.mss), 1)
    # A receiver that drains slowly may answer at that pace: its window, less than it was, moves on.
    room = track.window[ack] > track.largest_window[ack] - track.mss
    still = np.diff(track.edge[ack]) == 0
    busy = (gap > 0) & (took[1:] - rtt_ns >= gap * 0.98) & ((room[1:] & room[:-1]) | still)
    if busy.sum() < LEAST_GAPS:
        return None
    rate = carried[busy] / gap[busy]
    order = np.argsort(rate)
    below = np.cumsum(carried[busy][order])
    middle = float(rate[order][np.searchsorted(below, 0.5 * below[-1])] * 1e9)
    middle = max(middle, _of_pairs(carried, gap, np.round(np.diff(track.acked[ack]) / track.mss)))
    return middle if _explains(track, middle, took - rtt_ns) else None


def _of_pairs(carried: np.ndarray, gap: np.ndarray, segments: np.ndarray) -> float:
    """What the line carries a second at least: the rate at which ACKs of two segments follow each
    other again and again, 0 if none does. The second segment brings its ACK at once; that of one
    alone waits for a program that reads, and is later than the line by what that takes."""
    after = np.concatenate(([False], segments[:-1] == 2))
    rates = np.sort((carried / np.maximum(gap, 1))[(segments == 2) & after & (gap > 0)]) * 1e9
    if len(rates) < LEAST_GAPS:
        return 0.0
    ends = np.searchsorted(rates, rates * (1 + SAME), side="right")
    counts = ends - np.arange(len(rates))
    begin = int(np.argmax(counts))
    often = counts[begin] >= max(LEAST_GAPS, OFTEN * len(rates))
    return float(np.median(rates[begin : ends[begin]])) if often else 0.0


def _explains(track: Track, rate_Bps: float, waited_ns: np.ndarray) -> bool:
    """Whether the waits before a line of that rate would be the round trips' excess: none of them
    is much longer than what was seen, and they are most of it."""
    _, segment = track.answers
    wait = queued_ns(track, rate_Bps, segment)
    service = (track.mss + HEADERS_B) / rate_Bps * 1e9
    queued = wait > service
    if queued.sum() < LEAST_GAPS:
        return False
    excess = waited_ns[queued] + service
    return float(np.mean(wait[queued] <= 1.1 * excess)) > 0.9


def waiting_spans(track: Track, rate_Bps: float) -> np.ndarray:
    """When something of this sender waited for the line while it was busy: rows of start and stop
    [ns]. Each packet begins when the one before has left the line (Lindley's recursion)."""
    sent, begun = _at_the_line(track, rate_Bps)
    # Of a piece that is cut only behind the capture the last segment waits for the others.
    length = track.packets["length"][np.flatnonzero(track.out)]
    last = np.minimum(length, track.mss)
    others = (_carried_B(length, track.mss) - _carried_B(last, track.mss)) / rate_Bps * 1e9
    return joined(np.column_stack((sent, begun + others)).round().astype(np.int64))


def queued_ns(track: Track, rate_Bps: float | None, places: np.ndarray) -> np.ndarray:
    """How long packets of this sender waited for a line of that rate; 0 without one."""
    if rate_Bps is None:
        return np.zeros(len(places))
    sent, begun = _at_the_line(track, rate_Bps)
    return (begun - sent)[np.searchsorted(np.flatnonzero(track.out), places)]


def _carried_B(length: np.ndarray, mss: int) -> np.ndarray:
    """What the line carries of packets with that payload: a piece becomes several, each with its
    headers."""
    return length + HEADERS_B * np.maximum(-(-length // max(mss, 1)), 1)


def _at_the_line(track: Track, rate_Bps: float) -> tuple[np.ndarray, np.ndarray]:
    """When each packet of the sender came before the line, and when its turn was [ns]."""
    out = np.flatnonzero(track.out)
    sent = track.time[out].astype(float)
    service = _carried_B(track.packets["length"][out], track.mss) / rate_Bps * 1e9
    service[np.isin(out, track.lost)] = 0.0  # a queue that is full drops it
    through = np.cumsum(service)
    done = through + np.maximum.accumulate(sent - (through - service))
    return sent, done - service
