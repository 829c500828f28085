# SPDX-License-Identifier: GPL-2.0-only
"""A claim about a reader that takes its time: the ACKs that wait for it show its rate, and are no
latency of the device."""

import pytest
from by_hand import by_hand
from study.captures.connection import ACK, SYN, Connection
from study.diagnosis.parameters_ack import acknowledging
from study.diagnosis.parameters_link import Link
from study.diagnosis.parameters_port import leaping_rows, read_in_leaps
from study.diagnosis.parameters_window import drain_rate, offered
from study.diagnosis.transfer import Transfer

SIZE, BUFFER_B, AWAY_MS, READ_MS, PIECE = 1448, 33304, 10.0, 25.0, 6


def read_slowly() -> Connection:
    """Eleven segments acknowledged as they come, on until the buffer is full, and then six more
    each time that the reader has taken as many."""
    rows = [(0.0, True, 0, 0, -1, 65535, SYN), (AWAY_MS, False, 0, 0, 1, BUFFER_B, SYN | ACK)]
    rows += [(AWAY_MS, True, 1, 0, 1, 65535, ACK)]
    ms, full = AWAY_MS, BUFFER_B // SIZE

    def data(when, segment):
        rows.append((when, True, 1 + segment * SIZE, SIZE, 1, 65535, ACK))

    def answer(when, segments, window):
        rows.append((when, False, 1, 0, 1 + segments * SIZE, window, ACK))

    for segment in range(full):
        data(ms + 0.001 * segment, segment)
    for segment in range(11):
        answer(ms + AWAY_MS + 0.6 * (segment + 1), segment + 1, BUFFER_B - (segment + 1) * SIZE)
    sent = full
    for _ in range(30):
        ms += READ_MS
        answer(ms + AWAY_MS, sent, PIECE * SIZE)
        for segment in range(PIECE):
            data(ms + AWAY_MS + 0.05 + 0.001 * segment, sent + segment)
        sent += PIECE
    return by_hand(rows, SIZE)


def test_an_ack_that_waits_for_the_reader_is_no_latency_of_the_device():
    transfer = Transfer(read_slowly())
    bits_per_s, *_ = drain_rate(transfer)
    assert bits_per_s == pytest.approx(PIECE * SIZE * 8 / READ_MS * 1e3, rel=0.05)
    ethernet = Link(is_path=False, rate_bps=100e6, rtt_s=0.0, findings=())
    found = {each.key: each for each in acknowledging(transfer, ethernet)}
    latency = found["ack_latency"]
    assert latency.unit == "ms" and latency.value < AWAY_MS + 1


LEAP, EVERY_MS, WINDOW_B = 40, 50.0, 90_000  # segments that it reads at a time, and how often


def read_in_one_go(pieces: int = 12, every_ms: float = EVERY_MS) -> Connection:
    """A flight of forty segments, acknowledged two by two, until the program reads them all."""
    rows = [(0.0, True, 0, 0, -1, 65535, SYN), (AWAY_MS, False, 0, 0, 1, WINDOW_B, SYN | ACK)]
    rows += [(AWAY_MS, True, 1, 0, 1, 65535, ACK)]
    for piece in range(pieces):
        start = AWAY_MS + every_ms * piece
        for segment in range(LEAP):
            begin = 1 + (piece * LEAP + segment) * SIZE
            rows.append((start + 0.5 + 0.2 * segment, True, begin, SIZE, 1, 65535, ACK))
            if segment % 2:
                told = begin + SIZE, WINDOW_B - (segment + 1) * SIZE
                rows.append((start + AWAY_MS + 0.2 * segment, False, 1, 0, *told, ACK))
        rows.append((start + every_ms, False, 1, 0, 1 + (piece + 1) * LEAP * SIZE, WINDOW_B, ACK))
    return by_hand(rows, SIZE)


def test_a_program_that_reads_much_at_a_time_shows_its_rate_by_leaps():
    transfer = Transfer(read_in_one_go())
    rate, chunk = read_in_leaps(transfer, *offered(transfer))
    bits_per_s = rate.value * {"kbps": 1e3, "Mbps": 1e6}[rate.unit]
    assert bits_per_s == pytest.approx(LEAP * SIZE * 8 / EVERY_MS * 1e3, rel=0.01)
    assert chunk.value == LEAP * SIZE
    assert len(leaping_rows(transfer, *offered(transfer))) == 12
    few = Transfer(read_in_one_go(pieces=4))
    assert not list(read_in_leaps(few, *offered(few)))
