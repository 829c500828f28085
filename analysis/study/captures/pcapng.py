# SPDX-License-Identifier: GPL-2.0-only
"""pcapng: blocks of several kinds (draft-ietf-opsawg-pcapng), of sections that may differ in byte
order, with interfaces that may differ in link and in how their stamps count."""

import struct

import numpy as np

from study.base.errors import StudyError
from study.captures.frames import Frames, Interface, Reader, as_bytes
from study.captures.source import Source

SECTION, INTERFACE, SIMPLE, OLD, STATISTICS, ENHANCED = 0x0A0D0D0A, 1, 3, 2, 5, 6
MAGIC = 0x1A2B3C4D
TSRESOL, TSOFFSET, ENDTIME, END = 9, 14, 3, 0  # options (3 belongs to a statistics block)
LONGEST = 1 << 28  # of a block; a longer one means a damaged file
MOST_TICKS = 10**12  # a second
LATEST_S = 1 << 32  # since 1970
# A frame's place, kept and wire length, upper and lower half of its stamp, and interface.
Block = tuple[int, int, int, int, int, int]


def is_pcapng(start: bytes) -> bool:
    """Return whether a file with this beginning is a pcapng."""
    return start[:4] == SECTION.to_bytes(4, "big")


class Pcapng(Reader):
    """The frames of a pcapng."""

    def __init__(self, source: Source):
        super().__init__(source)
        self._order = "<"
        self._first = 0  # index of this section's first interface

    def _walk(self, data: bytes, place: int) -> tuple[list[Block], int]:
        found: list[Block] = []
        add = found.append
        end = len(data) - 12
        head = struct.Struct(f"{self._order}II").unpack_from
        enhanced = struct.Struct(f"{self._order}IIIII").unpack_from
        while place <= end:
            kind, length = head(data, place)
            if kind == SECTION:
                self._order = self._section(data, place)
                head = struct.Struct(f"{self._order}II").unpack_from
                enhanced = struct.Struct(f"{self._order}IIIII").unpack_from
                kind, length = head(data, place)
            self._check(length)
            if place + length > len(data):
                break
            if kind == ENHANCED:
                interface, high, low, kept, wire = enhanced(data, place + 8)
                add((place + 28, kept, wire, high, low, self._first + interface))
            elif kind == SIMPLE:
                (wire,) = struct.unpack_from(f"{self._order}I", data, place + 8)
                snaplen = self._interface(self._first).snaplen or wire
                add((place + 12, min(wire, snaplen, length - 16), wire, -1, 0, self._first))
            elif kind == OLD:
                interface, _, high, low, kept, wire = struct.unpack_from(
                    f"{self._order}HHIIII", data, place + 8
                )
                add((place + 28, kept, wire, high, low, self._first + interface))
            else:
                self._other(kind, data[place : place + length])
            place += length + -length % 4
        return found, place

    def _section(self, data: bytes, place: int) -> str:
        for order in "<>":
            if struct.unpack_from(f"{order}I", data, place + 8)[0] == MAGIC:
                self._first = len(self.interfaces)
                return order
        raise StudyError(f"{self._source.name} is damaged: a section of a pcapng has no byte order")

    def _other(self, kind: int, block: bytes) -> None:
        if kind == INTERFACE:
            link, _, snaplen = struct.unpack_from(f"{self._order}HHI", block, 8)
            options = self._options(block[16:-4])
            resolution = options.get(TSRESOL, b"\x06")[:1] or b"\x06"
            base = 2 if resolution[0] & 0x80 else 10
            ticks = base ** (resolution[0] & 0x7F)
            offset = options.get(TSOFFSET, b"").ljust(8, b"\0")[:8]
            (offset_s,) = struct.unpack(f"{self._order}q", offset)
            if ticks > MOST_TICKS or abs(offset_s) > LATEST_S:
                raise StudyError(
                    f"{self._source.name} is damaged: its stamps would count {ticks:.3g} times a"
                    f" second from {offset_s:,} s on"
                )
            self.interfaces.append(Interface(link, snaplen, ticks, offset_s))
        elif kind == STATISTICS:
            (interface,) = struct.unpack_from(f"{self._order}I", block, 8)
            ended = self._options(block[20:-4]).get(ENDTIME)
            if ended and len(ended) == 8:
                high, low = struct.unpack(f"{self._order}II", ended)
                place = self._interface(self._first + interface)
                end_s, rest = divmod(high << 32 | low, place.ticks_a_second)
                end_ns = (end_s + place.offset_s) * 10**9 + rest * 10**9 // place.ticks_a_second
                self.end_ns = max(self.end_ns, end_ns)

    def _options(self, data: bytes) -> dict[int, bytes]:
        found: dict[int, bytes] = {}
        place = 0
        while place + 4 <= len(data):
            code, length = struct.unpack_from(f"{self._order}HH", data, place)
            if code == END:
                break
            found[code] = data[place + 4 : place + 4 + length]
            place += 4 + length + -length % 4
        return found

    def _check(self, length: int) -> None:
        if not 12 <= length <= LONGEST:
            raise StudyError(
                f"{self._source.name} is damaged: a block of {length:,} B cannot be, so what"
                " follows it cannot be found"
            )

    def _needed(self, data: bytes, place: int) -> int:
        if len(data) - place < 12:
            return 12
        return struct.unpack_from(f"{self._order}I", data, place + 4)[0]

    def _interface(self, index: int) -> Interface:
        if index < len(self.interfaces):
            return self.interfaces[index]
        raise StudyError(
            f"{self._source.name} is damaged: a packet of an interface that it does not describe"
        )

    def _decoded(self, data: bytes, found: list[Block]) -> Frames:
        offset, kept, length, high, low, interface = np.array(found, np.int64).T
        self._interface(int(interface.max()))
        time_ns = np.zeros(len(found), np.int64)
        for index in np.unique(interface):
            place, own = self.interfaces[index], interface == index
            ticks = place.ticks_a_second
            stamp = (high[own].astype(np.uint64) << np.uint64(32)) | low[own].astype(np.uint64)
            whole = (stamp // np.uint64(ticks)).astype(np.int64)
            rest = stamp % np.uint64(ticks)
            if ticks <= 10**9:
                rest_ns = rest * np.uint64(10**9) // np.uint64(ticks)
            else:
                rest_ns = rest * (1e9 / ticks)
            time_ns[own] = (whole + place.offset_s) * 10**9 + rest_ns.astype(np.int64)
        time_ns[high < 0] = -1  # of a simple block, without a time
        number = np.arange(self._number, self._number + len(found))
        return Frames(as_bytes(data), offset, kept, length, time_ns, interface, number)
