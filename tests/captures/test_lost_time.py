# SPDX-License-Identifier: GPL-2.0-only
"""Which connection of a capture lost most time: in flight, not in a program's pauses."""

import numpy as np
import pytest
from study.captures import lost_time
from study.captures.connection import ACK, FIN, RST, SYN
from study.captures.lost_time import lost_ns, slowest_first

MS = 1_000_000
A, B = 1, 2

# A handshake of 20 ms, seen at the client A; numbers near their end, so that they wrap.
SHAKE = [
    (0, A, SYN, 2**32 - 2, 0, 0),
    (20, B, SYN | ACK, 2**32 - 100, 0, 2**32 - 1),
    (20, A, ACK, 2**32 - 1, 0, 2**32 - 99),
]


def columns(rows):
    """Packets of (ms, source, flags, seq, length, ack, window); the window is open by default."""
    filled = [(*row, 1000)[:7] for row in rows]
    columns = (np.array(each) for each in zip(*filled, strict=True))
    ms, source, flags, seq, length, ack, window = columns
    named = {"source": source, "flags": flags, "seq": seq, "length": length, "ack": ack}
    return {"time_ns": ms * MS, "window": window, **named}


def lost_ms(rows):
    (found,) = lost_ns(columns(SHAKE + rows), [slice(0, len(SHAKE) + len(rows))])
    return found / MS - 20  # less the handshake's


def test_data_in_flight_until_they_are_acknowledged():
    sent = (100, A, ACK, 2**32 - 1, 500, 2**32 - 99)
    assert lost_ms([sent, (350, B, ACK, 2**32 - 99, 0, 499)]) == 20 + 250


def test_a_pause_with_nothing_in_flight_counts_at_most_a_round_trip():
    assert lost_ms([(5000, A, ACK, 2**32 - 1, 0, 2**32 - 99)]) == 20
    assert lost_ms([(35, A, ACK, 2**32 - 1, 0, 2**32 - 99)]) == 15


def test_a_shut_window_and_what_a_lost_segment_leaves_behind():
    shut = (30, B, ACK, 2**32 - 99, 0, 2**32 - 1, 0)
    assert lost_ms([shut, (930, B, ACK, 2**32 - 99, 0, 2**32 - 1)]) == 10 + 900
    # Captured at the receiver: what lies behind the hole is not acknowledged.
    behind = [(30, B, ACK, 401, 500, 2**32 - 1), (30, A, ACK, 2**32 - 1, 0, 2**32 - 99)]
    assert lost_ms([*behind, (1030, B, ACK, 2**32 - 99, 500, 2**32 - 1)]) == 10 + 1000


@pytest.mark.parametrize("flags", [RST, RST | ACK])
def test_nothing_is_waited_for_behind_a_reset(flags):
    sent = (30, A, ACK, 2**32 - 1, 500, 2**32 - 99)
    reset = (40, B, flags, 2**32 - 99, 0, 499)
    assert lost_ms([sent, reset, (900, A, ACK, 499, 0, 2**32 - 99)]) == 10 + 10 + 20


def test_a_fin_and_a_repeated_syn_are_in_flight():
    fin = (30, A, FIN | ACK, 2**32 - 1, 0, 2**32 - 99)
    assert lost_ms([fin, (230, B, ACK, 2**32 - 99, 0, 0)]) == 10 + 200
    syns = columns([(0, A, SYN, 7, 0, 0), (1000, A, SYN, 7, 0, 0), (3000, A, SYN, 7, 0, 0)])
    assert lost_ns(syns, [slice(0, 3)]) == [3000 * MS]


def test_parts_of_a_long_capture_give_the_same(monkeypatch):
    """What was in flight where a part begins is not known, and neither at the first packet."""
    rows = [(10 * n, A, ACK, 100 * n, 100, 1) for n in range(0, 60, 2)]
    rows += [(10 * n + 7, B, ACK, 1, 0, 100 * n + 100) for n in range(0, 60, 2)]
    both = columns(sorted(rows) * 3)
    groups = [np.arange(0, 60), np.arange(60, 120), np.arange(120, 180)]
    assert (lost_ns(both, groups) == 29 * 7 * MS).all()
    monkeypatch.setattr(lost_time, "CHUNK_ROWS", 64)
    assert (lost_ns(both, groups) == 29 * 7 * MS).all()
    monkeypatch.setattr(lost_time, "CHUNK_ROWS", 20)
    assert (lost_ns(both, groups) == 27 * 7 * MS).all()


def test_most_time_lost_is_first_and_without_data_last():
    lost, payload_B = np.array([5, 9, 7, 7]), np.array([10**9, 0, 10, 20])
    assert slowest_first(lost, payload_B).tolist() == [3, 2, 0, 1]
