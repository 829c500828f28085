# SPDX-License-Identifier: GPL-2.0-only
"""pcap: a header of 24 bytes, and before each frame one of 16 (draft-ietf-opsawg-pcap), in the
byte order of the machine that wrote it, with stamps in microseconds or nanoseconds."""

import struct

import numpy as np

from study.base.errors import StudyError
from study.captures.frames import Frames, Interface, Reader, as_bytes
from study.captures.source import Source

LONGEST = 1 << 28  # of a frame; a longer one means a damaged file
WALKED = 64  # records read one by one before the next are read together
# Magic number as a little-endian machine writes it: ticks a second, bytes before each frame. The
# third is of a patched libpcap with longer records ("modified", by A. Kuznetsov).
FORMS = {0xA1B2C3D4: (10**6, 16), 0xA1B23C4D: (10**9, 16), 0xA1B2CD34: (10**6, 24)}


def is_pcap(start: bytes) -> bool:
    """Return whether a file with this beginning is a pcap."""
    return any(int.from_bytes(start[:4], order) in FORMS for order in ("little", "big"))


class Pcap(Reader):
    """The frames of a pcap."""

    header_B = 24

    def __init__(self, source: Source):
        super().__init__(source)
        header = source.ahead(self.header_B)
        if len(header) < self.header_B:
            raise StudyError(f"{source.name} ends within its header of {self.header_B} bytes")
        self._order = "<" if int.from_bytes(header[:4], "little") in FORMS else ">"
        magic, _, _, _, _, snaplen, link = struct.unpack(f"{self._order}IHHiIII", header)
        ticks, self._record = FORMS[magic]
        # The upper bits describe a frame check sequence.
        self.interfaces = [Interface(link & 0x0FFF_FFFF & 0xFFFF, snaplen, ticks)]
        self.ticks = ticks

    def _walk(self, data: bytes, start: int) -> tuple[np.ndarray, int]:
        length = struct.Struct(f"{self._order}I").unpack_from
        record, end = self._record, len(data)
        found: list[np.ndarray] = []
        place = start
        last = end - record
        while place <= last:
            starts: list[int] = []
            add = starts.append
            for _ in range(WALKED):
                following = place + record + length(data, place + 8)[0]
                if following > end:
                    break
                add(place)
                place = following
                if place > last:
                    break
            found.append(np.array(starts, np.int64))
            if len(starts) < WALKED:
                break
            same = self._as_long(data, place, place - starts[-1])
            found.append(place + np.arange(same) * (place - starts[-1]))
            place += same * (place - starts[-1])
        return (np.concatenate(found) if found else np.zeros(0, np.int64)), place

    def _as_long(self, data: bytes, place: int, each: int) -> int:
        """Return how many complete records from `place` on are as long as the one before."""
        most = (len(data) - place) // each
        count, tried = 0, WALKED
        while count < most:
            tried = min(2 * tried, most - count)
            kept = np.ndarray(
                (tried,), f"{self._order}u4", data, place + count * each + 8, strides=(each,)
            )
            other = kept != each - self._record
            if other.any():
                return count + int(other.argmax())
            count += tried
        return count

    def _needed(self, data: bytes, place: int) -> int:
        if len(data) - place < self._record:
            return self._record
        (kept,) = struct.unpack_from(f"{self._order}I", data, place + 8)
        if kept > LONGEST:
            raise StudyError(
                f"{self._source.name} is damaged: a packet of {kept:,} B cannot be, so what follows"
                " it cannot be found"
            )
        return self._record + kept

    def _decoded(self, data: bytes, at: np.ndarray) -> Frames:
        array = as_bytes(data)
        word = np.ndarray((len(array) - 3,), f"{self._order}u4", buffer=array, strides=(1,))
        fraction_ns = word[at + 4].astype(np.int64) * (10**9 // self.ticks)
        return Frames(
            array,
            at + self._record,
            word[at + 8].astype(np.int64),
            word[at + 12].astype(np.int64),
            word[at].astype(np.int64) * 10**9 + fraction_ns,
            np.zeros(len(at), np.int64),
            np.arange(self._number, self._number + len(at)),
        )
