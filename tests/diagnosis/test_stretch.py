# SPDX-License-Identifier: GPL-2.0-only
"""The stretch that is simulated: all of a short connection, of a long one the slowest part."""

import pytest
from by_hand import by_hand
from study.captures import growing
from study.captures.connection import ACK
from study.diagnosis.stretch import beginning, note_on, stretch_of
from study.diagnosis.waits_seen import PATH, PROGRAM, WINDOW, waits_seen

# As they are meant: one that is moved is red here.
MOST_SEGMENTS, RATE_FACTOR = 1200, 2.0


def job(segments, pause_at=None, pause_ms=0.0):
    """A segment a millisecond, each acknowledged half a millisecond later."""
    rows = []
    for number in range(segments):
        ms = number + (pause_ms if pause_at is not None and number >= pause_at else 0.0)
        rows.append((ms, True, 1 + number * 1000, 1000, 1, 65535, ACK))
        rows.append((ms + 0.5, False, 1, 0, 1 + (number + 1) * 1000, 65535, ACK))
    return by_hand(rows, 1000)


def test_a_short_connection_is_its_own_stretch():
    connection = job(MOST_SEGMENTS)
    assert stretch_of(connection) is connection


def test_of_a_long_one_it_is_where_the_longest_waits_are():
    connection = job(4 * MOST_SEGMENTS, pause_at=3 * MOST_SEGMENTS, pause_ms=60_000)
    found = stretch_of(connection)
    data = found.packets["length"] > 0
    assert data.sum() == MOST_SEGMENTS and found.packets["time_ns"][0] == 0
    assert found.duration_s > 60
    even = stretch_of(job(4 * MOST_SEGMENTS))
    assert even.packets["seq"][0] == 1, "the beginning, whose handshake is known"


@pytest.mark.parametrize(("part", "is_first"), [(0.95, True), (1.05, False)])
def test_the_beginning_is_taken_where_its_rate_is_the_same(part, is_first):
    pause_ms = part * (RATE_FACTOR - 1) * (MOST_SEGMENTS - 1)
    found = stretch_of(job(4 * MOST_SEGMENTS, pause_at=3 * MOST_SEGMENTS, pause_ms=pause_ms))
    assert (found.packets["seq"][0] == 1) == is_first


def test_a_stretch_ends_with_the_acks_of_its_own_data():
    """As a job of its size does, without what was sent meanwhile: a round trip of 40 segments."""
    rows = [
        row
        for number in range(2 * MOST_SEGMENTS)
        for row in (
            (number, True, 1 + number * 1000, 1000, 1, 65535, ACK),
            (number + 40.5, False, 1, 0, 1 + (number + 1) * 1000, 65535, ACK),
        )
    ]
    p = stretch_of(by_hand(rows, 1000)).packets
    assert (p["length"] > 0).sum() == MOST_SEGMENTS == p["from_client"].sum()
    assert p["ack"][-1] == (p["seq"] + p["length"]).max()
    assert p["time_ns"][-1] == round((MOST_SEGMENTS - 1 + 40.5) * 1e6)


def test_too_many_packets_are_looked_at_from_the_beginning_and_it_is_said(monkeypatch):
    monkeypatch.setattr(growing, "IN_MEMORY", 100)
    connection = job(200)
    first = beginning(connection)
    assert len(first.packets) == 100 and first.whole is connection
    (note,) = note_on(first)
    assert "the first 100 of 400 packets" in note.sentence
    assert note_on(beginning(job(10))) == ()


def test_waits_are_seen_by_what_was_missing_before_each_packet():
    rows = [
        (0, True, 1, 1000, 1, 65535, ACK),
        (40, False, 1, 0, 1001, 1000, ACK),  # in flight until here
        (140, True, 1001, 1000, 1, 65535, ACK),  # the window had room, nothing was out
        (150, False, 1, 0, 2001, 0, ACK),
        (450, False, 1, 0, 2001, 1000, ACK),  # and shut until here
        (450, True, 2001, 1000, 1, 65535, ACK),
    ]
    found = waits_seen(by_hand(rows, 1000))
    assert found[PROGRAM] == pytest.approx(0.1)
    assert found[WINDOW] == pytest.approx(0.31)  # also while the last segment was out
    assert found[PATH] == pytest.approx(0.04)
    assert sum(waits_seen(by_hand(rows, 1000), since_ns=440_000_000).values()) == (
        pytest.approx(0.01)
    )
