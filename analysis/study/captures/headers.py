# SPDX-License-Identifier: GPL-2.0-only
"""The headers of IP and TCP, for all frames of a chunk at once. Nothing of a payload is looked at:
its length is what IP's header says, less the headers."""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from study.captures.connection import SYN
from study.captures.frames import Frames
from study.captures.links import IPV4, IPV6, Located
from study.captures.tunnels import tunnels
from study.captures.view import View

TCP = 6
TCP_HEADER = 20
MSS, WINDOW_SCALE, SACK_PERMITTED, SACK, TIMESTAMPS = 2, 3, 4, 5, 8  # RFC 9293; RFC 7323; RFC 2018
# The least length of each; SACK's with one block.
OPTION_B = {TIMESTAMPS: 10, SACK: 10, MSS: 4, WINDOW_SCALE: 3, SACK_PERMITTED: 2}
# IPv6 extension headers that have their own length, in units of 8 bytes (RFC 8200, section 4).
HOP_BY_HOP, ROUTING, FRAGMENT, AUTHENTICATION, DESTINATION, MOBILITY = 0, 43, 44, 51, 60, 135
EXTENSIONS = (HOP_BY_HOP, ROUTING, FRAGMENT, AUTHENTICATION, DESTINATION, MOBILITY)
HAS_TIMESTAMPS, HAS_SACK, HAS_CUT_OPTIONS = 1, 2, 4
# In most packets timestamps are the only option, after two NOPs (RFC 7323, appendix A).
STAMPS_ALONE_BEGIN, STAMPS_ALONE_B = 0x0101080A, 12

# Columns of a TCP packet while a file is read: small types, as there may be millions.
COLUMNS = {
    "number": np.uint32,
    "time_ns": np.int64,
    "source": np.uint32,  # indices of endpoints
    "target": np.uint32,
    "flags": np.uint8,
    "seq": np.uint32,
    "ack": np.uint32,
    "window": np.uint16,
    "length": np.uint32,
    "has": np.uint8,
    "ts_value": np.uint32,
    "ts_echo": np.uint32,
    "sacked_from": np.uint32,
    "sacked_to": np.uint32,
    "ip_id": np.uint16,
    "ttl": np.uint8,
    "interface": np.uint16,  # index in the file
    "place": np.uint32,  # interface and VLAN in a cooked header, to find duplicates
    "mss": np.uint16,  # in a SYN; 0 without the option and in other packets
    "window_scale": np.uint8,  # plus one, so that 0 is no option
    "sack_permitted": np.bool_,
}


@dataclass
class Packets:
    """TCP packets as columns, and counts of other frames."""

    columns: dict[str, np.ndarray]
    # Addresses: numbers if all are IPv4; else rows of 16 bytes, IPv4 as ::ffff:0:0/96.
    source: np.ndarray
    target: np.ndarray
    ports: np.ndarray  # two columns
    later_fragments: int = 0
    fragmented: int = 0
    cut_headers: int = 0
    tunnels: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Inner:
    """Fields of an IP header, of either version."""

    tcp: np.ndarray  # index of the TCP header
    protocol: np.ndarray
    end: np.ndarray  # index of the packet's end, even if not all of it was kept
    ttl: np.ndarray
    ip_id: np.ndarray
    first: np.ndarray  # False for a fragment after the first
    more: np.ndarray  # True for the first of several fragments


@dataclass(frozen=True)
class Found:
    """The TCP packets among the frames of one kind of link. `seen` are the indices of frames with a
    complete header; `at` and `header` are for these only."""

    seen: np.ndarray
    at: np.ndarray  # index of the TCP header
    header: np.ndarray  # its length in B
    limit: np.ndarray  # index after the last byte that was kept
    cut_headers: int  # frames without a complete header
    inner: Inner
    is_tcp: np.ndarray


def find(view: View, frames: Frames, located: Located) -> Found:
    """Return the places of TCP packets."""
    limit = frames.offset + frames.kept
    inner = _inner(view, frames, located)
    is_ip = (located.kind == IPV4) | (located.kind == IPV6)
    is_tcp = is_ip & (located.place < limit) & (inner.protocol == TCP)
    whole = inner.tcp + TCP_HEADER <= limit
    seen = np.flatnonzero(is_tcp & inner.first & whole)
    cut_headers = int((is_tcp & inner.first & ~whole).sum())
    at = inner.tcp[seen]
    header = (view.u8(at + 12) >> 4).astype(np.int64) * 4
    return Found(seen, at, header, limit[seen], cut_headers, inner, is_tcp)


def decode(frames: Frames, located: Located) -> Packets:
    """Return the TCP packets among the frames of one kind of link."""
    view = View(frames.data)
    found = find(view, frames, located)
    seen, at, inner = found.seen, found.at, found.inner
    flags = view.u8(at + 13)
    columns = {
        "number": frames.number[seen],
        "time_ns": frames.time_ns[seen],
        "flags": flags & 0x3F,
        "seq": view.u32(at + 4),
        "ack": view.u32(at + 8),
        "window": view.u16(at + 14),
        "length": np.maximum(inner.end[seen] - at - found.header, 0),
        "ip_id": inner.ip_id[seen],
        "ttl": inner.ttl[seen],
        "interface": frames.interface[seen],
        "place": _place(frames, located)[seen],
    }
    end = np.minimum(at + found.header, found.limit)
    columns |= _options(view, at + TCP_HEADER, end, flags)
    columns["has"][end < at + found.header] |= HAS_CUT_OPTIONS
    return Packets(
        {name: columns[name].astype(kind) for name, kind in COLUMNS.items() if name in columns},
        *_addresses(view, located, seen),
        np.stack([view.u16(at), view.u16(at + 2)], axis=1),
        int((found.is_tcp & ~inner.first).sum()),
        int((found.is_tcp & inner.more).sum()),
        found.cut_headers,
        _tunnels(view, frames, located, found),
    )


def _tunnels(view: View, frames: Frames, located: Located, found: Found) -> Counter[str]:
    other = np.flatnonzero(~found.is_tcp)
    if not len(other):
        return Counter()
    left = Located(*(getattr(located, name)[other] for name in Located.__dataclass_fields__))
    limit = (frames.offset + frames.kept)[other]
    return tunnels(view, left, found.inner.protocol[other], found.inner.tcp[other], limit)


def _place(frames: Frames, located: Located) -> np.ndarray:
    cooked = located.interface.astype(np.uint32)
    return (frames.interface.astype(np.uint32) << 24) ^ (cooked << 12) ^ located.vlan


def _inner(view: View, frames: Frames, located: Located) -> Inner:
    place = located.place
    frame_end = frames.offset + frames.length
    fragment = view.u16(place + 6)
    total = view.u16(place + 2).astype(np.int64)
    # 0 if the network card segments the packet and fills it in.
    four_end = np.where(total > 0, place + total, frame_end)
    inner = Inner(
        place + (view.u8(place) & 0x0F).astype(np.int64) * 4,
        view.u8(place + 9),
        four_end,
        view.u8(place + 8),
        view.u16(place + 4),
        fragment & 0x1FFF == 0,
        fragment & 0x3FFF == 0x2000,
    )
    six = located.kind == IPV6
    if not six.any():
        return inner
    other = _inner_6(view, place, frame_end, np.flatnonzero(six))
    pairs = ((getattr(inner, name), getattr(other, name)) for name in Inner.__dataclass_fields__)
    return Inner(*(np.where(six, new, old) for old, new in pairs))


def _inner_6(view: View, place: np.ndarray, frame_end: np.ndarray, six: np.ndarray) -> Inner:
    """Return the fields of IPv6 and its extension headers; others' values are not used."""
    payload = view.u16(place + 4).astype(np.int64)
    end = np.where(payload > 0, place + 40 + payload, frame_end)  # RFC 2675: 0 for a jumbogram
    at, protocol = place + 40, view.u8(place + 6)
    first, more = np.ones(place.shape, bool), np.zeros(place.shape, bool)
    for _ in range(8):
        extended = six[np.isin(protocol[six], EXTENSIONS)]
        if not len(extended):
            break
        here, kind = at[extended], protocol[extended]
        offset = view.u16(here + 2)
        first[extended] &= (kind != FRAGMENT) | (offset >> 3 == 0)
        more[extended] |= (kind == FRAGMENT) & (offset & 1 == 1) & (offset >> 3 == 0)
        protocol[extended] = view.u8(here)
        at[extended] = here + extension_B(view, here, kind)
    ip_id = np.zeros(place.shape, np.uint16)
    return Inner(at, protocol, end, view.u8(place + 7), ip_id, first, more)


def extension_B(view: View, at: np.ndarray, kind: np.ndarray) -> np.ndarray:
    """Return the lengths of IPv6 extension headers of these kinds."""
    words = view.u8(at + 1).astype(np.int64)
    sizes = [8, 4 * words + 8]
    return np.select([kind == FRAGMENT, kind == AUTHENTICATION], sizes, 8 * words + 8)


def _addresses(view: View, located: Located, seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    place, six = located.place[seen], located.kind[seen] == IPV6
    if not six.any():
        return view.u32(place + 12), view.u32(place + 16)
    both = []
    for at_4, at_6 in ((12, 8), (16, 24)):
        address = np.zeros((len(seen), 16), np.uint8)
        address[:, 10:12] = 0xFF
        address[:, 12:] = view.bytes(place + at_4, 4)
        address[six] = view.bytes(place[six] + at_6, 16)
        both.append(address)
    return both[0], both[1]


def _options(
    view: View, start: np.ndarray, end: np.ndarray, flags: np.ndarray
) -> dict[str, np.ndarray]:
    """Return TCP's options, one of all packets at a time, until each has reached its last."""
    count = len(start)
    found = {
        name: np.zeros(count, COLUMNS[name])
        for name in (
            "has",
            "ts_value",
            "ts_echo",
            "sacked_from",
            "sacked_to",
            "mss",
            "window_scale",
            "sack_permitted",
        )
    }
    syn = flags & SYN > 0
    alone = (end - start == STAMPS_ALONE_B) & (view.u32(start) == STAMPS_ALONE_BEGIN) & ~syn
    if alone.any():
        rows = np.flatnonzero(alone)
        _take(TIMESTAMPS, view, found, rows, start[rows] + 4)
    active = np.flatnonzero((start < end) & ~alone)
    at = start[active]
    while len(active):
        kind = view.u8(at)
        size = np.where(kind == 1, 1, view.u8(at + 1).astype(np.int64))
        good = (kind != 0) & ((kind == 1) | ((size >= 2) & (at + size <= end[active])))
        active, at, kind, size = active[good], at[good], kind[good], size[good]
        for code, length in OPTION_B.items():
            here = (kind == code) & (size >= length)
            if code in (MSS, WINDOW_SCALE, SACK_PERMITTED):
                here &= syn[active]
            if here.any():
                _take(code, view, found, active[here], at[here] + 2)
        at = at + size
        further = at < end[active]
        active, at = active[further], at[further]
    return found


def _take(code: int, view: View, found: dict, rows: np.ndarray, at: np.ndarray) -> None:
    """Store what an option says in some rows."""
    if code == TIMESTAMPS:
        found["has"][rows] |= HAS_TIMESTAMPS
        found["ts_value"][rows], found["ts_echo"][rows] = view.u32(at), view.u32(at + 4)
    elif code == SACK:
        found["has"][rows] |= HAS_SACK
        found["sacked_from"][rows], found["sacked_to"][rows] = view.u32(at), view.u32(at + 4)
    elif code == MSS:
        found["mss"][rows] = view.u16(at)
    elif code == WINDOW_SCALE:  # RFC 7323, 2.3: more than 14 counts as 14.
        found["window_scale"][rows] = np.minimum(view.u8(at), 14) + 1
    else:
        found["sack_permitted"][rows] = True
