# SPDX-License-Identifier: GPL-2.0-only
"""How far a congestion window is cut when something was lost, as the flights show it."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from study.diagnosis.finding import Finding, named, some
from study.diagnosis.line import least_way_ns
from study.diagnosis.track import Track
from study.diagnosis.transfer import Transfer

# What is left of a window: Reno's half (RFC 5681, 3.1) and CUBIC's seven tenths (RFC 9438, 4.6).
LEFT = {"reno": 0.5, "cubic": 0.7}
LEAST_SEGMENTS = 6  # a window of fewer is cut by whole segments too coarsely
MANY, LARGE = 2, 16  # as many cuts tell, or one of a window of as many segments
NOT_CUT = 0.9  # a flight that stays as large was not cut, or within a recovery before
NEAR = 0.07  # how far the middle of the cuts may lie from one of the two


@dataclass(frozen=True)
class Cut:
    """One recovery: the flight when the loss was heard of, and the one after it was made good, in
    segments, and the packet that was sent again first."""

    before: float
    after: float
    number: int


def cuts(track: Track) -> list[Cut]:
    """All that duplicate ACKs told of, where the receiver's window left room in the first round
    trip behind it. The flight before counts without what those ACKs let go besides (RFC 3042)."""
    rtt_ns = least_way_ns(track)
    again = track.repairs[track.packets["length"][track.repairs] > 0]
    if rtt_ns is None or not len(again):
        return []
    found: list[Cut] = []
    until, mss = -1, max(track.mss, 1)
    for place, row in enumerate(again):
        if row < until:
            continue
        made_good = int(np.searchsorted(track.acked, track.sent[row]))
        if made_good >= len(track.time):
            break
        until = made_good
        heard = int(np.searchsorted(track.acked, track.acked[row]))  # the last that advanced
        duplicate = np.flatnonzero(~track.out[heard + 1 : row])
        if not len(duplicate):  # a timer's, which begins with one segment
            continue
        first = heard + 1 + int(duplicate[0])
        later = again[place + 1 :]
        stop = track.time[made_good] + rtt_ns
        following = later[later > made_good]
        if len(following) and track.time[following[0]] < stop:
            continue  # the next loss comes before the flight has settled
        flight = np.arange(made_good, int(np.searchsorted(track.time, stop)))
        flight = flight[track.out[flight] & (track.packets["length"][flight] > 0)]
        room = track.usable[flight] >= 2 * mss
        if len(flight) < 2 or not room.all():
            continue
        found.append(
            Cut(
                float(track.outstanding[first - 1]) / mss,
                float(np.median(track.outstanding[flight])) / mss,
                int(track.packets["number"][row]),
            )
        )
    return found


def congestion_control(transfer: Transfer) -> Iterator[Finding]:
    """Reno or CUBIC, by what is left of the flights when something was lost; neither, where too few
    of them show, or they lie between the two. Without SACK the duplicate ACKs of a recovery let go
    more than the window (RFC 6582, 3.2), so that its flights do not tell."""
    if not len(transfer.lost_rows) or not all(offer.sack for offer in transfer.offers):
        return
    track = Track(transfer.connection, transfer.sender_is_client)
    shown = [
        each
        for each in cuts(track)
        if each.before >= LEAST_SEGMENTS and each.after < NOT_CUT * each.before
    ]
    if len(shown) < MANY and not any(each.before >= LARGE for each in shown):
        return
    # A window is cut to whole segments: half of one is lost on the average.
    left = float(np.median([(each.after + 0.5) / each.before for each in shown]))
    name = min(LEFT, key=lambda each: abs(LEFT[each] - left))
    if abs(LEFT[name] - left) > NEAR:
        return
    numbers = [each.number for each in shown]
    source = (
        f"{left:.0%} of the flight is left when {named(numbers)} "
        f"{'was' if len(numbers) == 1 else 'were'} sent again and made good, the median of "
        f"{len(shown)}: {name} leaves {LEFT[name]:.0%}"
    )
    yield Finding("congestion_control", name, "", "derived", source, some(numbers))
