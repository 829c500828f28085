# SPDX-License-Identifier: GPL-2.0-only
"""Frames that are malformed in any layer do not end a live end: a real one is sent each of them.

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

    def ip(self, payload: bytes, protocol: int = 6, length: int | None = None, **other) -> bytes:
        """Return a frame with an IPv4 packet, by default a right one."""
        options = other.get("options", b"")
        start = other.get("start", 0x45 + len(options) // 4)
        total = 20 + len(options) + len(payload) if length is None else length
        header = struct.pack(">BBHHHBBH", start, 0, total, 7, other.get("part", 0), 64, protocol, 0)
        header += self.own + self.device + options
        header = header[:10] + struct.pack(">H", summed(header)) + header[12:]
        return self.frame(header + payload)

    def tcp(self, options: bytes = b"", offset: int | None = None, cut: int | None = None) -> bytes:
        """Return a frame with a SYN to the raw port, by default a right one."""
        offset = 5 + len(options) // 4 if offset is None else offset
        segment = struct.pack(">HHIIBBHHH", 4711, 9100, 1, 0, offset << 4, SYN, 64240, 0, 0)
        segment = (segment + options)[:cut]
        pseudo = self.own + self.device + struct.pack(">BBH", 0, 6, len(segment))
        if len(segment) >= 18:
            check = struct.pack(">H", summed(pseudo + segment))
            segment = segment[:16] + check + segment[18:]
        return self.ip(segment)

    def quoting(self, kind: int, quoted: bytes) -> bytes:
        """Return a frame with an ICMP error about a datagram."""
        return self.icmp(struct.pack(">BBHI", kind, 1, 0, 0) + quoted)

    def icmp(self, message: bytes) -> bytes:
        check = struct.pack(">H", summed(message))
        return self.ip(message[:2] + check + message[4:] if len(message) >= 4 else message, 1)

    def udp(self, payload: bytes, length: int) -> bytes:
        return self.ip(struct.pack(">HHHH", 1, 2, length, 0) + payload, 17)


QUOTED = bytes.fromhex("45000028 00070000 40060000 0a000002 0a000001 238c1267 00000001")
ARP = struct.pack(">HHBBH", 1, 0x0800, 6, 4, 1) + b"\0" * 20
KINDS = {
    "nothing behind the header": lambda tap: tap.frame(b""),
    "13 B": lambda tap: b"\0" * 13,
    "1 B": lambda tap: b"\0",
    "zeros": lambda tap: b"\0" * 60,
    "ones": lambda tap: b"\xff" * 60,
    "LLC": lambda tap: tap.frame(b"\xaa\xaa\x03" + b"\0" * 43, 46),
    "LLC of 3 B": lambda tap: tap.frame(b"\x42\x42\x03", 3),
    "LLC of no length": lambda tap: tap.frame(b"", 0),
    "another protocol": lambda tap: tap.frame(b"\0" * 46, 0x88B5),
    "a tag of a VLAN": lambda tap: tap.frame(b"\0\x07\x08\0", 0x8100),
    "larger than an Ethernet's": lambda tap: tap.ip(b"\0" * 1488, 17),
    "ARP of 8 B": lambda tap: tap.frame(ARP[:8], 0x0806),
    "ARP of 27 B": lambda tap: tap.frame(ARP[:27], 0x0806),
    "ARP of long addresses": lambda tap: tap.frame(ARP[:4] + b"\xff\xff" + ARP[6:], 0x0806),
    "ARP of IPv6": lambda tap: tap.frame(ARP[:2] + b"\x86\xdd" + ARP[4:], 0x0806),
    "IPv4 of 19 B": lambda tap: tap.frame(b"\x45" + b"\0" * 18),
    "IPv6 as IPv4": lambda tap: tap.ip(b"\0" * 20, start=0x65),
    "IHL 4": lambda tap: tap.ip(b"\0" * 20, start=0x44),
    "IHL 15": lambda tap: tap.ip(b"\0" * 20, start=0x4F),
    "IHL 6 of 20 B": lambda tap: tap.ip(b"", start=0x46),
    "options of IPv4": lambda tap: tap.ip(b"\0" * 20, options=b"\x94\x04\0\0"),
    "total length 0": lambda tap: tap.ip(b"\0" * 20, length=0),
    "total length 19": lambda tap: tap.ip(b"\0" * 20, length=19),
    "total length beyond the frame": lambda tap: tap.ip(b"\0" * 20, length=1500),
    "first fragment": lambda tap: tap.ip(b"\0" * 8, part=0x2000),
    "last fragment": lambda tap: tap.ip(b"\0" * 8, part=0x0001),
    "unknown transport": lambda tap: tap.ip(b"\0" * 20, 200),
    "TCP of 0 B": lambda tap: tap.tcp(cut=0),
    "TCP of 5 B": lambda tap: tap.tcp(cut=5),
    "TCP of 19 B": lambda tap: tap.tcp(cut=19),
    "data offset 0": lambda tap: tap.tcp(offset=0),
    "data offset 4": lambda tap: tap.tcp(offset=4),
    "data offset 15": lambda tap: tap.tcp(offset=15),
    "MSS option of length 40": lambda tap: tap.tcp(b"\x02\x28\x05\xb4"),
    "MSS option of length 0": lambda tap: tap.tcp(b"\x02\0\x05\xb4"),
    "MSS option that ends early": lambda tap: tap.tcp(b"\x01\x01\x01\x02"),
    "window scale of length 4": lambda tap: tap.tcp(b"\x03\x04\x07\0"),
    "SACK of no block": lambda tap: tap.tcp(b"\x05\x02\0\0"),
    "SACK of half a block": lambda tap: tap.tcp(b"\x05\x06\0\0\0\0\0\0"),
    "timestamps of length 9": lambda tap: tap.tcp(b"\x08\x09" + b"\0" * 10),
    "unknown option of length 1": lambda tap: tap.tcp(b"\xfd\x01\0\0"),
    "padding of 40 B": lambda tap: tap.tcp(b"\0" * 40),
    "UDP of 5 B": lambda tap: tap.ip(b"\0" * 5, 17),
    "UDP that states 4 B": lambda tap: tap.udp(b"\0" * 10, 4),
    "UDP that states 100 B": lambda tap: tap.udp(b"\0" * 10, 100),
    "ICMP of 0 B": lambda tap: tap.icmp(b""),
    "ICMP of 3 B": lambda tap: tap.icmp(b"\x08\0\0"),
    "echo of 4 B": lambda tap: tap.icmp(b"\x08\0\0\0"),
    "unreachable, quoting nothing": lambda tap: tap.quoting(3, b""),
    "unreachable, quoting 27 B": lambda tap: tap.quoting(3, QUOTED[:27]),
    "unreachable, quoting IHL 15": lambda tap: tap.quoting(3, b"\x4f" + QUOTED[1:]),
    "time exceeded, quoting nothing": lambda tap: tap.quoting(11, b""),
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
