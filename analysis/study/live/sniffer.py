# SPDX-License-Identifier: GPL-2.0-only
"""Packets that pass an interface, with the kernel's own stamps: packet(7), as tcpdump uses it."""

import contextlib
import socket
import struct
import threading
from pathlib import Path

import numpy as np

from study.kernel import ends, namespaces

LINKTYPE_ETHERNET = 1
ETH_P_ALL, SOL_PACKET, PACKET_STATISTICS = 0x0003, 263, 6
SO_TIMESTAMPNS = 35  # of asm-generic/socket.h, on x86-64 and aarch64
BUFFER_B = 16 << 20
LOOK_S = 0.2  # interval between checks whether to end


class Sniffer:
    """A capture into a file that starts and ends with a `with` block."""

    def __init__(self, interface: str, file: Path):
        try:
            self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
            self._socket.bind((interface, 0))
        except OSError as error:
            raise namespaces.Forbidden(f"capturing on {interface}: {error.strerror}") from None
        self._socket.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER_B)
        self._socket.settimeout(LOOK_S)
        self._file = file.open("wb")
        self._file.write(ends.header(LINKTYPE_ETHERNET))
        self._file.flush()
        self._sent_ns: list[int] = []
        self._ends = False
        self.missed = 0  # frames that were lost because reading was too slow
        self.frames = 0

    def __enter__(self) -> "Sniffer":
        self._thread = threading.Thread(target=self._loop, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends = True
        self._thread.join()
        told = self._socket.getsockopt(SOL_PACKET, PACKET_STATISTICS, 8)
        self.missed = struct.unpack("II", told)[1]
        self._socket.close()
        self._file.close()

    def flush(self) -> None:
        """Write everything captured so far to the file."""
        with contextlib.suppress(ValueError):  # closed
            self._file.flush()

    @property
    def sent_ns(self) -> np.ndarray:
        """When the kernel sent each frame, in ns since 1970."""
        return np.array(self._sent_ns, np.int64)

    def _loop(self) -> None:
        while True:
            try:
                frame, told, _, address = self._socket.recvmsg(ends.LONGEST_B, 64)
            except TimeoutError:
                if self._ends:
                    return
                continue
            seconds, rest = struct.unpack("qq", told[0][2][:16])
            time_ns = seconds * 1_000_000_000 + rest
            if address[2] == socket.PACKET_OUTGOING:
                self._sent_ns.append(time_ns)
            self._file.write(ends.packet(time_ns, len(frame), frame))
            self.frames += 1
