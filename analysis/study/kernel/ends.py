# SPDX-License-Identifier: GPL-2.0-only
"""The two captures of one transfer: what a program for capturing would have seen at each end.

A packet is stamped at its sender's end when it entered the wire, lost or not, and at the other end
when the wire handed it over. Headers only; the length is the packet's own.
"""

import csv
import io
import struct
from collections.abc import Iterable, Iterator

from study.kernel.capture import network_B

MAGIC_NS, LINKTYPE_RAW, LONGEST_B = 0xA1B23C4D, 101, 262144
SEGMENTED = "segmented"
CLIENT, SERVER = "a", "b"  # the wire's names of the directions from them


def pcap(table: str, end: str) -> bytes:
    """Return the capture at one end of the wire, from the wire's table."""
    seen = sorted(_seen(csv.DictReader(io.StringIO(table)), end), key=lambda each: each[0])
    return header(LINKTYPE_RAW) + b"".join(packet(*each) for each in seen)


def header(link_type: int) -> bytes:
    """Return the header of a pcap file with stamps in ns (draft-ietf-opsawg-pcap)."""
    return struct.pack("<IHHiIII", MAGIC_NS, 2, 4, 0, 0, LONGEST_B, link_type)


def packet(time_ns: int, size_B: int, kept: bytes) -> bytes:
    """Return a packet of such a file, of which so much is kept."""
    seconds, rest = divmod(time_ns, 1_000_000_000)
    return struct.pack("<IIII", seconds, rest, len(kept), size_B) + kept


def _seen(rows: Iterable[dict[str, str]], end: str) -> Iterator[tuple[int, int, bytes]]:
    rows = list(rows)
    # A large packet left the host whole and arrived as its segments.
    whole = {row["entered_ns"] for row in rows if row["way"] == end and row["fate"] == SEGMENTED}
    for row in rows:
        own = row["way"] == end
        if own and row["entered_ns"] in whole and row["fate"] != SEGMENTED:
            continue
        if own or row["fate"] == "arrived":
            stamp = row["entered_ns"] if own else row["handed_over_ns"]
            yield int(stamp), int(row["size_B"]), _headers(bytes.fromhex(row["headers"]))


def _headers(octets: bytes) -> bytes:
    network = network_B(octets)
    return octets[: network + (octets[network + 12] >> 4) * 4]
