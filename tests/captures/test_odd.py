# SPDX-License-Identifier: GPL-2.0-only
"""Captures with something odd about them: what is made of each, and the sentence that says so."""

import struct
from dataclasses import replace
from itertools import pairwise

import pytest
from study import StudyError

from tests.captures import making
from tests.captures.making import ACK, FIN, PSH, SYN, Frame, Packet

MADE = making.transfer()


def connection_of(read, packets, **form):
    (connection,) = read(making.pcap(making.frames(packets), **form)).connections
    return connection


def said(notes, kind: str) -> str:
    """The one sentence of a kind."""
    (sentence,) = [note.sentence for note in notes if note.kind == kind]
    return sentence


def test_a_last_packet_that_is_cut_is_left_out(read):
    whole = making.pcap(making.frames(MADE))
    for missing in (1, 500, len(MADE[-2:]) * 54):
        capture = read(whole[:-missing])
        assert len(capture.connections[0].packets) < len(MADE)
        assert said(capture.notes, "cut").startswith("the file ends in the middle of a packet")


def test_packets_of_which_only_headers_were_kept_have_their_lengths(read):
    held = [replace(each, kept=54 + 8) for each in making.frames(MADE)]
    capture = read(making.pcap(held))
    (connection,) = capture.connections
    assert connection.packets["length"].tolist() == [each.length for each in MADE]
    assert capture.notes == connection.notes == ()


def test_packets_cut_within_their_headers_are_counted_and_left_out(read):
    held = making.frames(MADE)
    held[5] = replace(held[5], kept=40)
    capture = read(making.pcap(held))
    assert 6 not in capture.connections[0].packets["number"]
    sentence = said(capture.notes, "cut")
    assert sentence == "1 packet was kept too short to hold a TCP header; left out"


def test_a_syn_cut_within_its_options_does_not_say_that_the_others_are_missing(read):
    """Its first option is the MSS; what follows may be a window scale."""
    scaled = replace(MADE[1], options=MADE[0].options)
    held = making.frames([MADE[0], scaled, *MADE[2:]])
    held[:2] = [replace(each, kept=14 + 20 + 20 + 4) for each in held[:2]]
    (connection,) = read(making.pcap(held)).connections
    offer = connection.client_offer
    assert offer.is_cut and not offer.seen and offer.mss == 1460
    sentence = "no SYN was captured with all its options: the window's scale is not known"
    assert said(connection.notes, "no SYN") == sentence


def test_a_segment_of_64_kB_is_one_packet(read):
    """Generic segmentation offload; where it is longer than IP can say, IP says 0."""
    big = [replace(each, length=each.length * 60) for each in making.transfer(3, 1000)]
    assert connection_of(read, big).packets["length"].max() == 60_000
    longer = Packet(10**6, 1, 1, ACK, 180_000)
    held = [Frame(longer.us, making.ethernet(making.ip(longer, total=0)), kept=66)]
    (connection,) = read(making.pcap(held)).connections
    assert connection.packets["length"].tolist() == [180_000]


def test_without_syns_numbers_begin_at_one_and_the_scale_is_not_known(read):
    connection = connection_of(read, MADE[3:])
    assert connection.packets["seq"][0] == 1
    assert connection.packets["ack"][0] == 1
    assert not connection.client_offer.seen
    assert said(connection.notes, "no SYN") == (
        "no SYN was captured: the window's scale is not known"
    )


def test_a_missing_syn_is_made_up_for_by_the_other(read):
    """The SYN-ACK tells the client's first number, and whether there is a scale at all."""
    connection = connection_of(read, MADE[1:])
    assert (connection.client, connection.packets["seq"][1]) == ("10.0.0.1:1023", 1)
    assert "offers no window scale, so there is none" in said(connection.notes, "no SYN")


def test_one_direction_is_read_and_told(read):
    connection = connection_of(read, [each for each in MADE if each.to_server])
    assert connection.carried_B(True) == 6000
    assert "no packet of the server" in said(connection.notes, "one direction")
    data = replace(MADE[-2], flags=ACK | PSH, length=10)
    connection = connection_of(read, [*(each for each in MADE if not each.to_server), data])
    assert connection.client == "10.0.0.1:1023", "a SYN-ACK tells who began"
    assert "no packet of the client" in said(connection.notes, "one direction")


def test_a_clock_that_goes_back_makes_a_gap_of_nothing(read):
    back = [replace(each, us=each.us - 500_000) for each in MADE[9:]]
    connection = connection_of(read, MADE[:9] + back)
    steps = connection.packets["time_ns"][1:] - connection.packets["time_ns"][:-1]
    expected = [1000 * (b.us - a.us) for a, b in pairwise(MADE)]
    expected[8] = 0
    assert steps.tolist() == expected
    assert said(connection.notes, "clock") == (
        "the clock went back by 0.499978 s before packet 10; that gap counts as no time"
    )


def test_a_packet_that_was_written_late_is_put_where_it_belongs(read):
    swapped = [*MADE[:5], MADE[6], MADE[5], *MADE[7:]]
    connection = connection_of(read, swapped)
    assert connection.packets["number"].tolist()[4:8] == [5, 7, 6, 8]
    assert connection.packets["length"].tolist() == [each.length for each in MADE]
    assert said(connection.notes, "order").startswith("1 packet was written later than stamped")


def test_a_file_put_together_of_others_is_put_in_order(read):
    """Twenty transfers at the same time, one behind the other in the file."""
    held = [
        replace(each, port=1024 + k, us=each.us + k)
        for k in range(20)
        for each in making.transfer()
    ]
    capture = read(making.pcap(making.frames(held)))
    assert [note.kind for note in capture.notes] == ["order"]
    assert len({each.duration_s for each in capture.connections}) == 1


@pytest.mark.parametrize(("tick_us", "told"), [(10_000, "10 ms"), (1_000_000, "1 s")])
def test_a_coarse_clock_is_found(tick_us: int, told: str, read):
    slow = [replace(each, us=1_000_000 + (each.us - 1_000_000) * 50) for each in MADE]
    ticked = [replace(each, us=each.us // tick_us * tick_us) for each in slow]
    if told == "1 s":
        ticked = [
            replace(each, us=each.us + index // 4 * tick_us) for index, each in enumerate(ticked)
        ]
    connection = connection_of(read, ticked)
    assert f"the clock ticked every {told}" in said(connection.notes, "clock")


def test_a_port_that_is_used_again_is_another_connection(read):
    second = making.transfer(start_us=5_000_000, isn=777_000, segments=9)
    capture = read(making.pcap(making.frames(MADE + second)))
    assert [len(each.packets) for each in capture.connections] == [len(second), len(MADE)]
    assert [each.carried_B(True) for each in capture.connections] == [9000, 6000]


def test_a_syn_that_is_sent_again_begins_nothing(read):
    again = [MADE[0], replace(MADE[0], us=MADE[0].us + 500, ip_id=99), *MADE[1:]]
    assert len(connection_of(read, again).packets) == len(again)


def test_numbers_go_on_beyond_4_GB(read):
    isn = 2**32 - 2500
    connection = connection_of(read, making.transfer(isn=isn))
    assert connection.packets["seq"].tolist() == connection_of(read, MADE).packets["seq"].tolist()
    step = 2**30
    far = [Packet(k * 1000, 1 + k * step, 1, ACK, 1000, ip_id=k + 1) for k in range(12)]
    assert connection_of(read, far).packets["seq"].tolist() == [1 + k * step for k in range(12)]


def test_windows_are_scaled_where_both_syns_offer_it(read):
    def handshake(client: bytes, server: bytes):
        syn = replace(MADE[0], options=making.MSS_1460 + client)
        reply = replace(MADE[1], options=making.MSS_1460 + server)
        return connection_of(read, [syn, reply, *MADE[2:]])

    both = handshake(making.scale(7), making.scale(2))
    assert both.packets["window"].tolist()[:5] == [4096, 8192, 8192 << 7, 8192 << 7, 8192 << 2]
    assert (both.client_offer.window_scale, both.server_offer.window_scale) == (7, 2)
    one = handshake(making.scale(7), b"")
    assert one.packets["window"].max() == 8192
    assert one.client_offer.window_scale == 7
    most = handshake(making.scale(15), making.scale(0))
    assert most.client_offer.window_scale == 14, "RFC 7323, 2.3"


def test_timestamps_and_sack_are_read_with_relative_numbers(read):
    data = [replace(each, options=making.timestamps(1000, 2000)) for each in MADE[3:]]
    data[1] = replace(data[1], options=making.timestamps(1, 2) + making.sack(7001, 8001))
    connection = connection_of(read, MADE[:3] + data)
    assert connection.packets["ts_value"].tolist()[:5] == [-1, -1, -1, 1000, 1]
    assert connection.packets["ts_echo"].tolist()[3] == 2000
    row = connection.packets[4]
    assert (row["sacked_from"], row["sacked_to"]) == (2001, 3001)
    assert connection.packets["sacked_from"][3] == -1


def test_wrong_checksums_change_nothing(read):
    """A card that fills them in later leaves others in a capture; a payload is not read, so none
    can be checked."""
    wrong = [replace(each, checksum=0xBEEF) for each in MADE]
    connection, right = connection_of(read, wrong), connection_of(read, MADE)
    assert connection.packets.tolist() == right.packets.tolist()
    assert connection.notes == ()


def test_a_stall_at_the_end_is_the_time_that_the_capture_went_on(read):
    other = Packet(MADE[-2].us + 7_500_000, 1, 1, ACK | PSH, 10, port=2000)
    capture = read(making.pcap(making.frames([*MADE[:-1], other])))
    connection = capture.connections[0]
    assert "went on for 7.5 s, and the connection was not closed" in said(connection.notes, "stall")
    closed = read(making.pcap(making.frames([*MADE, other]))).connections[0]
    assert closed.notes == ()


def test_a_capture_that_missed_packets_is_no_loss_of_the_network(read):
    connection = connection_of(read, MADE[:5] + MADE[7:])
    assert said(connection.notes, "not captured").startswith("1,000 B of the client were ack")


def test_of_fragments_the_first_counts(read):
    held = making.frames(MADE)
    held[3] = Frame(MADE[3].us, making.ethernet(making.ip(MADE[3], fragment=0x2000)))
    rest = making.ethernet(making.ip(replace(MADE[3], window=77), fragment=0x0080))
    capture = read(making.pcap([*held[:4], Frame(MADE[3].us, rest), *held[4:]]))
    assert len(capture.connections[0].packets) == len(MADE)
    assert "went in IP fragments" in said(capture.notes, "fragments")


def test_of_fragments_of_ipv6_the_first_counts(read):
    """RFC 8200, 4.5: the last bit says that more follow, the upper 13 where in the packet."""
    first, later = bytes([6, 0, 0, 1, 0, 0, 0, 9]), bytes([6, 0, 4, 0, 0, 0, 0, 9])
    held = making.frames(MADE, lambda packet: making.ethernet(making.ip6(packet)))
    parts = [making.ethernet(making.ip6(MADE[3], part, 44)) for part in (first, later)]
    parts[1] = parts[1].replace(b"\x20\x00", b"\x00\x4d")  # its window, were it a header
    held[3:4] = [Frame(MADE[3].us, part) for part in parts]
    capture = read(making.pcap(held))
    assert len(capture.connections[0].packets) == len(MADE)
    assert said(capture.notes, "fragments").startswith("1 packet went in IP fragments")


def in_ip(protocol: int, inner: bytes = bytes(40)) -> bytes:
    fields = 0x45, 0, 20 + len(inner), 1, 0, 64, protocol, 0, bytes([10, 0, 0, 3]), bytes(4)
    return making.ethernet(struct.pack(">BBHHHBBH4s4s", *fields) + inner)


def in_udp(port: int) -> bytes:
    return in_ip(17, struct.pack(">HHHH", 40_000, port, 48, 0) + bytes(40))


def in_mpls() -> bytes:
    return bytes(12) + b"\x88\x47" + bytes.fromhex("00010140") + making.ip(MADE[3])


TUNNELS = {
    "GRE": in_ip(47),
    "IP in IP": in_ip(4, making.ip(MADE[3])),
    "IPsec": in_udp(4500),
    "VXLAN": in_udp(4789),
    "WireGuard": in_udp(51820),
    "MPLS": in_mpls(),
}


@pytest.mark.parametrize("name", TUNNELS)
def test_what_is_in_a_tunnel_is_counted_and_named(name, read):
    inside = [Frame(MADE[-1].us + us, TUNNELS[name]) for us in range(3)]
    capture = read(making.pcap([*making.frames(MADE), *inside]))
    assert len(capture.connections) == 1
    sentence = f"3 packets are in a tunnel ({name}); what is inside is not read"
    assert said(capture.notes, "tunnel") == sentence
    with pytest.raises(StudyError, match=rf"no TCP but what may be inside of {name}, which is not"):
        read(making.pcap(inside))


def test_other_protocols_are_no_tunnels(read):
    others = [Frame(MADE[-1].us + 1, in_udp(53)), Frame(MADE[-1].us + 2, in_ip(1))]
    assert read(making.pcap([*making.frames(MADE), *others])).notes == ()


def test_numbers_that_go_back_or_come_from_a_reset_move_no_other(read):
    """A reset may carry any number: here one that is half of all numbers away from the one before,
    and more from the one behind it, which is a retransmission."""
    data = MADE[7]
    reset = Packet(data.us, data.seq + 2**31 - 10, 0, making.RST, ip_id=98)
    again = replace(MADE[5], us=data.us + 1, ip_id=99)
    connection = connection_of(read, [*MADE[:8], reset, again, *MADE[8:]])
    numbers = connection.packets["seq"].tolist()
    assert numbers.pop(8) == data.seq - MADE[0].seq + 2**31 - 10
    assert numbers.pop(8) == MADE[5].seq - MADE[0].seq
    assert numbers == connection_of(read, MADE).packets["seq"].tolist()


def test_the_flags_of_ecn_are_no_others(read):
    ecn = [replace(MADE[0], flags=SYN | 0xC0), *MADE[1:-1], replace(MADE[-1], flags=ACK | FIN)]
    assert connection_of(read, ecn).packets["flags"].tolist()[0] == SYN
