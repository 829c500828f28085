# SPDX-License-Identifier: GPL-2.0-only
"""Window scale of a connection whose SYN was not captured: the bytes in flight give its lower
bound (RFC 7323, 2.3)."""

from collections.abc import Sequence

import numpy as np

from study.captures.connection import SYN, Note, Offer

LARGEST_SHIFT = 14  # RFC 7323, 2.3
SCALE = "scale"  # kind of its note


def scaled_by_flights(packets: np.ndarray, offers: Sequence[Offer]) -> Note | None:
    """Scale windows in place if most data would not fit into them, by the smallest shift with which
    all data fits; for the client by its SYN, if captured. Return a note, or None."""
    shifts = [_least_shift(packets, of_client) for of_client in (True, False)]
    if not any(shifts):
        return None
    if offers[0].window_scale is not None:  # the server has agreed, or its windows would be larger
        shifts[0] = offers[0].window_scale
    plain = packets["flags"] & SYN == 0
    for of_client, shift in zip((True, False), shifts, strict=True):
        packets["window"][plain & (packets["from_client"] == of_client)] <<= shift
    ends = [
        f"the {name}'s by at least 2^{shift}"
        for name, shift, offer in zip(("client", "server"), shifts, offers, strict=True)
        if shift and not offer.seen
    ]
    told = "more was in flight than the windows take unscaled: they are scaled, "
    return Note(SCALE, told + " and ".join(ends)) if ends else None


def _least_shift(packets: np.ndarray, of_client: bool) -> int:
    """Return one end's smallest shift, or 0 if most of the other end's data fits without one."""
    tells = (packets["from_client"] == of_client) & (packets["ack"] >= 0)
    tells &= packets["flags"] & SYN == 0
    at = np.maximum.accumulate(np.where(tells, np.arange(len(packets)), -1))
    data = np.flatnonzero((packets["from_client"] != of_client) & (packets["length"] > 1))
    data = data[at[data] >= 0]
    last = at[data]
    window = packets["window"][last]
    flight = packets["seq"][data] + packets["length"][data] - packets["ack"][last]
    data_fit = window >= flight
    if not len(data) or 2 * data_fit.sum() >= len(data):
        return 0
    open_ = window > 0
    times = flight[open_] / window[open_]
    return min(int(np.ceil(np.log2(max(times.max(initial=1.0), 1.0)))), LARGEST_SHIFT)
