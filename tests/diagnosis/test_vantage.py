# SPDX-License-Identifier: GPL-2.0-only
"""Where a capture was taken: it is found, said with its reason, and can be given."""

from dataclasses import replace

import numpy as np
import pytest
from by_hand import by_hand
from study import systems
from study.captures.connection import ACK, PACKET, SYN, Connection
from study.diagnosis.exchanges import _way_s
from study.diagnosis.facts import Facts
from study.diagnosis.of_run import connection_of_segments
from study.diagnosis.transfer import Transfer
from study.diagnosis.vantage import as_seen_by_sender, find_vantage

# As they are meant: one that is moved is red here.
CLEARLY, SOON_S = 5, 1e-3


def a_run(name, change=None):
    return systems[name].with_(job_size=100_000, **(change or {})).run(segments=True)


def ends(name, change):
    result = a_run(name, change)
    return connection_of_segments(result.packets), connection_of_segments(
        result.packets, at_device=True
    )


def test_the_handshake_tells_the_end():
    near, far = ends("http2-go", {"rtt": "40ms"})
    assert find_vantage(near).at == "sender"
    assert find_vantage(far).at == "receiver"
    assert "handshake" in find_vantage(far).why
    assert find_vantage(far).rtt_s == pytest.approx(0.04, rel=0.05)


def test_the_end_can_be_given():
    near, _ = ends("http2-go", {"rtt": "40ms"})
    given = find_vantage(near, at="receiver")
    assert (given.at, given.given, given.why) == ("receiver", True, "as given")
    assert as_seen_by_sender(near, given).packets["time_ns"][-1] != near.packets["time_ns"][-1]


def test_at_the_receiver_data_are_shifted_back_and_acks_forward():
    near, far = ends("http2-go", {"rtt": "40ms", "receive_window": 16384})
    seen = as_seen_by_sender(far, find_vantage(far)).packets
    sent = {row["seq"]: row["time_ns"] for row in near.packets if row["from_client"]}
    data = seen[seen["from_client"] & (seen["length"] > 0)]
    off = np.array([row["time_ns"] - sent[row["seq"]] for row in data])
    assert np.median(np.abs(off)) < 1_000_000, "of a round trip of 40 ms"


def test_the_echo_of_a_timestamp_comes_before_the_handshake():
    # Captured in between, 10 ms from the sender: a slow SYN-ACK would say something else.
    rows = [
        (0, True, SYN, 0, 0, -1, 5, 0),
        (90, False, SYN | ACK, 0, 0, 1, 100, 5),
        (110, True, ACK, 1, 0, 1, 115, 100),
        (111, True, ACK, 1, 1000, 1, 116, 100),
        (141, False, ACK, 1, 0, 1001, 131, 116),
        (161, True, ACK, 1001, 1000, 1, 151, 131),
        (191, False, ACK, 1, 0, 2001, 181, 151),
    ]
    packets = np.zeros(len(rows), PACKET)
    for packet, (ms, out, flags, seq, length, ack, value, echo) in zip(packets, rows, strict=True):
        packet["time_ns"], packet["from_client"], packet["flags"] = ms * 1_000_000, out, flags
        packet["seq"], packet["length"], packet["ack"] = seq, length, ack
        packet["window"], packet["ts_value"], packet["ts_echo"] = 65535, value, echo
    packets["number"] = np.arange(1, len(rows) + 1)
    connection = Connection("a:1", "b:2", packets)
    found = find_vantage(connection)
    assert "timestamps" in found.why
    assert found.at == "between"
    assert found.sender_s == pytest.approx(0.020)
    plain = packets.copy()
    plain["ts_value"] = plain["ts_echo"] = -1
    assert "handshake" in find_vantage(replace(connection, packets=plain)).why


def test_an_ack_that_comes_sooner_than_the_syn_ack_tells_the_round_trip():
    """A proxy on the way connects first, and then acknowledges for its server."""
    rows = [
        (0, True, 0, 0, -1, 65535, SYN),
        (90, False, 0, 0, 1, 65535, SYN | ACK),
        (91, True, 1, 0, 1, 65535, ACK),
        (100, True, 1, 1000, 1, 65535, ACK),
        (110, False, 1, 0, 1001, 65535, ACK),
    ]
    late = by_hand(rows, 1000)
    assert find_vantage(late).rtt_s == pytest.approx(0.011)
    assert _way_s(Facts(Transfer(late), find_vantage(late))) == pytest.approx(0.010)
    never = by_hand(rows[:-1], 1000)
    assert find_vantage(never).rtt_s == pytest.approx(0.091)


@pytest.mark.parametrize(
    ("server_ms", "client_ms", "at"),
    [
        (10.0 * CLEARLY, 10.0, "sender"),
        (9.9 * CLEARLY, 10.0, "between"),
        (10.0, 9.9 * CLEARLY, "between"),
        (10.0, 10.0 * CLEARLY, "receiver"),
    ],
)
def test_an_end_is_near_where_it_answers_so_many_times_as_quickly(server_ms, client_ms, at):
    rows = [
        (0, True, 0, 0, -1, 65535, SYN),
        (server_ms, False, 0, 0, 1, 65535, SYN | ACK),
        (server_ms + client_ms, True, 1, 1000, 1, 65535, ACK),
    ]
    assert find_vantage(by_hand(rows, 1000)).at == at


@pytest.mark.parametrize("part", [0.98, 1.02])
def test_a_round_trip_shorter_than_what_two_hosts_take_tells_no_end(part):
    ms = part * SOON_S * 1e3
    rows = [
        (0, True, 0, 0, -1, 65535, SYN),
        (ms, False, 0, 0, 1, 65535, SYN | ACK),
        (2 * ms, True, 1, 1000, 1, 65535, ACK),
    ]
    assert (find_vantage(by_hand(rows, 1000)).at != "unknown") == (part > 1)


def test_a_short_round_trip_hides_the_end_and_says_so():
    found = find_vantage(connection_of_segments(systems["telnet-xp"].run(segments=True).packets))
    assert found.at == "unknown"
    assert "too short" in found.why
