# SPDX-License-Identifier: GPL-2.0-only
"""What pcapng has and pcap has not: interfaces that differ, stamps that count otherwise, blocks of
other kinds."""

import struct
from dataclasses import replace

import pytest

from tests.captures import making
from tests.tshark import frames as tshark_frames
from tests.tshark import needs_tshark

MADE = making.transfer()
HELD = making.frames(MADE)
TSRESOL, TSOFFSET = 9, 14
EXPECTED_NS = [1000 * (each.us - MADE[0].us) for each in MADE]


def file_of(options: bytes, **counted) -> bytes:
    described = making.section() + making.interface(options=options)
    return described + b"".join(making.enhanced(each, **counted) for each in HELD)


@pytest.mark.parametrize(
    ("resolution", "ticks"), [(b"\x06", 10**6), (b"\x09", 10**9), (b"\x03", 1000), (b"\x94", 2**20)]
)
def test_stamps_count_in_the_interface_s_resolution(resolution: bytes, ticks: int, read):
    capture = read(file_of(making.option(TSRESOL, resolution), ticks=ticks))
    (connection,) = capture.connections
    tick_ns = 10**9 / ticks
    for told, expected in zip(connection.packets["time_ns"].tolist(), EXPECTED_NS, strict=True):
        assert abs(told - expected) <= tick_ns + 1


@pytest.mark.parametrize("behind", [b"", b"\xff"])
def test_an_offset_is_added(behind: bytes, read):
    """Also one of a byte too many: other readers take such a file, and so does this."""
    offset = making.option(TSOFFSET, struct.pack("<q", 1_000) + behind)
    held = [replace(each, us=each.us + 2_000_000_000) for each in HELD]
    described = making.section() + making.interface(options=offset)
    data = described + b"".join(making.enhanced(each, offset_s=1_000) for each in held)
    (connection,) = read(data).connections
    assert connection.start_s == MADE[0].us / 1e6 + 2000
    assert connection.packets["time_ns"].tolist() == EXPECTED_NS


def several() -> bytes:
    """One direction on Ethernet in ns, the other on raw IP in us: two interfaces, and a third whose
    link is not read."""
    described = making.section() + making.interface(options=making.option(TSRESOL, b"\x09"))
    described += making.interface(link=101) + making.interface(link=127)
    out = []
    for each in MADE:
        packet = making.ip(each)
        if each.to_server:
            out.append(making.enhanced(making.Frame(each.us, making.ethernet(packet)), 10**9))
        else:
            out.append(making.enhanced(making.Frame(each.us, packet, interface=1)))
    out.append(making.enhanced(making.Frame(MADE[-1].us, bytes(40), interface=2)))
    return described + b"".join(out)


def test_interfaces_may_differ_in_link_and_resolution(read):
    capture = read(several())
    (connection,) = capture.connections
    assert connection.packets["time_ns"].tolist() == EXPECTED_NS
    assert connection.packets["number"].tolist() == list(range(1, len(MADE) + 1))
    (note,) = capture.notes
    assert note.sentence.startswith("packets of other links are left out: IEEE 802.11")


@needs_tshark
def test_tshark_reads_several_interfaces_alike(read, tmp_path):
    (connection,) = read(several()).connections
    told = tshark_frames(tmp_path / "job.pcap", "tcp.seq", "frame.time_relative")
    for row, packet in zip(told, connection.packets, strict=False):
        assert int(row["tcp.seq"]) == packet["seq"]
        assert round(float(row["frame.time_relative"]) * 1e9) == packet["time_ns"]


def test_a_second_section_describes_its_own_interfaces(read):
    half = len(HELD) // 2
    later = making.section(">") + making.interface(
        options=making.option(TSRESOL, b"\x09", ">"), order=">"
    )
    data = making.pcapng(HELD[:half]) + later
    data += b"".join(making.enhanced(each, 10**9, order=">") for each in HELD[half:])
    (connection,) = read(data).connections
    assert connection.packets["time_ns"].tolist() == EXPECTED_NS


def test_packets_of_simple_blocks_have_no_time(read):
    blocks = [making.block(3, struct.pack("<I", len(each.data)) + each.data[:100]) for each in HELD]
    data = making.section() + making.interface(snaplen=100) + b"".join(blocks)
    capture = read(data)
    assert capture.connections[0].packets["length"].tolist() == [each.length for each in MADE]
    assert capture.notes[0].sentence.startswith(f"{len(MADE)} packets have no time")


def test_what_else_there_is_is_passed_over(read):
    names = making.block(4, bytes(8))
    custom = making.block(0x0BAD, bytes(12))
    data = making.section() + names + making.interface() + custom
    data += b"".join(making.enhanced(each) + custom for each in HELD)
    assert len(read(data).connections[0].packets) == len(MADE)


def test_the_end_of_the_capture_is_in_its_statistics(read):
    stamp = MADE[-2].us + 4_000_000
    ended = making.option(3, struct.pack("<II", stamp >> 32, stamp & 0xFFFFFFFF))
    body = struct.pack("<III", 0, stamp >> 32, stamp & 0xFFFFFFFF) + ended
    data = making.pcapng(HELD[:-1]) + making.block(5, body)
    assert "went on for 4 s" in read(data).connections[0].notes[-1].sentence


def test_interfaces_that_are_written_in_turn_make_no_clock_go_back(read):
    """As dumpcap writes them: here the client's packets on one, all before the server's on the
    other."""
    held = [
        replace(each, interface=not sent.to_server) for each, sent in zip(HELD, MADE, strict=True)
    ]
    in_turn = sorted(held, key=lambda each: each.interface)
    data = making.section() + making.interface() * 2 + b"".join(map(making.enhanced, in_turn))
    (connection,) = read(data).connections
    assert connection.packets["time_ns"].tolist() == EXPECTED_NS
    assert [note.kind for note in connection.notes] == ["order"]
