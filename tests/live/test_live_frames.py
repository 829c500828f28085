# SPDX-License-Identifier: GPL-2.0-only
"""Frames that are malformed in any layer do not end a live end: a real one is sent some of them.

Its TAP is a pair of sockets here, which holds frames together as a TAP does and needs no rights.
"""

import socket
import struct
from collections.abc import Iterator

import pytest
from study.base.project import BUILD
from study.live.end import End

HOST_MAC, ALL = b"\x02\0\0\0\0\x01", b"\xff" * 6
SYN, ACK = 2, 16
LINUX_SYN = bytes.fromhex("020405b4 0402080a 00000001 00000000 01030307")  # as Linux sends it
# Link: the address next to the kernel, and the kernel's own.
LINKS = {"ethernet": ("10.0.0.2", "10.0.0.1"), "path": ("10.0.9.254", "10.0.9.1")}

pytestmark = pytest.mark.skipif(
    not (BUILD / "live-end").exists(), reason="build/live-end is not built"
)


def summed(octets: bytes) -> int:
    """Return the Internet checksum (RFC 1071)."""
    octets += b"\0" * (len(octets) % 2)
    total = sum(struct.unpack(f">{len(octets) // 2}H", octets))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


class Tap:
    """The kernel's side of a live end."""

    def __init__(self, link: str, ours: socket.socket, end: End):
        self.near, self.own = (socket.inet_aton(each) for each in LINKS[link])
        self.device = socket.inet_aton(end.address)
        self.tap = ours
        self.tap.settimeout(5)
        self.mac = self.ask()

    def ask(self) -> bytes:
        """Return the MAC address that an ARP request finds."""
        start = struct.pack(">HHBBH", 1, 0x0800, 6, 4, 1)
        request = start + HOST_MAC + self.own + b"\0" * 6 + self.near
        self.tap.send(ALL + HOST_MAC + b"\x08\x06" + request)
        while (reply := self.heard())[12:14] != b"\x08\x06":
            pass
        return reply[22:28]

    def heard(self) -> bytes:
        """Return the next frame that is no question for our own address, which is answered."""
        frame = self.tap.recv(2000)
        if frame[12:14] != b"\x08\x06" or frame[21] == 2:
            return frame
        mac = frame[6:12]
        answer = frame[14:21] + b"\2" + HOST_MAC + self.own + mac + frame[28:32]
        self.tap.send(mac + HOST_MAC + b"\x08\x06" + answer)
        return self.heard()

    def frame(self, payload: bytes, kind: int = 0x0800) -> bytes:
        return self.mac + HOST_MAC + struct.pack(">H", kind) + payload

    def ip(self, payload: bytes, protocol: int = 6, length: int | None = None) -> bytes:
        """Return a frame with an IPv4 packet, by default a right one."""
        total = 20 + len(payload) if length is None else length
        header = struct.pack(">BBHHHBBH", 0x45, 0, total, 7, 0, 64, protocol, 0)
        header += self.own + self.device
        header = header[:10] + struct.pack(">H", summed(header)) + header[12:]
        return self.mac + HOST_MAC + b"\x08\0" + header + payload

    def tcp(self, options: bytes) -> bytes:
        """Return a frame with a SYN to the raw port."""
        offset = 5 + len(options) // 4
        segment = struct.pack(">HHIIBBHHH", 4711, 9100, 1, 0, offset << 4, SYN, 64240, 0, 0)
        segment += options
        pseudo = self.own + self.device + struct.pack(">BBH", 0, 6, len(segment))
        check = struct.pack(">H", summed(pseudo + segment))
        return self.ip(segment[:16] + check + segment[18:])

    def icmp(self, message: bytes) -> bytes:
        check = struct.pack(">H", summed(message))
        return self.ip(message[:2] + check + message[4:], 1)


# One of each layer, at which ns-3 would abort or read past the end; frame-gate-test.cc has all.
KINDS = {
    "a header that is cut": lambda tap: b"\0" * 13,
    "ones": lambda tap: b"\xff" * 60,
    "total length beyond the frame": lambda tap: tap.ip(b"\0" * 20, length=1500),
    "MSS option of length 0": lambda tap: tap.tcp(b"\x02\0\x05\xb4"),
    "padding of 40 B": lambda tap: tap.tcp(b"\0" * 40),
    "time exceeded, quoting nothing": lambda tap: tap.icmp(struct.pack(">BBHI", 11, 1, 0, 0)),
}


@pytest.fixture(params=LINKS)
def tap(request) -> Iterator[Tap]:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with ours, theirs, End("print-job", [f"--link={request.param}"], theirs.fileno()) as end:
        yield Tap(request.param, ours, end)


@pytest.mark.parametrize("kind", KINDS)
def test_a_malformed_frame_is_dropped(kind: str, tap: Tap):
    tap.tap.send(KINDS[kind](tap))
    assert tap.ask() == tap.mac


def test_what_linux_sends_passes(tap: Tap):
    """A SYN with its options, an echo, and a packet with an Ethernet's padding behind it."""
    echo = tap.icmp(struct.pack(">BBHHH", 8, 0, 0, 1, 1) + b"ping")
    tap.tap.send(echo + b"\0" * 14)
    tap.tap.send(tap.tcp(LINUX_SYN))
    replies = set()
    while len(replies) < 2:
        frame = tap.heard()
        if frame[12:14] == b"\x08\0":
            protocol, answer = frame[23], frame[34:]
            replies.add((protocol, answer[0] if protocol == 1 else answer[13]))
    assert replies == {(1, 0), (6, SYN | ACK)}
