# SPDX-License-Identifier: GPL-2.0-only
"""The cases of known cause: what the file may say, and what is seen at the two ends."""

import struct
from collections import Counter

import pytest
from study.base.errors import StudyError
from study.captures import reading
from study.kernel import capture, cases, ends, laboratory, namespaces
from study.kernel.transfers import Point

ENOUGH = 20  # cases, as the issue of the diagnosis asks
# A packet that takes 10 ms, and one that is lost, as the wire writes them; headers of 20 and 20 B.
HEAD = "way,number,fate,entered_ns,due_ns,handed_over_ns,size_B,headers\n"
OCTETS = (bytes([0x45]) + bytes(8) + bytes([6]) + bytes(22) + bytes([0x50, 16]) + bytes(86)).hex()
TABLE = HEAD + (
    f"a,1,arrived,2000000000,2010000000,2010000500,1500,{OCTETS}\n"
    f"a,2,lost,2001000000,2011000000,2011000000,1500,{OCTETS}\n"
    f"b,1,arrived,2010001000,2020000000,2020000100,40,{OCTETS}\n"
)


def packets(text: bytes) -> list[tuple[int, int, int]]:
    """Time in ns, octets kept, and length of each packet."""
    found, place = [], 24
    while place < len(text):
        seconds, rest, kept, size = struct.unpack_from("<IIII", text, place)
        found.append((seconds * 10**9 + rest, kept, size))
        place += 16 + kept
    return found


def test_each_end_stamps_what_it_sends_and_what_it_gets():
    """A lost packet was seen where it was sent; headers are kept, and no payload."""
    assert packets(ends.pcap(TABLE, ends.CLIENT)) == [
        (2_000_000_000, 40, 1500),
        (2_001_000_000, 40, 1500),
        (2_020_000_100, 40, 40),
    ]
    assert packets(ends.pcap(TABLE, ends.SERVER)) == [
        (2_010_000_500, 40, 1500),
        (2_010_001_000, 40, 40),
    ]


def test_there_are_enough_cases_and_half_were_made_after_the_rules():
    made = Counter(each.made for each in cases.cases())
    assert sum(made.values()) >= ENOUGH
    assert made["after the rules"] >= ENOUGH // 2


def test_a_change_changes_something():
    for each in cases.cases():
        assert each.change, each.name
        assert all(each.before.given.get(key) != value for key, value in each.change.items())


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("before = { windw = 1 }", "a case has no 'windw'"),
        ('made = "later"', "'later' is none of before the rules, after the rules"),
    ],
)
def test_what_no_case_may_say_is_refused_with_its_file(tmp_path, monkeypatch, line, said):
    given = {"name": '"x"', "made": '"after the rules"', "cause": '"link"', "before": "{}"}
    given |= {"change": "{ rtt = '1ms' }", "then": '"link"'}
    given |= dict([line.split(" = ", 1)])
    file = tmp_path / "captures.toml"
    body = "\n".join(f"{key} = {value}" for key, value in given.items())
    file.write_text(f"[defaults]\n[[case]]\n{body}\n")
    monkeypatch.setattr(cases, "CASES", file)
    with pytest.raises(StudyError, match=rf"captures\.toml.*{said}"):
        cases.cases.__wrapped__()


SHORT = {"rtt": "10ms", "command_text": 40000, "rate": "20Mbps", "queue": 400}


def observe(**given: object) -> laboratory.Observation:
    transfer = Point("a short one", "test", SHORT | given, "")
    try:
        return laboratory.observed(transfer)
    except namespaces.Forbidden as error:
        pytest.skip(str(error))


def test_the_kernels_clocks_say_what_a_small_window_costs():
    """40 kB through a window of 4,000 B: ten round trips of 10 ms at the least."""
    seen = observe(window=4000)
    assert 100_000 <= seen.client["rwnd_limited_us"] <= seen.client["busy_us"]
    assert seen.client["least_rtt_us"] >= 10_000
    assert seen.server["rwnd_limited_us"] == 0


def test_a_writer_and_a_reader_keep_their_pace():
    """Ten writes with nine pauses of 10 ms; and five reads of 20 ms."""
    writer = capture.read(observe(write=4000, write_pause="10ms").table)
    data = [each.entered_s for each in writer.to_server if each.payload_B]
    assert data[-1] - data[0] >= 0.09
    reader = capture.read(observe(read=8000, read_time="20ms").table)
    assert reader.duration_s >= 0.1


def test_a_client_asks_ahead_of_the_replies():
    """Three commands are out before the first reply is in, and each is answered."""
    seen = capture.read(
        observe(commands=6, command_text=50, reply_write=70, ahead=3, nagle=False).table
    )
    asked = [each.entered_s for each in seen.to_server if each.payload_B]
    answered = [each.arrived_s for each in seen.to_client if each.payload_B]
    assert asked[2] < answered[0] < asked[3]
    assert sum(each.payload_B for each in seen.to_client) == 6 * 70


def test_replies_have_their_sizes_in_turn():
    seen = capture.read(observe(commands=5, command_text=50, replies=[100, 2000]).table)
    # The last two segments of two replies of 2,000 B are one whole and what is left of it.
    sizes = [each.payload_B for each in seen.to_client if each.payload_B]
    assert sizes == [100, 1448, 552, 100, 1448, 552, 100]


def test_a_transfer_over_ipv6_is_captured_at_both_ends(tmp_path):
    """A header longer by 20 B leaves as much less to a segment; the readers take its captures, and
    nothing else that a kernel says over IPv6 is in them."""
    seen = observe(ipv6=True, losses=[10])
    packets = capture.read(seen.table)
    assert max(each.payload_B for each in packets.segments) == 1500 - 40 - 32
    assert packets.fated("lost") == 1
    assert packets.resent(from_client=True) >= 1
    path = tmp_path / "six.pcap"
    for end in (ends.CLIENT, ends.SERVER):
        path.write_bytes(ends.pcap(seen.table, end))
        (connection,) = reading.read(path).connections
        assert connection.client.startswith("[fd00::1]:")
        sent = [connection.carried_B(from_client) for from_client in (True, False)]
        assert sent == [SHORT["command_text"], 1]  # what the comments of points.toml say


def test_a_host_that_offloads_hands_down_large_packets_and_the_transfer_ends():
    seen = observe(offload=True, command_text=400000)
    sent = {size for _, _, size in packets(ends.pcap(seen.table, ends.CLIENT))}
    got = {size for _, _, size in packets(ends.pcap(seen.table, ends.SERVER))}
    assert max(sent) > 1500 >= max(got)
