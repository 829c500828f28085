# SPDX-License-Identifier: GPL-2.0-only
"""Captures with something odd about them, to the end: what is odd is said, and there is an answer
or one line."""

import struct

import pytest
from study import StudyError, diagnose, systems

from tests.captures import making

HEADER, RECORD = 24, 16


@pytest.fixture(scope="module")
def whole(program, tmp_path_factory):
    """A simulated job's capture, as its file header and its packets: seconds, microseconds, the
    length on the wire, and what was kept."""
    path = tmp_path_factory.mktemp("odd") / "job.pcap"
    systems["hawking-hps1u"].with_(job_size=300_000).run(pcap=path)
    content, packets, place = path.read_bytes(), [], HEADER
    while place < len(content):
        s, us, kept, length = struct.unpack("<IIII", content[place : place + RECORD])
        held = content[place + RECORD : place + RECORD + kept]
        packets.append((1000 + s, us, length, held))
        place += RECORD + kept
    return content[:HEADER], packets


def of_one(packets, first: bool):
    """Those of the end that sent the first packet, or of the other."""
    address = packets[0][3][26:30]
    return [each for each in packets if (each[3][26:30] == address) == first]


def stamped(packets, change):
    return [(*change(s, us, place), *rest) for place, (s, us, *rest) in enumerate(packets)]


def written(path, header, packets):
    records = (
        struct.pack("<IIII", s, us, len(held), length) + held for s, us, length, held in packets
    )
    path.write_bytes(header + b"".join(records))
    return path


# What is done to it, what is said of it, and whether its window still shows as what it waited for.
ODD = {
    "one direction": (lambda p: of_one(p, True), "only one direction was captured", False),
    "the other direction": (lambda p: of_one(p, False), "only one direction was captured", False),
    "no SYN": (lambda p: p[3:], "no SYN was captured", True),
    "ticks of 10 ms": (
        lambda p: stamped(p, lambda s, us, _: (s, us // 10_000 * 10_000)),
        "the clock ticked every 10 ms",
        True,
    ),
    "ticks of 1 s": (
        lambda p: stamped(p, lambda s, us, _: (s, 0)), "the clock ticked every 1 s", True,
    ),
    "a clock that goes back": (
        lambda p: stamped(p, lambda s, us, place: (s - 5 * (place >= 100), us)),
        "the clock went back",
        True,
    ),
    "every packet twice": (
        lambda p: [copy for s, us, *rest in p for copy in ((s, us, *rest), (s, us + 3, *rest))],
        "captured a second time",
        True,
    ),
    "packets that the capture missed": (
        lambda p: [each for place, each in enumerate(p) if place % 17],
        "the capture missed packets",
        True,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_what_is_odd_is_said_and_there_is_an_answer(name, whole, tmp_path):
    change, told, is_window = ODD[name]
    header, packets = whole
    path = written(tmp_path / "odd.pcap", header, change(packets))
    found = diagnose(path)
    text = " ".join(str(found).split())
    assert told in text, text[:1000]
    assert found.facts and "/study-" not in text
    if is_window:
        # Without a SYN nothing tells a slow device from a timer that withholds its ACKs.
        causes = ("receive_window", "delayed_ack") if name == "no SYN" else ("receive_window",)
        assert found.answer is not None and found.main in causes
        return
    assert found.sentence.startswith("Only one direction was captured")
    with pytest.raises(StudyError, match="no system was found: only one direction"):
        found.system()


def other_frames(packets, change):
    return [(s, us, len(held := change(each)), held) for s, us, _, each in packets]


def in_ipv6(frame):
    """The same packet of TCP behind a header of IPv6."""
    begin = 14 + (frame[14] & 15) * 4
    total = struct.unpack(">H", frame[16:18])[0]
    inner = frame[begin : 14 + total]
    ends = [b"\xfe\x80" + bytes(10) + frame[at : at + 4] for at in (26, 30)]
    header = struct.pack(">IHBB", 6 << 28, len(inner), 6, 64) + b"".join(ends)
    return frame[:12] + b"\x86\xdd" + header + inner


def with_wrong_checksum(frame):
    place = 14 + (frame[14] & 15) * 4 + 16
    return frame[:place] + b"\xbe\xef" + frame[place + 2 :]


def with_later_numbers(frame, from_client):
    """As of a connection whose client began with another number."""
    place = 14 + (frame[14] & 15) * 4 + (4 if from_client else 8)
    number = (struct.unpack(">I", frame[place : place + 4])[0] + 50_000_000) % 2**32
    return frame[:place] + struct.pack(">I", number) + frame[place + 4 :]


COOKED = struct.pack(">HHH", 0, 1, 6) + bytes(8) + b"\x08\x00"
# What the packets are wrapped in, or have wrong by an interface that fills it in later.
ALIKE = {
    "VLAN": (1, lambda frame: frame[:12] + b"\x81\x00\x00\x07" + frame[12:]),
    "Linux cooked": (113, lambda frame: COOKED + frame[14:]),
    "loopback": (0, lambda frame: b"\x02\x00\x00\x00" + frame[14:]),
    "IPv6": (1, in_ipv6),
    "wrong checksums": (1, with_wrong_checksum),
}


@pytest.mark.parametrize("name", ALIKE)
def test_what_a_packet_is_wrapped_in_changes_no_budget(name, whole, tmp_path):
    link, change = ALIKE[name]
    header, packets = whole
    plain = diagnose(written(tmp_path / "plain.pcap", header, packets))
    header = header[:20] + struct.pack("<I", link)
    found = diagnose(written(tmp_path / "odd.pcap", header, other_frames(packets, change)))
    assert found.facts == plain.facts
    assert found.sentence == plain.sentence


def test_a_cut_last_packet_is_said_and_the_rest_is_judged(whole, tmp_path):
    header, packets = whole
    path = written(tmp_path / "cut.pcap", header, packets)
    path.write_bytes(path.read_bytes()[:-7])
    found = diagnose(path)
    assert "note: the file ends in the middle of a packet, which is left out" in str(found)
    assert len(found.packets) == len(packets) - 1
    assert found.main == "receive_window"


def test_a_trailing_stall_is_said_and_is_no_part_of_the_transfer(whole, tmp_path):
    """The capture goes on with another connection, long after this one fell silent."""
    header, packets = whole
    silent, end_s = packets[:-6], packets[-1][0]
    others = [each.data for each in making.frames(making.transfer(3, 100, isn=9))]
    later = [(end_s + 60 + place, 0, len(data), data) for place, data in enumerate(others)]
    found = diagnose(written(tmp_path / "stall.pcap", header, silent + later))
    text = " ".join(str(found).split())
    assert "and the connection was not closed" in text
    assert "2 connections, most time lost first" in text
    assert found.connection.duration_s < 60
    assert sum(found.limits_s.values()) < 60


def test_a_port_that_is_used_again_is_a_second_connection(whole, tmp_path):
    header, packets = whole
    client = packets[0][3][26:30]
    again = [
        (s + 1000, us, *rest, with_later_numbers(held, held[26:30] == client))
        for s, us, *rest, held in packets
    ]
    path = written(tmp_path / "again.pcap", header, packets[:200] + again)
    found = diagnose(path)
    assert [line.packets for line in found.connections] == [len(packets), 200]
    assert found.packets["number"].iloc[0] == 201
    assert diagnose(path, connection=2).packets["number"].iloc[-1] == 200


def test_a_connection_of_a_few_packets_has_an_answer(whole, tmp_path):
    header, packets = whole
    found = diagnose(written(tmp_path / "few.pcap", header, packets[:6]))
    assert found.sentence and sum(found.limits_s.values()) > 0


def test_a_program_that_pauses_is_the_cause_and_its_pause_is_in_the_system(whole, tmp_path):
    """Several transfers on one connection: half a minute between two of them, all acknowledged."""
    header, packets = whole
    device = packets[1][3][26:30]
    (begin, *_) = [
        place
        for place in range(150, 200)
        if packets[place - 1][3][26:30] == device and packets[place][3][26:30] != device
    ]
    later = stamped(packets, lambda s, us, place: (s + 30 * (place >= begin), us))
    found = diagnose(written(tmp_path / "pause.pcap", header, later))
    assert found.main == "application"
    assert found.limits_s["client_application"] == pytest.approx(30, rel=0.05)


def test_a_text_without_times_has_its_sizes_and_no_budget(tmp_path):
    path = tmp_path / "job.txt"
    lines = ["10.0.0.1.1023 > 10.0.0.2.9100: P 1:1461(1460) ack 1 win 32120"]
    lines += ["10.0.0.1.1023 > 10.0.0.2.9100: P 1461:2921(1460) ack 1 win 32120"]
    lines += ["10.0.0.2.9100 > 10.0.0.1.1023: . ack 2921 win 2920"]
    path.write_text("\n".join(lines) + "\n")
    found = diagnose(path)
    assert found.sentence == "The capture has no times: nothing can be simulated beside it."
    assert found.record()["facts"]["window"]["value"]["largest"] == 2920
