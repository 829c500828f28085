# SPDX-License-Identifier: GPL-2.0-only
"""One TCP connection of a capture, as arrays: the output of every reader, the input of every
judge."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from study.captures.growing import let_go, pieces

FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16
LETTERS = {"S": SYN, "F": FIN, "R": RST, "P": PSH, ".": ACK}  # as tcpdump prints them

# A row of `Connection.packets` is a packet, in capture order (each packet once, times never
# decreasing). Numbers are relative to the sender's SYN and unwrapped: SYN is 0, the first byte of
# data 1. Without a SYN the first number seen of each end is 1.
PACKET = np.dtype(
    [
        ("number", np.int64),  # of the packet in the file, from 1, as in Wireshark
        ("time_ns", np.int64),  # since the first packet of the connection
        ("from_client", np.bool_),
        ("flags", np.uint8),
        ("seq", np.int64),
        ("length", np.int64),  # of the payload, in B
        ("ack", np.int64),  # -1 without the ACK flag
        ("window", np.int64),  # in B, scaled; -1 if a printed trace does not show it
        ("ts_value", np.int64),  # RFC 7323, 3.2; -1 without it
        ("ts_echo", np.int64),
        ("sacked_from", np.int64),  # first block of a SACK option, RFC 2018; -1 without it
        ("sacked_to", np.int64),
    ]
)


@dataclass(frozen=True)
class Offer:
    """Options in an end's SYN; None or False for a missing option or SYN. A SYN whose options the
    capture cut short is not `seen`, as the missing ones may be among them."""

    seen: bool = False
    mss: int | None = None
    window_scale: int | None = None
    sack: bool = False
    timestamps: bool = False
    is_cut: bool = False


@dataclass(frozen=True)
class Note:
    """Observation of a reader that matters to the diagnosis or to a user."""

    kind: str  # such as "hole", "duplicates", "clock", "cut", "no SYN", "one direction", "text"
    sentence: str


def packets_that(count: int, one: str, many: str) -> str:
    """Return the beginning of a sentence on a number of packets."""
    return f"1 packet {one}" if count == 1 else f"{count:,} packets {many}"


@dataclass(frozen=True)
class Connection:
    """The packets of one TCP connection. The client is the end whose SYN opened it, or the one seen
    first."""

    client: str  # "10.0.0.1:1023", "[fe80::1]:1023", or a name if only that was printed
    server: str
    packets: np.ndarray  # of dtype PACKET
    client_offer: Offer = Offer()
    server_offer: Offer = Offer()
    start_s: float = 0.0  # time of the first packet since 1970, or 0 if unknown
    notes: tuple[Note, ...] = field(default=())
    # Indices of `packets` before which packets are missing in a printed trace: time gaps there are
    # no waits, and numbers may jump.
    holes: tuple[int, ...] = field(default=())
    # The whole connection, if this is a part that is small enough for analysis.
    whole: "Connection | None" = None

    @property
    def duration_s(self) -> float:
        """Time from the first packet to the last, in seconds."""
        return float(self.packets["time_ns"][-1] - self.packets["time_ns"][0]) / 1e9

    def carried_B(self, from_client: bool) -> int:
        """Return the payload bytes that one end sent, each counted once, without SYN and FIN."""
        first, end = self.spans[0 if from_client else 1]
        return end - first

    @cached_property
    def spans(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """First sequence number with data and the one after the last, of client and server."""
        found: tuple[list[tuple[int, int]], ...] = ([], [])
        for piece in pieces(len(self.packets)):
            packets = self.packets[piece]
            data = np.flatnonzero(packets["length"] > 0)
            begin, own = packets["seq"][data], packets["from_client"][data]
            end = begin + packets["length"][data]
            for spans, mine in zip(found, (own, ~own), strict=True):
                if mine.any():
                    spans.append((int(begin[mine].min()), int(end[mine].max())))
            let_go(self.packets)
        client, server = (
            (min(each[0] for each in spans), max(each[1] for each in spans)) if spans else (0, 0)
            for spans in found
        )
        return client, server

    @cached_property
    def bulk_from_client(self) -> bool:
        """Whether the client sent more data than the server, or as much."""
        if self.whole is not None:
            return self.whole.bulk_from_client
        return self.carried_B(True) >= self.carried_B(False)
