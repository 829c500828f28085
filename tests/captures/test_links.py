# SPDX-License-Identifier: GPL-2.0-only
"""Whatever stands in front of IP, and whichever IP it is, the transfer behind it is the same."""

import re
import struct
import subprocess
from pathlib import Path

import pytest
from study import captures
from study.base.errors import StudyError
from study.base.project import scenario_program

from tests.captures import making
from tests.captures.test_forms import check_as_tshark_reads
from tests.tshark import needs_tshark

MADE = making.transfer()
VLAN, QINQ = (0x8100, 5), (0x88A8, 7)
SNAP = bytes.fromhex("aaaa03000000")
BRIDGED = bytes.fromhex("1841030080 0080c20007")
# IPv6's extension headers: hop by hop of 8 B, then destination options of 16 B, then TCP.
EXTENSIONS = bytes([60, 0, 1, 4, 0, 0, 0, 0]) + bytes([6, 1, 1, 12]) + bytes(12)


def cooked(packet: bytes) -> bytes:
    return struct.pack(">HHH8sH", 0, 1, 6, bytes(8), 0x0800) + packet


def cooked_2(packet: bytes, interface: int = 2) -> bytes:
    return struct.pack(">HHIHBB8s", 0x0800, 0, interface, 1, 0, 6, bytes(8)) + packet


def in_802_3(packet: bytes) -> bytes:
    return bytes(12) + struct.pack(">H", len(packet) + 8) + SNAP + b"\x08\x00" + packet


def session(packet: bytes) -> bytes:
    """PPP over Ethernet."""
    header = struct.pack(">HBBHHH", 0x8864, 0x11, 0, 1, len(packet) + 2, 0x0021)
    return bytes(12) + header + packet


# By name: the kind of link, and what stands in front of the IP packet.
WRAPS = {
    "Ethernet": (1, making.ethernet),
    "Ethernet with a VLAN": (1, lambda packet: making.ethernet(packet, [VLAN])),
    "Ethernet with two VLANs": (1, lambda packet: making.ethernet(packet, [QINQ, VLAN])),
    "IEEE 802.3 with SNAP": (1, in_802_3),
    "PPP over Ethernet": (1, session),
    "Linux cooked": (113, cooked),
    "Linux cooked, version 2": (276, cooked_2),
    "loopback of BSD": (0, lambda packet: b"\x02\0\0\0" + packet),
    "loopback of BSD, big end first": (0, lambda packet: b"\0\0\0\x02" + packet),
    "loopback of OpenBSD": (108, lambda packet: b"\0\0\0\x02" + packet),
    "raw IP": (101, bytes),
    "raw IPv4": (228, bytes),
    "PPP": (9, lambda packet: b"\x00\x21" + packet),
    "PPP as in HDLC": (9, lambda packet: b"\xff\x03\x00\x21" + packet),
    "PPP, its protocol in a byte": (9, lambda packet: b"\x21" + packet),
    "HDLC of Cisco": (104, lambda packet: b"\x0f\x00\x08\x00" + packet),
    "frame relay": (107, lambda packet: b"\x18\x41\x03\xcc" + packet),
    "frame relay, by SNAP": (
        107,
        lambda packet: b"\x18\x41\x03\x00\x80\x00\x00\x00\x08\x00" + packet,
    ),
    "frame relay, bridged": (107, lambda packet: BRIDGED + making.ethernet(packet)),
}


def expected(read) -> list:
    (connection,) = read(making.pcap(making.frames(MADE))).connections
    return connection.packets.tolist()


@pytest.mark.parametrize("name", WRAPS)
def test_a_transfer_is_the_same_on_every_link(name: str, read):
    link, wrap = WRAPS[name]
    held = making.frames(MADE, lambda packet: wrap(making.ip(packet)))
    capture = read(making.pcap(held, link=link))
    (connection,) = capture.connections
    assert connection.packets.tolist() == expected(read)
    assert capture.notes == connection.notes == ()


@pytest.mark.parametrize(("extensions", "first"), [(b"", 6), (EXTENSIONS, 0)])
def test_ipv6_is_read_with_its_extension_headers(extensions: bytes, first: int, read):
    held = making.frames(
        MADE, lambda packet: making.ethernet(making.ip6(packet, extensions, first))
    )
    (connection,) = read(making.pcap(held)).connections
    assert (connection.client, connection.server) == ("[fe80::1]:1023", "[fe80::2]:515")
    assert connection.packets.tolist() == expected(read)


def test_padding_of_a_short_frame_is_no_payload(read):
    held = making.frames(MADE, lambda packet: making.ethernet(making.ip(packet)).ljust(60, b"\0"))
    (connection,) = read(making.pcap(held)).connections
    assert connection.packets["length"].tolist() == [each.length for each in MADE]


@pytest.mark.parametrize("link", [105, 127, 119])
def test_a_capture_of_radio_is_refused_by_name(link: int, read):
    with pytest.raises(StudyError, match=re.escape("link that is not read here: IEEE 802.11")):
        read(making.pcap(making.frames(MADE), link=link))


# Programs of this study, and the captures that each can leave.
WAN = ("--system=tcp-frame-relay", "--job-size=200000")
RUNS = [
    ("print-job", "--pcap", ("--system=hawking-hps1u", "--job-size=100000")),
    ("print-job", "--pcap", WAN),
    ("print-job", "--wan-pcap", WAN),
    ("request-reply", "--pcap", ("--system=telnet-xp",)),
    ("request-reply", "--pcap", ("--system=rfc2525-stretch-ack",)),
    ("file-send", "--pcap", ("--system=relook-400s", "--job-size=500000")),
]


@needs_tshark
@pytest.mark.parametrize(("scenario", "flag", "flags"), RUNS)
def test_our_own_captures_read_as_tshark_reads_them(
    scenario: str, flag: str, flags: tuple[str, ...], tmp_path: Path
):
    file = tmp_path / "job.pcap"
    command = [scenario_program(scenario), *flags, f"{flag}={file}"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    packets = captures.read(file).connections[0].packets
    assert len(packets) > 50
    check_as_tshark_reads(file, packets)
