# SPDX-License-Identifier: GPL-2.0-only
"""One TCP connection of a capture, as arrays: the output of every reader, the input of every
judge."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from study.captures.growing import let_go, pieces

FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16

# A row of `Connection.packets`, one a packet, in the order of the capture (each packet once, and
# times never going back). Numbers are relative to the sender's SYN, unwrapped: SYN is 0, the first
# byte of data 1. Where no SYN was seen the first number seen of each end counts as 1.
PACKET = np.dtype(
    [
        ("number", np.int64),  # of the packet in the file, from 1, as Wireshark counts
        ("time_ns", np.int64),  # since the first packet of the connection
        ("from_client", np.bool_),
        ("flags", np.uint8),
        ("seq", np.int64),
        ("length", np.int64),  # of the payload, B
        ("ack", np.int64),  # -1 without the ACK flag
        ("window", np.int64),  # B, with its scale applied; -1 where a printed trace has none
        ("wire_length", np.int64),  # of the frame as it was on the wire, B; 0 where not told
        ("ts_value", np.int64),  # RFC 7323, 3.2; -1 without
        ("ts_echo", np.int64),
        ("sacked_from", np.int64),  # the first block of a SACK option, RFC 2018; -1 without
        ("sacked_to", np.int64),
    ]
)


@dataclass(frozen=True)
class Offer:
    """What an end's SYN offers; None or False where it does not, or where no SYN was seen."""

    seen: bool = False
    mss: int | None = None
    window_scale: int | None = None
    sack: bool = False
    timestamps: bool = False


@dataclass(frozen=True)
class Note:
    """What a reader noticed that a judge must know, or that a user should."""

    kind: str  # such as "hole", "duplicates", "clock", "cut", "no SYN", "one direction", "text"
    sentence: str
    packets: tuple[int, ...] = ()  # numbers of the file, at most some ten as examples


def packets_that(count: int, one: str, many: str) -> str:
    """The beginning of a sentence on so many packets."""
    return f"1 packet {one}" if count == 1 else f"{count:,} packets {many}"


@dataclass(frozen=True)
class Connection:
    """The packets of one TCP connection. The client is the end whose SYN began it, or the one that
    was seen first."""

    client: str  # "10.0.0.1:1023", "[fe80::1]:1023", or a name where only that was printed
    server: str
    packets: np.ndarray  # of dtype PACKET
    client_offer: Offer = Offer()
    server_offer: Offer = Offer()
    start_s: float = 0.0  # of the first packet, since 1970 where the file tells; else 0
    resolution_ns: int = 1000  # of the stamps
    notes: tuple[Note, ...] = field(default=())
    # Indices of `packets` before which something is missing in a printed trace: gaps in time there
    # are no waits, and numbers may jump.
    holes: tuple[int, ...] = field(default=())
    # How long the capture went on after the last packet of a connection that nobody closed.
    tail_s: float = 0.0
    # Of which these are the first packets, where there are too many to look at all at once.
    whole: "Connection | None" = None

    @property
    def duration_s(self) -> float:
        """From the first packet to the last."""
        return float(self.packets["time_ns"][-1] - self.packets["time_ns"][0]) / 1e9

    def carried_B(self, from_client: bool) -> int:
        """The bytes of payload that one end sent, each once; SYN and FIN are none."""
        first, end = self.spans[0 if from_client else 1]
        return end - first

    @cached_property
    def spans(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The first number that carries data and the one behind the last, of client and server."""
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
        """Whether the client is the one that sends most."""
        if self.whole is not None:
            return self.whole.bulk_from_client
        return self.carried_B(True) >= self.carried_B(False)
