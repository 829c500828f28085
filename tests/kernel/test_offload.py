# SPDX-License-Identifier: GPL-2.0-only
"""A packet that a host hands down in one piece, as the wire cuts it: the test is at both ends."""

import struct
from collections.abc import Callable

import pytest
from study.kernel import ends
from test_cases import packets
from test_wire import wire

__all__ = ["wire"]  # a fixture

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


@pytest.fixture
def through(wire) -> Callable[..., tuple[list[bytes], str]]:
    """What comes out of the other end for a packet, and the wire's table."""

    def sent(packet: bytes, parts: int = 1) -> tuple[list[bytes], str]:
        line = wire("--offload=1")
        line.a.send(packet)
        came = [line.b.recv(70000) for _ in range(parts)]
        line.rows()
        return came, line.capture.read_text()

    return sent


@pytest.fixture
def cut(through) -> tuple[list[bytes], str]:
    """2,500 B in one piece, asked to be segments of 1,000 B."""
    payload = bytes(range(250)) * 10
    return through(before(1000) + piece(payload, 2**32 - 1500, ACK | PSH | FIN), parts=3)


def test_parts_carry_the_payload_in_order_with_numbers_of_their_own(cut):
    """Only the last one ends or pushes."""
    parts = [each[10:] for each in cut[0]]
    assert b"".join(each[HEADERS_B:] for each in parts) == bytes(range(250)) * 10
    sequences = [struct.unpack_from("!I", each, 24)[0] for each in parts]
    assert sequences == [2**32 - 1500, 2**32 - 500, 500]
    totals = [struct.unpack_from("!HH", each, 2) for each in parts]
    assert totals == [(1040, 99), (1040, 100), (540, 101)]
    assert [each[33] for each in parts] == [ACK, ACK, ACK | PSH | FIN]


def test_the_header_of_ipv4_has_a_checksum_and_that_of_tcp_is_still_to_be_done(cut):
    for each in cut[0]:
        assert sum(struct.unpack_from("!10H", each, 10)) % 0xFFFF == 0
        assert struct.unpack_from("BBHHHH", each) == (NEEDS_CHECKSUM, 0, 0, 0, 20, 16)


def test_only_the_first_part_tells_of_a_smaller_window(through):
    """CWR (RFC 3168, 6.1.2)."""
    whole = before(1000, GSO_TCPV4 | GSO_ECN) + piece(bytes(2500), 5, ACK | CWR)
    parts, _ = through(whole, parts=3)
    assert [each[10 + 33] for each in parts] == [ACK | CWR, ACK, ACK]


def changed(packet: bytes, at: int, octet: int) -> bytes:
    return packet[:at] + bytes([octet]) + packet[at + 1 :]


WHOLE = piece(bytes(2500), 5, ACK)


LEFT_WHOLE = {
    "small": before() + piece(b"abc", 5, ACK),
    "udp-by-kind": before(1000, GSO_UDP) + WHOLE,
    "udp": before(1000) + changed(WHOLE, 9, 17),
    "7-B": before(1000) + WHOLE[:7],
    "30-B": before(1000) + WHOLE[:30],
    "no-payload": before(1000) + WHOLE[:40],
    "short-ihl": before(1000) + changed(WHOLE, 0, 0x41),
    "no-offset": before(1000) + changed(WHOLE, 32, 0),
    "long-offset": before(1000) + changed(WHOLE[:50], 32, 0xF0),
}


@pytest.mark.parametrize("kind", LEFT_WHOLE)
def test_what_is_small_or_no_tcp_with_a_payload_stays_whole(through, kind: str):
    packet = LEFT_WHOLE[kind]
    (came,), table = through(packet)
    assert came[10:] == packet[10:]
    if kind == "small":
        assert came == packet and table.count(",arrived,") == table.count("\n") - 1 == 1


def test_one_end_saw_one_packet_and_the_other_its_parts(cut):
    """The lengths in the headers of the two captures."""
    sizes = [
        [size for _, _, size in packets(ends.pcap(cut[1], end))]
        for end in (ends.CLIENT, ends.SERVER)
    ]
    assert sizes == [[2540], [1040, 1040, 540]]
