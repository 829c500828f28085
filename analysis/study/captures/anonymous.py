# SPDX-License-Identifier: GPL-2.0-only
"""A capture that can be given away: TCP's headers with their times, and nothing else. Payloads are
removed, their lengths stay; addresses are numbered in the order in which they come."""

import os
import struct
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from study.base.errors import StudyError, why
from study.base.project import check_writable, in_place, shown
from study.captures.frames import Frames, Reader
from study.captures.headers import (
    DESTINATION,
    EXTENSIONS,
    FRAGMENT,
    HOP_BY_HOP,
    MSS,
    SACK,
    SACK_PERMITTED,
    TCP_HEADER,
    TIMESTAMPS,
    WINDOW_SCALE,
    Found,
    extension_B,
    find,
)
from study.captures.links import ETHERNET_HEADER, IPV4, IPV6, Located
from study.captures.packet_table import by_link
from study.captures.reading import binary
from study.captures.source import opened, refuse_others
from study.captures.view import View

KEPT_OPTIONS = (0, 1, MSS, WINDOW_SCALE, SACK_PERMITTED, SACK, TIMESTAMPS)
ETHERNET, COOKED, COOKED_2, FRAME_RELAY = 1, 113, 276, 107


@dataclass(frozen=True)
class Anonymised:
    """Result of an anonymisation."""

    packets: int  # that were written
    left_out: int  # not TCP, or too short


def anonymise(path: Path | str, out: Path) -> Anonymised:
    """Write a capture's TCP headers into another file. Payloads are removed; each IP and Ethernet
    address is replaced by the same one throughout; ports, numbers, windows and times stay.
    Everything else that could identify a host is removed: other protocols' packets, checksums (they
    cover removed data), IP options and TCP options without influence on timing. Raise StudyError if
    the file is neither pcap nor pcapng, or `out` is the same or cannot be written."""
    source = opened(path)
    refuse_others(source)
    reader = binary(source)
    if reader is None:
        raise StudyError(
            f"{source.name} is neither pcap nor pcapng: of a text, replace the names in an editor"
        )
    check_writable(out)
    if out.exists() and out.samefile(path):
        raise StudyError(f"{out} is the capture itself: give the name of another file")
    beside = out.resolve().parent
    descriptor, name = tempfile.mkstemp(prefix=f".{out.name}.", dir=beside)
    try:
        with os.fdopen(descriptor, "wb") as file:
            result = _Writer(file).write(reader)
        if not result.packets:
            raise StudyError(f"{source.name} has no TCP that could be anonymised")
        in_place({out: Path(name)})
    except OSError as error:
        raise StudyError(f"cannot write {shown(out)}: {why(error)}") from error
    finally:
        Path(name).unlink(missing_ok=True)
    return result


class _Numbered:
    """Numbers from 1 for rows of bytes, in the order of their first appearance."""

    def __init__(self) -> None:
        self._known: dict[bytes, int] = {}

    def of(self, rows: np.ndarray) -> np.ndarray:
        whole = np.ascontiguousarray(rows).view(f"V{rows.shape[1]}")[:, 0]
        unique, first, inverse = np.unique(whole, return_index=True, return_inverse=True)
        numbers = np.zeros(len(unique), np.int64)
        for index in np.argsort(first, kind="stable"):
            numbers[index] = self._known.setdefault(unique[index].tobytes(), len(self._known) + 1)
        return numbers[inverse.reshape(-1)]


class _Writer:
    """Writer of a pcapng with nanoseconds and an interface for each kind of link."""

    def __init__(self, file: BinaryIO):
        self._file = file
        self._hosts, self._cards = _Numbered(), _Numbered()
        self._interfaces: dict[int, int] = {}  # interface of the source to that of the output

    def write(self, reader: Reader) -> Anonymised:
        self._block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
        written = seen = 0
        for frames in reader.frames():
            seen += len(frames.offset)
            packets: list[tuple[int, int, int, int, int, int]] = []
            for own, located in by_link(frames, reader.interfaces, set()):
                packets += self._replaced(own, located, reader)
            written += len(packets)
            data = frames.data.tobytes()
            for _, interface, time_ns, start, end, length in sorted(packets):
                stamp = max(time_ns, 0)
                numbers = interface, stamp >> 32, stamp & 0xFFFFFFFF, end - start, length
                self._block(6, struct.pack("<IIIII", *numbers) + data[start:end])
        return Anonymised(written, seen - written)

    def _block(self, kind: int, body: bytes) -> None:
        body += bytes(-len(body) % 4)
        length = struct.pack("<I", len(body) + 12)
        self._file.write(struct.pack("<I", kind) + length + body + length)

    def _interface(self, index: int, link: int) -> int:
        if index not in self._interfaces:
            nanoseconds = struct.pack("<HHB3x", 9, 1, 9) + bytes(4)
            self._block(1, struct.pack("<HHI", link, 0, 0) + nanoseconds)
            self._interfaces[index] = len(self._interfaces)
        return self._interfaces[index]

    def _replaced(
        self, frames: Frames, located: Located, reader: Reader
    ) -> list[tuple[int, int, int, int, int, int]]:
        """Replace addresses in place, and return what to write for each frame."""
        view = View(frames.data)
        found = find(view, frames, located)
        if not len(found.seen):
            return []
        self._link(frames, located, found, reader.interfaces[int(frames.interface[0])].link)
        self._ip(frames.data, view, located, found)
        _tcp(frames.data, view, found)
        seen = found.seen
        interfaces = [
            self._interface(int(index), reader.interfaces[int(index)].link)
            for index in frames.interface[seen]
        ]
        end = np.minimum(found.at + found.header, found.limit)
        columns = (frames.number[seen], frames.time_ns[seen], frames.offset[seen], end)
        number, time_ns, start, end = (column.tolist() for column in columns)
        length = frames.length[seen].tolist()
        return list(zip(number, interfaces, time_ns, start, end, length, strict=True))

    def _link(self, frames: Frames, located: Located, found: Found, link: int) -> None:
        start = frames.offset[found.seen]
        if link == ETHERNET:
            for place in (start + 6, start):  # the sender's first, as with IP
                cards = self._cards.of(_rows(frames.data, place, 6))
                _put(frames.data, place, 0x02 << 40 | cards, 6)
        elif link in (COOKED, COOKED_2):
            _put(frames.data, start + (6 if link == COOKED else 12), np.zeros(len(start)), 8)
        elif link == FRAME_RELAY:
            bridged = start[located.place[found.seen] - start >= 9 + ETHERNET_HEADER]
            cards = bridged + 9 + (frames.data[bridged + 3] == 0)  # after RFC 2427's padding
            _fill(frames.data, cards, cards + 12, 0)

    def _ip(self, data: np.ndarray, view: View, located: Located, found: Found) -> None:
        place, kind = located.place[found.seen], located.kind[found.seen]
        four, six = place[kind == IPV4], place[kind == IPV6]
        self._hosts_at(data, four, 12, 16, 4, 10 << 24)
        self._hosts_at(data, six, 8, 24, 16, 0)
        if len(four):
            ends = found.at[kind == IPV4]
            _fill(data, four + 20, ends, 1)  # IP options: they may show a packet's route
            _put(data, four + 10, np.zeros(len(four)), 2)
            _put(data, four + 10, _ip_checksum(view, four, ends), 2)
        if len(six):
            data[six + 8] = data[six + 24] = 0xFD  # unique local addresses (RFC 4193)
            data[six + 1] &= 0xF0  # the flow label
            _put(data, six + 2, np.zeros(len(six)), 2)
            _extensions(data, view, six)

    def _hosts_at(
        self, data: np.ndarray, place: np.ndarray, source: int, target: int, size: int, base: int
    ) -> None:
        if not len(place):
            return
        both = np.stack([place + source, place + target], axis=1).reshape(-1)
        numbers = self._hosts.of(_rows(data, both, size))
        _fill(data, both, both + size, 0)
        _put(data, both + size - 4, base + numbers, 4)


def _tcp(data: np.ndarray, view: View, found: Found) -> None:
    _put(data, found.at + 16, np.zeros(len(found.at)), 4)  # checksum and urgent pointer
    at = found.at + TCP_HEADER
    end = np.minimum(found.at + found.header, found.limit)
    active = np.flatnonzero(at < end)
    at = at[active]
    while len(active):
        kind = view.u8(at)
        single = kind <= 1
        size = np.where(single, 1, np.maximum(view.u8(at + 1).astype(np.int64), 2))
        behind = np.minimum(at + size, end[active])
        behind = np.where(kind == 0, end[active], behind)
        gone = ~np.isin(kind, KEPT_OPTIONS)
        _fill(data, at[gone], behind[gone], 1)
        padding = kind == 0
        _fill(data, at[padding], behind[padding], 0)
        further = behind < end[active]
        active, at = active[further], behind[further]


def _extensions(data: np.ndarray, view: View, place: np.ndarray) -> None:
    """Remove the contents of IPv6 extension headers, except their types, lengths and fragments."""
    at, protocol = place + 40, view.u8(place + 6)
    for _ in range(8):
        more = np.isin(protocol, EXTENSIONS)
        at, protocol = at[more], protocol[more]
        if not len(at):
            return
        size = extension_B(view, at, protocol)
        options = np.isin(protocol, (HOP_BY_HOP, DESTINATION))
        other = ~options & (protocol != FRAGMENT)
        _fill(data, at[options] + 4, at[options] + size[options], 0)
        data[at[options] + 2] = 1  # one option that is padding (RFC 8200, 4.2)
        data[at[options] + 3] = size[options] - 4
        _fill(data, at[other] + 4, at[other] + size[other], 0)
        protocol = view.u8(at)
        at = at + size


def _rows(data: np.ndarray, place: np.ndarray, size: int) -> np.ndarray:
    return data[place[:, None] + np.arange(size)]


def _put(data: np.ndarray, place: np.ndarray, value: np.ndarray, size: int) -> None:
    """Write a number of `size` bytes at each place."""
    number = value.astype(np.int64)
    for byte in range(size):
        data[place + byte] = (number >> (8 * (size - 1 - byte))) & 0xFF


def _fill(data: np.ndarray, start: np.ndarray, end: np.ndarray, value: int) -> None:
    """Fill all bytes from each start to its end."""
    longest = int((end - start).max(initial=0))
    for byte in range(longest):
        here = start + byte
        data[here[here < end]] = value


def _ip_checksum(view: View, place: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return IPv4 header checksums (RFC 791): the complement of the one's complement sum of the
    header's words."""
    total = np.zeros(len(place), np.int64)
    for word in range(0, 60, 2):
        here = place + word
        total += np.where(here < end, view.u16(here).astype(np.int64), 0)
    for _ in range(2):
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF
