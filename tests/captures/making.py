# SPDX-License-Identifier: GPL-2.0-only
"""Small captures, made byte by byte: what the readers are tried with."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from ipaddress import ip_address

SYN, ACK, PSH, FIN, RST = 2, 16, 8, 1, 4
CLIENT, SERVER = "10.0.0.1", "10.0.0.2"
MSS_1460 = b"\x02\x04\x05\xb4"
SACK_PERMITTED = b"\x01\x01\x04\x02"


def scale(bits: int) -> bytes:
    return bytes([1, 3, 3, bits])


def timestamps(value: int, echo: int) -> bytes:
    return b"\x01\x01\x08\x0a" + struct.pack(">II", value, echo)


def sack(first: int, behind: int) -> bytes:
    return b"\x01\x01\x05\x0a" + struct.pack(">II", first, behind)


@dataclass(frozen=True)
class Packet:
    """A TCP packet as it is made; numbers are those of the header."""

    us: int  # its stamp
    seq: int
    ack: int
    flags: int = ACK
    length: int = 0
    window: int = 8192
    options: bytes = b""
    to_server: bool = True
    ip_id: int = 0
    ttl: int = 64
    port: int = 1023
    checksum: int = 0

    def back(self, us: int, ack: int | None = None, **changes) -> "Packet":
        """The other end's answer to it."""
        ack = self.seq + self.length if ack is None else ack
        made = Packet(us, self.ack, ack, to_server=not self.to_server, port=self.port)
        return replace(made, **changes)


def tcp(packet: Packet) -> bytes:
    """Header and payload."""
    ports = (packet.port, 515) if packet.to_server else (515, packet.port)
    options = packet.options + bytes(-len(packet.options) % 4)
    offset = (20 + len(options)) // 4 << 4
    numbers = packet.seq % 2**32, packet.ack % 2**32
    header = struct.pack(
        ">HHIIBBHHH", *ports, *numbers, offset, packet.flags, packet.window, packet.checksum, 0
    )
    return header + options + bytes(packet.length)


def ip(packet: Packet, fragment: int = 0x4000, total: int | None = None) -> bytes:
    """An IPv4 packet."""
    inner = tcp(packet)
    ends = [ip_address(each).packed for each in (CLIENT, SERVER)]
    source, target = ends if packet.to_server else ends[::-1]
    total = min(20 + len(inner), 65535) if total is None else total
    fields = 0x45, 0, total, packet.ip_id, fragment, packet.ttl, 6, 0, source, target
    return struct.pack(">BBHHHBBH4s4s", *fields) + inner


def ip6(packet: Packet, extensions: bytes = b"", first: int = 6) -> bytes:
    """An IPv6 packet, with extension headers in front of TCP."""
    inner = extensions + tcp(packet)
    ends = [ip_address(each).packed for each in ("fe80::1", "fe80::2")]
    source, target = ends if packet.to_server else ends[::-1]
    return struct.pack(">IHBB", 6 << 28, len(inner), first, packet.ttl) + source + target + inner


def ethernet(packet: bytes, tags: Sequence[tuple[int, int]] = ()) -> bytes:
    """A frame, with VLAN tags (type, number)."""
    kind = 0x0800 if packet[0] >> 4 == 4 else 0x86DD
    marks = b"".join(struct.pack(">HH", *tag) for tag in tags)
    return bytes.fromhex("020000000002020000000001") + marks + struct.pack(">H", kind) + packet


@dataclass(frozen=True)
class Frame:
    """What stands in a file: its stamp, its bytes, and how many of them are kept."""

    us: int
    data: bytes
    kept: int | None = None
    interface: int = 0
    ns: int = 0  # besides the us


def frames(packets: Sequence[Packet], wrap=lambda packet: ethernet(ip(packet))) -> list[Frame]:
    return [Frame(packet.us, wrap(packet)) for packet in packets]


def pcap(
    held: Sequence[Frame],
    order: str = "<",
    nano: bool = False,
    link: int = 1,
    modified: bool = False,
) -> bytes:
    """A file in the form of libpcap."""
    magic = 0xA1B23C4D if nano else 0xA1B2CD34 if modified else 0xA1B2C3D4
    out = [struct.pack(f"{order}IHHiIII", magic, 2, 4, 0, 0, 262144, link)]
    for each in held:
        data = each.data if each.kept is None else each.data[: each.kept]
        part = each.us % 10**6
        part = part * 1000 + each.ns if nano else part
        out.append(struct.pack(f"{order}IIII", each.us // 10**6, part, len(data), len(each.data)))
        out.append(bytes(8) if modified else b"")
        out.append(data)
    return b"".join(out)


def block(kind: int, body: bytes, order: str = "<") -> bytes:
    body += bytes(-len(body) % 4)
    length = struct.pack(f"{order}I", len(body) + 12)
    return struct.pack(f"{order}I", kind) + length + body + length


def option(code: int, value: bytes, order: str = "<") -> bytes:
    return struct.pack(f"{order}HH", code, len(value)) + value + bytes(-len(value) % 4)


def section(order: str = "<") -> bytes:
    return block(0x0A0D0D0A, struct.pack(f"{order}IHHq", 0x1A2B3C4D, 1, 0, -1), order)


def interface(link: int = 1, options: bytes = b"", order: str = "<", snaplen: int = 0) -> bytes:
    return block(1, struct.pack(f"{order}HHI", link, 0, snaplen) + options, order)


def enhanced(frame: Frame, ticks: int = 10**6, offset_s: int = 0, order: str = "<") -> bytes:
    stamp = (frame.us - offset_s * 10**6) * ticks // 10**6 + frame.ns * ticks // 10**9
    data = frame.data if frame.kept is None else frame.data[: frame.kept]
    numbers = frame.interface, stamp >> 32, stamp & 0xFFFFFFFF, len(data), len(frame.data)
    return block(6, struct.pack(f"{order}IIIII", *numbers) + data, order)


def pcapng(held: Sequence[Frame], order: str = "<") -> bytes:
    """A file of one section and one interface."""
    packets = b"".join(enhanced(each, order=order) for each in held)
    return section(order) + interface(order=order) + packets


def transfer(
    segments: int = 6, length: int = 1000, start_us: int = 1_000_000, isn: int = 5000
) -> list[Packet]:
    """A handshake, segments of data each with its ACK, and a FIN."""
    syn = Packet(start_us, isn, 0, SYN, window=4096, options=MSS_1460 + SACK_PERMITTED)
    reply = syn.back(start_us + 700, isn + 1, flags=SYN | ACK, seq=900, options=MSS_1460)
    made = [syn, reply, Packet(start_us + 800, isn + 1, 901)]
    us, seq = start_us + 1013, isn + 1
    for _ in range(segments):
        data = Packet(us, seq, 901, ACK | PSH, length)
        made += [data, data.back(us + 5209)]
        us, seq = us + 5231, seq + length
    made.append(Packet(us, seq, 901, ACK | FIN))
    return [replace(each, ip_id=index + 1) for index, each in enumerate(made)]
