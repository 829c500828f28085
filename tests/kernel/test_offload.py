# SPDX-License-Identifier: GPL-2.0-only
"""A packet that a host hands down in one piece, as the wire cuts it: the test is at both ends."""

import csv
import socket
import struct
import subprocess
from pathlib import Path

import pytest
from study.kernel import ends, laboratory

FIN, PSH, ACK, CWR = 1, 8, 16, 128
NEEDS_CHECKSUM, GSO_TCPV4, GSO_UDP, GSO_ECN = 1, 1, 3, 128
HEADERS_B = 40


def piece(payload: bytes, sequence: int, flags: int) -> bytes:
    """A packet of TCP over IPv4, its checksums left to the interface."""
    tcp = struct.pack("!HHIIBBHHH", 1, 2, sequence, 7, 5 << 4, flags, 500, 0, 0)
    total = 20 + len(tcp) + len(payload)
    return struct.pack("!BBHHHBBHII", 0x45, 0, total, 99, 0, 64, 6, 0, 1, 2) + tcp + payload


def before(segment_size: int = 0, kind: int = GSO_TCPV4) -> bytes:
    """struct virtio_net_hdr."""
    kind = kind if segment_size else 0
    return struct.pack("BBHHHH", NEEDS_CHECKSUM, kind, HEADERS_B, segment_size, 20, 16)


def through(folder: Path, *packets: bytes, count: int) -> tuple[list[bytes], str]:
    """What comes out of the other end, and the wire's table."""
    kinds = socket.AF_UNIX, socket.SOCK_SEQPACKET
    (a, inner_a), (b, inner_b) = socket.socketpair(*kinds), socket.socketpair(*kinds)
    b.settimeout(60)  # of a wire that has crashed nothing comes
    file = folder / "table.csv"
    inner = inner_a.fileno(), inner_b.fileno()
    command = [laboratory.wire(), f"--a={inner[0]}", f"--b={inner[1]}", f"--capture={file}"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([*command, "--offload=1"], pass_fds=inner, **pipes) as process:
        process.stdout.readline()
        for packet in packets:
            a.send(packet)
        came = [b.recv(70000) for _ in range(count)]
        process.stdin.close()
        assert process.wait(10) == 0
    for each in (a, b, inner_a, inner_b):
        each.close()
    return came, file.read_text()


@pytest.fixture
def cut(tmp_path: Path) -> tuple[list[bytes], str]:
    """2,500 B in one piece, asked to be segments of 1,000 B."""
    payload = bytes(range(250)) * 10
    whole = before(1000) + piece(payload, 2**32 - 1500, ACK | PSH | FIN)
    return through(tmp_path, whole, count=3)


def test_parts_carry_the_payload_in_order_with_numbers_of_their_own(cut):
    parts = [each[10:] for each in cut[0]]
    assert b"".join(each[HEADERS_B:] for each in parts) == bytes(range(250)) * 10
    sequences = [struct.unpack_from("!I", each, 24)[0] for each in parts]
    assert sequences == [2**32 - 1500, 2**32 - 500, 500]
    assert [struct.unpack_from("!HH", each, 2) for each in parts] == [
        (1040, 99),
        (1040, 100),
        (540, 101),
    ]


def test_only_the_last_part_ends_or_pushes(cut):
    assert [each[10 + 33] for each in cut[0]] == [ACK, ACK, ACK | PSH | FIN]


def test_the_header_of_ipv4_has_a_checksum_and_that_of_tcp_is_still_to_be_done(cut):
    for each in cut[0]:
        words = struct.unpack_from("!10H", each, 10)
        folded = sum(words) % 0xFFFF
        assert folded == 0
        assert struct.unpack_from("BBHHHH", each) == (NEEDS_CHECKSUM, 0, 0, 0, 20, 16)


def test_a_small_packet_stays_whole(tmp_path):
    small = piece(b"abc", 5, ACK)
    (came,), table = through(tmp_path, before() + small, count=1)
    assert came == before() + small
    assert [row["fate"] for row in csv.DictReader(table.splitlines())] == ["arrived"]


def test_only_the_first_part_tells_of_a_smaller_window(tmp_path):
    """CWR (RFC 3168, 6.1.2)."""
    whole = before(1000, GSO_TCPV4 | GSO_ECN) + piece(bytes(2500), 5, ACK | CWR)
    parts, _ = through(tmp_path, whole, count=3)
    assert [each[10 + 33] for each in parts] == [ACK | CWR, ACK, ACK]


def _changed(packet: bytes, **octets: int) -> bytes:
    """With other octets at some places."""
    changed = bytearray(packet)
    for place, octet in octets.items():
        changed[int(place.removeprefix("at_"))] = octet
    return bytes(changed)


WHOLE = piece(bytes(2500), 5, ACK)


@pytest.mark.parametrize(
    "packet",
    [
        before(1000, GSO_UDP) + WHOLE,
        before(1000) + _changed(WHOLE, at_9=17),
        before(1000) + WHOLE[:7],
        before(1000) + WHOLE[:30],
        before(1000) + WHOLE[:40],
        before(1000) + _changed(WHOLE, at_0=0x41),
        before(1000) + _changed(WHOLE, at_32=0),
        before(1000) + _changed(WHOLE[:50], at_32=0xF0),
    ],
    ids=[
        "udp-by-kind",
        "udp",
        "7-B",
        "30-B",
        "no-payload",
        "short-ihl",
        "no-offset",
        "long-offset",
    ],
)
def test_what_is_no_tcp_with_a_payload_stays_whole(tmp_path, packet: bytes):
    (came,), _ = through(tmp_path, packet, count=1)
    assert came[10:] == packet[10:]


def test_one_end_saw_one_packet_and_the_other_its_parts(cut):
    """The lengths in the headers of the two captures."""
    assert (_sizes(cut[1], ends.CLIENT), _sizes(cut[1], ends.SERVER)) == (
        [2540],
        [1040, 1040, 540],
    )


def _sizes(table: str, end: str) -> list[int]:
    capture, place, sizes = ends.pcap(table, end), 24, []
    while place < len(capture):
        kept, size = struct.unpack_from("<II", capture, place + 8)
        sizes.append(size)
        place += 16 + kept
    return sizes
