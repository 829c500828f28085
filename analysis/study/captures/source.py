# SPDX-License-Identifier: GPL-2.0-only
"""Source of a capture's bytes: a file or standard input, gzipped or not. The first bytes tell the
format."""

import gzip
import sys
import zlib
from pathlib import Path
from typing import BinaryIO

from study.base.errors import StudyError, why
from study.base.project import check_no_device, shown

GZIP = b"\x1f\x8b"
MOST_B = 1 << 29  # of a text, unpacked: about five million packets
# First bytes of other packers' files, and of other analyzers' formats.
PACKED = {b"\x28\xb5\x2f\xfd": "zstd", b"\xfd7zXZ\x00": "xz", b"BZh": "bzip2", b"PK\x03\x04": "zip"}
OTHERS = {
    b"snoop\x00\x00\x00": "snoop",
    b"RTSS": "Microsoft's Network Monitor 1",
    b"GMBU": "Microsoft's Network Monitor 2",
    b"TRSNIFF data    \x1a": "the Sniffer",
    b"XCP\x00": "NetXRay",
    b"iptrace ": "AIX's iptrace",
    b"btsnoop\x00": "btsnoop",
    b"\x54\x52\x00\x64\x00": "HP-UX's nettl",
    b"\xaa\xaa\xaa\xaa": "5View",
    b"\x7fver": "EtherPeek",
    b"ver\x00": "EtherPeek",
}


class Source:
    """The bytes of a capture in order. `cut` says that a gzipped file ended early."""

    def __init__(self, file: BinaryIO, name: str, size_B: int = 0):
        self.name = name
        self.cut = False
        self._some = file.read
        self._file, self._size_B, self._told_B = file, size_B, 0
        self._ahead = b""
        if self.ahead(2) == GZIP:
            unpacked = gzip.GzipFile(fileobj=_Chained(self._ahead, file))
            self._some = unpacked.read1  # `read` would lose the data before an early end
            self._ahead = b""

    @property
    def newly_read(self) -> float:
        """The fraction of the file that was read since the last call, or 0 for standard input."""
        if not self._size_B:
            return 0.0
        before, self._told_B = self._told_B, self._file.tell()
        return (self._told_B - before) / self._size_B

    def ahead(self, count: int) -> bytes:
        """Return the next bytes without consuming them."""
        while len(self._ahead) < count and (more := self._read(count - len(self._ahead))):
            self._ahead += more
        return self._ahead[:count]

    def read(self, count: int) -> bytes:
        """Return at most `count` bytes; none at the end."""
        if self._ahead:
            taken, self._ahead = self._ahead[:count], self._ahead[count:]
            return taken
        return self._read(count)

    def all(self) -> bytes:
        """Return the rest. Raise StudyError if it has more than MOST_B bytes."""
        parts, size_B = [], 0
        while part := self.read(1 << 20):
            parts.append(part)
            size_B += len(part)
            if size_B > MOST_B:
                raise StudyError(f"{self.name} has more than {MOST_B:,} B and is no pcap or pcapng")
        return b"".join(parts)

    def _read(self, count: int) -> bytes:
        try:
            return self._some(count)
        except EOFError:
            self.cut = True
            return b""
        except (gzip.BadGzipFile, zlib.error) as error:
            raise StudyError(f"{self.name} is not whole: {error}") from error
        except OSError as error:
            raise StudyError(f"cannot read {self.name}: {why(error)}") from error


class _Chained:
    """A file after some bytes that were already read."""

    def __init__(self, before: bytes, file: BinaryIO):
        self._before = before
        self._file = file

    def read(self, count: int = -1) -> bytes:
        taken, self._before = self._before[:count], self._before[count:]
        return taken or self._file.read(count)


def opened(path: Path | str) -> Source:
    """Open a file, or standard input for "-". Raise StudyError if it cannot be read."""
    if str(path) == "-":
        return Source(sys.stdin.buffer, "standard input")
    check_no_device(Path(path))
    try:
        # Its reader outlives this function; it is closed with its last reference.
        return Source(open(path, "rb"), shown(Path(path)), Path(path).stat().st_size)
    except OSError as error:
        raise StudyError(f"cannot read {shown(Path(path))}: {why(error)}") from error


def refuse_others(source: Source) -> None:
    """Raise StudyError for an empty file, and for a known format without a reader."""
    start = source.ahead(32)
    if not start:
        raise StudyError(f"{source.name} is empty")
    for magic, packer in PACKED.items():
        if start.startswith(magic):
            raise StudyError(f"{source.name} is packed by {packer}: unpack it first")
    for magic, analyzer in OTHERS.items():
        if start.startswith(magic):
            raise StudyError(
                f"{source.name} is a capture of {analyzer}: convert it with"
                f" `editcap -F pcap {source.name} job.pcap`, which comes with Wireshark"
            )
