# SPDX-License-Identifier: GPL-2.0-only
"""A packet that was captured twice counts once, and one that was sent twice counts twice."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from tests.captures import making
from tests.captures.making import ACK, PSH, Frame, Packet

MADE = making.transfer()
VLAN = (0x8100, 5)


def cooked_2(packet: Packet, interface: int) -> bytes:
    header = bytes.fromhex("08000000") + interface.to_bytes(4, "big") + bytes.fromhex("00010006")
    return header + bytes(8) + making.ip(packet)


def tagged(packet: Packet) -> bytes:
    return making.ethernet(making.ip(packet), [VLAN])


def twice(packets: Sequence[Packet], first: Callable, second: Callable, later_us: int = 3) -> bytes:
    """Each packet as one interface saw it, and as another did a little later."""
    held = [Frame(each.us, first(each)) for each in packets]
    held += [Frame(each.us + later_us, second(each)) for each in packets]
    return b"".join(making.pcap([each])[24:] for each in sorted(held, key=lambda each: each.us))


def plain(packet: Packet) -> bytes:
    return making.ethernet(making.ip(packet))


def routed(packet: Packet) -> bytes:
    """Behind a router."""
    return plain(replace(packet, ttl=packet.ttl - 1))


HEADER = making.pcap([])
WAYS = {
    "on two interfaces of a bridge": (1, plain, plain),
    "with and without a VLAN": (1, plain, tagged),
    "on any interface": (276, lambda each: cooked_2(each, 2), lambda each: cooked_2(each, 3)),
    "on both sides of a router": (1, plain, routed),
}


def of_link(link: int) -> bytes:
    return making.pcap([], link=link)


def without(packets: Sequence[Packet], **changes) -> list[Packet]:
    return [replace(each, **changes) for each in packets]


@pytest.mark.parametrize("identified", [True, False])
@pytest.mark.parametrize("way", WAYS)
def test_what_was_captured_twice_counts_once(way: str, identified: bool, read):
    """Also where no identification in the IP header tells, as in IPv6."""
    link, first, second = WAYS[way]
    sent = MADE if identified else without(MADE, ip_id=0)
    (connection,) = read(of_link(link) + twice(sent, first, second)).connections
    (once,) = read(making.pcap(making.frames(MADE))).connections
    for name in ("seq", "ack", "length", "flags", "window", "from_client"):
        assert connection.packets[name].tolist() == once.packets[name].tolist(), name
    (note,) = connection.notes
    assert note.kind == "duplicates"
    assert note.sentence == "16 of 32 packets were captured a second time; left out"


def test_of_a_router_s_two_sides_the_client_s_is_kept(read):
    """Its own packets before the router, the server's behind it: one place, one round trip."""
    held = []
    for each in MADE:
        near, far = (each, replace(each, ttl=63)) if each.to_server else (each, each)
        if each.to_server:
            held += [Frame(near.us, plain(near)), Frame(far.us + 900, plain(far))]
        else:
            held += [
                Frame(near.us - 900, plain(near)),
                Frame(near.us, plain(replace(near, ttl=63))),
            ]
    held.sort(key=lambda each: each.us)
    (connection,) = read(making.pcap(held)).connections
    (once,) = read(making.pcap(making.frames(MADE))).connections
    assert connection.packets["time_ns"].tolist() == once.packets["time_ns"].tolist()


def test_of_two_interfaces_one_is_kept(read):
    """Data pass the one first, and ACKs the other."""
    held = []
    for each in MADE:
        first, second = (2, 3) if each.to_server else (3, 2)
        held.append(Frame(each.us, cooked_2(each, first)))
        held.append(Frame(each.us + 400 if each.to_server else each.us, cooked_2(each, second)))
    held = [
        replace(each, us=each.us - 400) if each.data[7] == 3 and index % 2 == 0 else each
        for index, each in enumerate(held)
    ]
    held.append(Frame(MADE[-1].us + 1000, cooked_2(making.Packet(0, 1, 1, port=9), 2)))
    held.sort(key=lambda each: each.us)
    connection = read(making.pcap(held, link=276)).connections[0]
    assert len(connection.packets) == len(MADE)
    steps = set(
        (connection.packets["time_ns"] - [1000 * (e.us - MADE[0].us) for e in MADE]).tolist()
    )
    assert len(steps) == 1, "one place: no packet has another's delay between the two"


def test_three_copies_are_two_too_many(read):
    held = [Frame(each.us + k, plain(each)) for each in MADE for k in range(3)]
    (connection,) = read(making.pcap(held)).connections
    assert len(connection.packets) == len(MADE)


@pytest.mark.parametrize("place", range(len(MADE)))
def test_only_some_may_have_been_captured_twice(place: int, read):
    """Whichever it is: the other half of a packet's copies is no packet of its own."""
    held = making.frames(MADE)
    held.insert(place + 1, Frame(held[place].us + 2, held[place].data))
    (connection,) = read(making.pcap(held)).connections
    assert len(connection.packets) == len(MADE)
    assert connection.notes[0].sentence == "1 of 17 packets was captured a second time; left out"


@pytest.mark.parametrize("ip_id", [0, 77])
def test_a_retransmission_is_no_duplicate(ip_id: int, read):
    lost = MADE[5]
    again = replace(lost, us=lost.us + 2000, ip_id=ip_id)
    sent = sorted([*MADE, again], key=lambda each: each.us)
    sent = sent if ip_id else without(sent, ip_id=0)
    (connection,) = read(making.pcap(making.frames(sent))).connections
    assert len(connection.packets) == len(MADE) + 1
    assert connection.notes == ()


@pytest.mark.parametrize("ip_id", [0, 1])
def test_duplicate_acks_are_packets_of_their_own(ip_id: int, read):
    """A receiver sends the same ACK for each segment behind a lost one; captured twice, half of
    them stay."""
    sent = MADE[:5]
    us, seq = MADE[5].us, MADE[5].seq + 1000
    for k in range(6):
        data = Packet(us + 100 * k, seq + 1000 * k, 901, ACK | PSH, 1000, ip_id=50 + k)
        sent = [*sent, data, data.back(us + 100 * k + 40, MADE[5].seq, ip_id=90 + k)]
    sent = sent if ip_id else without(sent, ip_id=0)
    (connection,) = read(making.pcap(making.frames(sent))).connections
    assert len(connection.packets) == len(sent)
    (connection,) = read(HEADER + twice(sent, plain, plain)).connections
    assert len(connection.packets) == len(sent)


def test_a_syn_ack_that_is_sent_again_is_a_packet_of_its_own(read):
    """Linux identifies none of its own, and the data behind it."""
    answer = replace(MADE[1], ip_id=0)
    sent = [MADE[0], answer, replace(answer, us=answer.us + 50), *MADE[2:]]
    (connection,) = read(making.pcap(making.frames(sent))).connections
    assert len(connection.packets) == len(MADE) + 1


def test_of_two_packets_nothing_is_concluded(read):
    sent = without([MADE[3], replace(MADE[3], us=MADE[3].us + 9)], ip_id=0)
    (connection,) = read(making.pcap(making.frames(sent))).connections
    assert len(connection.packets) == 2


def test_the_same_packets_again_and_again_are_no_copies_when_time_is_between(read):
    """Nothing but probes of a shut window, and their answers."""
    sent = without(MADE[3:5], ip_id=0)
    for k in range(8):
        probe = Packet(9_000_000 + 200_000 * k, MADE[4].ack - 1, 901, ACK)
        sent += [probe, probe.back(probe.us + 400, MADE[4].ack, window=0)]
    (connection,) = read(making.pcap(making.frames(sent))).connections
    assert len(connection.packets) == len(sent)


def test_answers_to_probes_of_a_shut_window_stay(read):
    probes = []
    for k in range(8):
        probe = Packet(9_000_000 + 200_000 * k, MADE[-1].seq - 1, 901, ACK)
        probes += [probe, probe.back(probe.us + 400, MADE[-1].seq, window=0)]
    sent = without([*MADE[:-1], *probes], ip_id=0)
    (connection,) = read(making.pcap(making.frames(sent))).connections
    assert len(connection.packets) == len(sent)
