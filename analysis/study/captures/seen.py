# SPDX-License-Identifier: GPL-2.0-only
"""What of a connection a capture does not show: as notes."""

from collections.abc import Iterator

import numpy as np

from study.captures.connection import Note, Offer

COARSE_NS = 1_000_000
STALL_S = 0.2  # of silence at the end of a capture; below, the end is where somebody stopped it


def notes_on(
    packets: np.ndarray, client: Offer, server: Offer, resolution_ns: int, tail_s: float
) -> Iterator[Note]:
    """Notes on the packets of one connection."""
    for end, name in ((True, "client"), (False, "server")):
        if not (packets["from_client"] == end).any():
            sentence = f"only one direction was captured: no packet of the {name} is there"
            yield Note("one direction", sentence)
    yield from _on_syns(packets, client, server)
    if resolution_ns >= COARSE_NS:
        ms = resolution_ns / 1e6
        tick = f"{ms / 1000:g} s" if ms >= 1000 else f"{ms:g} ms"
        sentence = (
            f"the clock ticked every {tick}: shorter times are not told, and"
            " longer ones are off by up to as much"
        )
        yield Note("clock", sentence)
    for end, name in ((True, "client"), (False, "server")):
        missing_B, after = not_captured(packets, end)
        if missing_B:
            sentence = (
                f"{missing_B:,} B of the {name} were acknowledged and are not there: the capture"
                " missed packets"
            )
            yield Note("not captured", sentence, tuple(after[:10]))
    if tail_s >= STALL_S:
        sentence = (
            f"after the last packet the capture went on for {tail_s:.3g} s, and the connection was"
            " not closed"
        )
        yield Note("stall", sentence, (int(packets["number"][-1]),))


def _on_syns(packets: np.ndarray, client: Offer, server: Offer) -> Iterator[Note]:
    if client.seen and server.seen:
        return
    if not client.seen and not server.seen:
        what, whose = "no SYN was captured", "the window's scale is not known"
    elif server.seen:
        what = "the client's SYN was not captured"
        whose = "the scale of its window is not known"
        if server.window_scale is None:
            whose = "the server's offers no window scale, so there is none"
    else:
        if not (packets["from_client"] == 0).any():
            return  # told as one direction
        what, whose = "the server's SYN was not captured", "the window's scale is not known"
    yield Note("no SYN", f"{what}: {whose}")


def not_captured(packets: np.ndarray, end: bool) -> tuple[int, list[int]]:
    """How many bytes of an end were acknowledged and never seen between those that were, and the
    packets behind them."""
    own = np.flatnonzero((packets["from_client"] == end) & (packets["length"] > 0))
    acks = packets["ack"][packets["from_client"] != end]
    if not len(own) or not len(acks):
        return 0, []
    seq = packets["seq"][own]
    if (seq[1:] < seq[:-1]).any():
        order = np.argsort(seq, kind="stable")
        own, seq = own[order], seq[order]
    reached = np.maximum.accumulate(seq + packets["length"][own])
    gap = seq[1:] - reached[:-1]
    lost = (gap > 0) & (seq[1:] <= acks.max())
    return int(gap[lost].sum()), packets["number"][own[1:][lost]].tolist()
