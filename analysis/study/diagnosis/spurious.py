# SPDX-License-Identifier: GPL-2.0-only
"""Spurious retransmissions of a capture, as its sender can tell from the answers."""

from typing import Protocol

import numpy as np


class Sent(Protocol):
    """What of a track (`study.diagnosis.track`) is asked for."""

    packets: np.ndarray
    time: np.ndarray
    out: np.ndarray
    end: np.ndarray
    segments: np.ndarray
    acked: np.ndarray
    acked_before: np.ndarray
    control: np.ndarray
    answers: tuple[np.ndarray, np.ndarray]


SOONER = 0.5  # of the least round trip
LATEST = 2  # times what the first answer took: how late the second one comes


def spurious(track: Sent, again: np.ndarray) -> np.ndarray:
    """Return for each retransmission at the places `again` whether its data had arrived before."""
    if not len(again):
        return np.zeros(0, bool)
    missing = _missing(track, again)
    told = _told_twice(track, again) | _answered_twice(track, again)
    return told | (_answered_before_it_came(track, again) & ~missing)


def _silent(track: Sent, again: np.ndarray) -> np.ndarray:
    """Return whether nothing came from the receiver since the last progress until all was
    acknowledged."""
    heard, _ = _heard(track, again)
    progress = np.flatnonzero(track.acked > track.acked_before)
    at = np.searchsorted(progress, again) - 1
    since = np.where(at >= 0, progress[np.maximum(at, 0)], 0)
    from_peer = np.cumsum(~track.out)
    return from_peer[np.maximum(heard - 1, 0)] == from_peer[since]


def _answered_before_it_came(track: Sent, again: np.ndarray) -> np.ndarray:
    """Return for each retransmission whether its ACK shows that the original had arrived. The ACK
    comes sooner than a round trip, or the receiver, which must answer at once what comes behind a
    gap (RFC 5681, 4.2), answered nothing that was sent behind the gap and has it all."""
    if not len(track.answers[0]):
        return np.zeros(len(again), bool)
    heard, known = _heard(track, again)
    soon = track.time[heard] - track.time[again] < SOONER * _least_ns(track)
    return known & (soon | (_silent(track, again) & (track.acked[heard] > track.end[again])))


def _heard(track: Sent, again: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the place of the packet that acknowledges each, and whether there is one."""
    heard = np.searchsorted(track.acked, track.end[again])
    return np.minimum(heard, len(track.time) - 1), heard < len(track.time)


def _missing(track: Sent, again: np.ndarray) -> np.ndarray:
    """Return whether the receiver had said before that it has something behind it, and not this (a
    SACK block, RFC 2018)."""
    p = track.packets
    blocks = np.flatnonzero(~track.out & (p["sacked_from"] > p["ack"]))
    if not len(blocks):
        return np.zeros(len(again), bool)
    at = blocks[np.maximum(np.searchsorted(blocks, again) - 1, 0)]
    before = (at < again) & (p["ack"][at] <= p["seq"][again])
    return before & (p["sacked_from"][at] >= track.end[again])


def _told_twice(track: Sent, again: np.ndarray) -> np.ndarray:
    """Return whether the receiver said that it had this before (D-SACK, RFC 2883)."""
    p = track.packets
    twice = ~track.out & (p["sacked_from"] >= 0) & (p["sacked_to"] <= track.acked)
    return np.isin(p["seq"][again], p["sacked_from"][twice])


def _answered_twice(track: Sent, again: np.ndarray) -> np.ndarray:
    """Return whether the receiver acknowledged one number twice after it, without a gap there: what
    begins at that number was not sent again. A packet that holds nothing new is answered at once
    with an ACK of what is expected next (RFC 9293, 3.10.7.4), so both copies had arrived. One such
    answer counts for one copy."""
    p = track.packets
    bare = ~track.out & (p["length"] == 0) & (p["ack"] >= 0) & ~track.control
    before = np.flatnonzero(bare)
    same = (p["ack"][before][1:] == p["ack"][before][:-1]) & (p["sacked_from"][before][1:] < 0)
    same &= p["window"][before][1:] == p["window"][before][:-1]
    second = before[1:][same]
    second = second[~np.isin(p["ack"][second], p["seq"][again])]
    found = np.zeros(len(again), bool)
    if not len(second):
        return found
    heard, known = _heard(track, again)
    place = np.searchsorted(track.end[track.segments], p["seq"][again], "right")
    sent = track.time[track.segments[np.minimum(place, len(track.segments) - 1)]]
    latest = track.time[again] + LATEST * (track.time[heard] - sent)
    soonest = track.time[again] + SOONER * _least_ns(track)
    for each in second:
        mine = known & ~found & (heard < each)
        mine &= (soonest <= track.time[each]) & (track.time[each] <= latest)
        found[np.flatnonzero(mine)[-1:]] = True  # the last that it can answer
    return found


def _least_ns(track: Sent) -> int:
    """Return the least round trip of data."""
    ack, segment = track.answers
    return int((track.time[ack] - track.time[segment]).min()) if len(ack) else 0
