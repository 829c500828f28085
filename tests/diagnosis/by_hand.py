# SPDX-License-Identifier: GPL-2.0-only
"""Connections that nobody captured: each packet stands in the test, or comes from a run."""

from collections.abc import Iterable

import numpy as np
from study.captures.connection import PACKET, Connection, Offer
from study.diagnosis.diagnosis import Diagnosis
from study.diagnosis.vantage import as_seen_by_sender, find_vantage

NO_BLOCK = (-1, -1)


def by_hand(rows: Iterable[tuple], mss: int) -> Connection:
    """In the order of their times: the time [ms], whether it is the sender's, sequence number,
    length, ACK (-1: none), window and flags of each, and what it acknowledges selectively."""
    rows = sorted(rows)
    packets = np.zeros(len(rows), PACKET)
    for place, (ms, own, seq, length, ack, window, flags, *block) in enumerate(rows):
        packets[place] = (
            place + 1, round(ms * 1e6), own, flags, seq, length, ack, window, -1, -1,
            *(block or NO_BLOCK),
        )  # fmt: skip
    offer = Offer(seen=True, mss=mss)
    return Connection("a:1", "b:9100", packets, offer, offer)


def diagnosis_of(whole: Connection, at: str | None = None) -> Diagnosis:
    """What is said of a connection as if it had been captured."""
    seen = find_vantage(whole, at)
    return Diagnosis("job.pcap", (), 0, whole, as_seen_by_sender(whole, seen), seen, ())
