# SPDX-License-Identifier: GPL-2.0-only
"""Captures with something odd about them, to the end: what is odd is said, the budget adds up,
and a number that the oddity hides is not made up."""

import struct
from dataclasses import replace

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
def test_what_is_odd_is_said_and_the_budget_adds_up(name, whole, tmp_path):
    change, told, is_window = ODD[name]
    header, packets = whole
    path = written(tmp_path / "odd.pcap", header, change(packets))
    found = diagnose(path)
    text = " ".join(str(found).split())
    assert told in text, text[:1000]
    total_s = sum(found.limits_s.values())
    assert total_s == pytest.approx(found.connection.duration_s, rel=1e-3)
    assert (max(found.limits_s, key=found.limits_s.get) == "receive_window") is is_window
    if not is_window:
        assert found.sentence.startswith("Only one direction was captured")
        with pytest.raises(StudyError, match="would rest on no model"):
            found.system().what_if(receive_window=5840)


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
    assert found.limits_s == plain.limits_s
    assert found.sentence == plain.sentence
    assert found.found["receive_window"].value == plain.found["receive_window"].value


def test_a_cut_last_packet_is_said_and_the_rest_is_judged(whole, tmp_path):
    header, packets = whole
    path = written(tmp_path / "cut.pcap", header, packets)
    path.write_bytes(path.read_bytes()[:-7])
    found = diagnose(path)
    assert "note: the file ends in the middle of a packet, which is left out" in str(found)
    assert len(found.packets) == len(packets) - 1
    assert max(found.limits_s, key=found.limits_s.get) == "receive_window"


def test_a_trailing_stall_is_said_and_is_no_part_of_the_transfer(whole, tmp_path):
    """The capture goes on with another connection, long after this one fell silent."""
    header, packets = whole
    silent, end_s = packets[:-6], packets[-1][0]
    others = [each.data for each in making.frames(making.transfer(3, 100, isn=9))]
    later = [(end_s + 60 + place, 0, len(data), data) for place, data in enumerate(others)]
    found = diagnose(written(tmp_path / "stall.pcap", header, silent + later))
    text = " ".join(str(found).split())
    assert "and the connection was not closed" in text and "2 connections, most bytes first" in text
    assert found.connection.duration_s < 60
    assert sum(found.limits_s.values()) == pytest.approx(found.connection.duration_s, rel=1e-9)


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


def test_segments_that_an_interface_cuts_up_later_are_said(whole, program, tmp_path):
    """64 kB in one packet, beside a window that takes as much: no what-if rests on its size."""
    rows = making.transfer(40, 60_000, isn=1)
    window = [replace(each, window=61_000) for each in rows]
    found = diagnose(written_bytes(tmp_path / "gso.pcap", making.pcap(making.frames(window))))
    assert "60,000 B leave in one piece" in " ".join(str(found).split())


def written_bytes(path, content):
    path.write_bytes(content)
    return path


def test_a_connection_without_data_to_speak_of_is_one_sentence(whole, tmp_path):
    header, packets = whole
    path = written(tmp_path / "few.pcap", header, packets[:6])
    with pytest.raises(StudyError, match="carries no data to speak of"):
        diagnose(path)


def test_a_program_that_pauses_is_not_modelled_and_blocks_what_ifs(whole, tmp_path):
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
    assert "pauses_of_the_sender" in {each.name for each in found.found.not_modelled}
    assert found.limits_s["application"] == pytest.approx(30, rel=0.01)
    with pytest.raises(StudyError, match="has nothing to send 1 time"):
        found.system().what_if(receive_window=5840)


def test_a_text_without_times_has_its_sizes_and_no_budget(tmp_path):
    path = tmp_path / "job.txt"
    lines = ["10.0.0.1.1023 > 10.0.0.2.9100: P 1:1461(1460) ack 1 win 32120"]
    lines += ["10.0.0.1.1023 > 10.0.0.2.9100: P 1461:2921(1460) ack 1 win 32120"]
    lines += ["10.0.0.2.9100 > 10.0.0.1.1023: . ack 2921 win 2920"]
    path.write_text("\n".join(lines) + "\n")
    found = diagnose(path)
    assert found.sentence == "The capture has no times: what was waited for is not in it."
    assert sum(found.limits_s.values()) == 0
    assert found.found["receive_window"].value == 2920
    assert found.found.get("ack_latency") is None


def test_a_time_below_the_ticks_of_the_clock_is_a_bound(whole, tmp_path):
    header, packets = whole
    coarse = stamped(packets, lambda s, us, _: (s, us // 10_000 * 10_000))
    found = diagnose(written(tmp_path / "ticks.pcap", header, coarse)).found
    assert found["ack_latency"].basis == "derived"  # 116 ms
    reply = found["close_time"]
    assert reply.basis == "bound" and reply.high is not None and reply.low is None


def test_a_job_larger_than_the_largest_write_is_simulated(program, tmp_path):
    """In segments of 60 kB, as a host with segmentation offload shows them."""
    path = tmp_path / "job.pcap"
    path.write_bytes(making.pcap(making.frames(making.transfer(300, 60_000, isn=1))))
    found = diagnose(path)
    assert found.found.get("job_size").value > 2**24
    assert "the capture beside a simulation" in str(found)


def test_a_job_larger_than_the_models_largest_is_simulated(program, tmp_path):
    """Of its middle nothing was captured."""
    made, far = making.transfer(60), 2_100_000_000
    later = [
        replace(each, seq=each.seq + far) if each.to_server else replace(each, ack=each.ack + far)
        for each in made[40:]
    ]
    path = tmp_path / "job.pcap"
    path.write_bytes(making.pcap(making.frames([*made[:40], *later])))
    found = diagnose(path)
    size = found.found.get("job_size")
    assert (size.value, size.basis) == (2_000_000_000, "derived")
    assert "of 2,100,060,000 B as much as the model's largest job has" in size.source
    assert "the capture beside a simulation" in str(found)
