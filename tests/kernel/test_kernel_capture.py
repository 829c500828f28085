# SPDX-License-Identifier: GPL-2.0-only
"""What is read off the wire's table: headers made by hand, so that every number is known."""

import struct

from study.kernel import capture
from study.kernel.capture import ACK, PSH, SYN

HEAD = "way,number,fate,entered_ns,due_ns,handed_over_ns,size_B,headers\n"
MS = 1_000_000
SCALE = bytes([3, 3, 7, 1])  # the window scale, 7, and a no-operation
FIRST = {"a": 4_294_967_000, "b": 77}  # the client's numbers pass through 0


def packet(
    way: str, at_ms: int, flags: int, seq: int, ack: int, payload: int = 0, fate: str = "arrived"
) -> str:
    """A line of the table; numbers are relative to each end's first, and it takes 10 ms."""
    other = "b" if way == "a" else "a"
    options = SCALE if flags & SYN else b""
    sequence, acknowledged = (FIRST[way] + seq) % 2**32, (FIRST[other] + ack) % 2**32
    offset = (20 + len(options)) // 4 << 4
    tcp = struct.pack("!HHIIBBHHH", 1, 2, sequence, acknowledged, offset, flags, 500, 0, 0)
    octets = bytes([0x45]) + bytes(8) + bytes([6]) + bytes(10) + tcp + options
    size = len(octets) + payload
    times = [at_ms * MS, (at_ms + 10) * MS, (at_ms + 10) * MS + 2000]
    return f"{way},1,{fate},{','.join(map(str, times))},{size},{octets.hex()}\n"


def read(*lines: str) -> capture.Capture:
    return capture.read(HEAD + "".join(lines))


HANDSHAKE = (packet("a", 0, SYN, 0, 0), packet("b", 10, SYN | ACK, 0, 1))


def test_numbers_are_relative_and_windows_scaled_behind_the_syn():
    seen = read(*HANDSHAKE, packet("a", 20, ACK | PSH, 1, 1, 400))
    syn, answer, data = seen.segments
    assert (syn.sequence, syn.window_B) == (0, 500)
    assert (answer.acknowledged, answer.window_B) == (1, 500)
    assert (data.sequence, data.payload_B, data.window_B) == (1, 400, 500 << 7)


def test_the_duration_ends_with_the_first_arrival_of_the_last_byte_of_the_reply():
    reply = [packet("b", at, ACK, 1, 1, 30) for at in (40, 60)]
    assert read(*HANDSHAKE, *reply).duration_s == 0.050002
    lost = packet("b", 40, ACK, 1, 1, 30, fate="lost")
    assert read(*HANDSHAKE, lost, reply[1]).duration_s == 0.070002


def test_outstanding_is_counted_at_the_sender():
    """Two segments before an ACK is back, one of them acknowledged then, and one more sent."""
    data = [packet("a", at, ACK, seq, 1, 100) for at, seq in ((20, 1), (21, 101), (45, 201))]
    seen = read(*HANDSHAKE, *data, packet("b", 31, ACK, 1, 101))
    assert seen.largest_outstanding_B(from_client=True) == 200
    late = packet("b", 31, ACK, 1, 101, fate="lost")
    assert read(*HANDSHAKE, *data, late).largest_outstanding_B(from_client=True) == 300


def test_what_is_sent_again_counts_once_each_time():
    data = [packet("a", at, ACK, seq, 1, 100) for at, seq in ((20, 1), (21, 101), (60, 1))]
    assert read(*HANDSHAKE, *data).resent(from_client=True) == 1


def test_the_order_is_that_of_the_clients_end():
    """It sends at 21 and 35 ms, and hears at 41 what left the server at 31."""
    data = [packet("a", at, ACK, seq, 1, 100) for at, seq in ((21, 1), (35, 101))]
    reply = packet("b", 31, ACK, 1, 101, 7)
    assert read(*HANDSHAKE, *data, reply).pattern == ">S0 <S0 >100*2 <7"


def test_lateness_is_of_the_packets_that_arrived():
    assert round(read(*HANDSHAKE).lateness_s * 1e9) == 2000


def test_the_usual_window_is_the_one_announced_most_often():
    """The SYN's is not scaled, and no other's is like it."""
    acks = [packet("b", at, ACK, 1, 1) for at in (30, 40, 50)]
    larger = packet("b", 60, ACK, 1, 1).replace(struct.pack("!H", 500).hex(), "0300")
    seen = read(*HANDSHAKE, *acks, larger)
    assert seen.usual_window_B(from_client=False) == 500 << 7
    assert seen.largest_window_B(from_client=False) == 0x300 << 7
