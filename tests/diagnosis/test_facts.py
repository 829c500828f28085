# SPDX-License-Identifier: GPL-2.0-only
"""Facts: what packets show directly, and the candidate systems that they propose."""

from dataclasses import replace

import numpy as np
import pytest
from by_hand import by_hand
from study.captures.connection import ACK, PSH, SYN
from study.diagnosis.candidates import candidates, send_buffer
from study.diagnosis.facts import Facts
from study.diagnosis.told import display_filter, facts_told
from study.diagnosis.transfer import Transfer
from study.diagnosis.vantage import Vantage
from study.programs.declaration import declaration
from study.programs.values import read
from study.system.hosts import hosts

# As they are meant: one that is moved is red here.
FEW_SEGMENTS, FULL, SLACK, LEAST_SEEN = 8, 0.95, 0.3, 8
SOON_S, DRIFT = 1e-3, 1e-4

SIZE, RTT_MS = 1000, 40.0
AT_SENDER = Vantage("sender", RTT_MS / 1e3, 0.0, "")


def facts_of(flights=12, per_flight=4, window=4000, lost=(), late_ms=0.0, syns_ms=(), per_ack=0):
    """Flights of some segments, each acknowledged a round trip later, as a whole or `per_ack` at a
    time; a lost segment is retransmitted when the others are there. SYNs that were lost go before.
    """
    rows = [
        *((ms, True, 0, 0, -1, 65535, SYN) for ms in syns_ms),
        (0, True, 0, 0, -1, 65535, SYN),
        (RTT_MS, False, 0, 0, 1, 65535, SYN | ACK),
        (RTT_MS, True, 1, 0, 1, 65535, ACK),
    ]
    at = RTT_MS
    for flight in range(flights):
        first = flight * per_flight
        for place in range(per_flight):
            begin = 1 + (first + place) * SIZE
            rows.append((at + 0.01 * place, True, begin, SIZE, 1, 65535, ACK))
        at += RTT_MS + late_ms
        for number in (each for each in lost if first <= each < first + per_flight):
            for _ in range(3):
                rows.append((at, False, 1, 0, 1 + number * SIZE, window, ACK))
            rows.append((at + 0.1, True, 1 + number * SIZE, SIZE, 1, 65535, ACK))
            at += RTT_MS
        for place in range(per_ack or per_flight, per_flight + 1, per_ack or per_flight):
            rows.append((at, False, 1, 0, 1 + (first + place) * SIZE, window, ACK))
        at += 0.02
    return Facts(Transfer(by_hand(rows, SIZE)), AT_SENDER)


def names(facts):
    return [each.name for each in candidates(facts)]


def test_windows_flights_and_round_trip_are_read_off(program):
    found = facts_of()
    assert (found.window_B, found.flight_B, found.mss_B) == (4000, 4000, SIZE)
    assert found.rtt_s == pytest.approx(RTT_MS / 1e3, rel=0.01)
    assert found.first_flight == 4 and not found.lost
    texts = [fact.text for fact in facts_told(found)]
    assert "window 4,000 B" in texts and "at most 4,000 B in flight" in texts


@pytest.mark.parametrize(
    ("syns_ms", "per_flight", "lost", "timeout_s"),
    [
        ((-3000,), 1, "1", 3.0),
        ((-3000, -2000), 1, "1,2", 1.0),
        ((-3000, -2000), 4, "1", 3.0),
        ((-90000,), 4, "1", 60.0),
    ],
    ids=["once", "twice", "twice, or only answers", "longer than a timeout may be"],
)
def test_every_candidate_loses_the_syns_that_were_lost(
    program, syns_ms, per_flight, lost, timeout_s
):
    """After two a run begins with one segment; who began with more has lost one at most."""
    profile = hosts["linux-2.2"].settings("print-job", "host")["initial_window"].text
    for each in candidates(facts_of(per_flight=per_flight, syns_ms=syns_ms, lost=[6])):
        settings = each.settings
        assert float(settings["initial_rto"].removesuffix("s")) == pytest.approx(timeout_s)
        assert f"{settings['path_lost_packets']},".startswith(f"{lost},")
        assert (settings["initial_window"] == profile) == (lost == "1,2")


@pytest.mark.parametrize("acks", [LEAST_SEEN - 1, LEAST_SEEN])
def test_an_ack_rule_is_taken_of_so_many_acks(program, acks):
    assert ("path, counted ACKs" in names(facts_of(acks, 2))) == (acks >= LEAST_SEEN)


def paced(every_ms, size, at, pieces=9, answered=False):
    """Pieces that nothing is heard between, and behind them an ACK where they are answered."""
    rows = [
        (0, True, 0, 0, -1, 65535, SYN),
        (RTT_MS, False, 0, 0, 1, 65535, SYN | ACK),
        *((RTT_MS + n * every_ms, True, 1 + n * size, size, 1, 65535, ACK) for n in range(pieces)),
    ]
    if answered:
        end_ms = 2 * RTT_MS + pieces * every_ms
        rows.append((end_ms, False, 1, 0, 1 + pieces * size, 65535, ACK))
    return Facts(Transfer(by_hand(rows, SIZE)), Vantage(at, RTT_MS / 1e3, 0.0, ""))


@pytest.mark.parametrize("part", [0.98, 1.02])
def test_behind_a_queue_a_write_shows_after_a_part_of_the_round_trip(part):
    assert (paced(part * SLACK * RTT_MS, SIZE, "receiver").bursts.share > 0) == (part > 1)


@pytest.mark.parametrize("pieces", [LEAST_SEEN, LEAST_SEEN + 1])
def test_ends_of_writes_that_do_not_wait_show_that_nagle_is_off(program, pieces):
    """They show writes behind a queue, too. Each piece is a whole segment and a half."""
    every_ms = 0.5 * SLACK * RTT_MS
    found = paced(every_ms, 1500, "receiver", pieces, answered=True)
    assert found.has_no_nagle == (pieces > LEAST_SEEN)
    assert not paced(every_ms, 1500, "receiver", pieces).has_no_nagle, "no ACK could have come"
    assert (found.bursts.share > 0) == found.has_no_nagle
    if found.has_no_nagle:
        assert {each.settings["nagle"] for each in candidates(found)} == {"false"}
    assert not paced(every_ms, SIZE, "receiver", pieces, answered=True).has_no_nagle


def late_behind_timestamps(late_ms, pause_ms=0.0):
    """Pieces stamped each 0.1 ms that leave later and later, half of them by so much; one more
    leaves on time behind a pause."""
    found = paced(0.1, SIZE, "sender", 61)
    packets, data = found.transfer.packets, found.transfer.sent_rows
    packets["time_ns"][data[-1]] += round((pause_ms or late_ms * 60 / 27) * 1e6)
    packets["ts_value"] = packets["time_ns"] // 1000
    # The first three met an empty queue.
    packets["time_ns"][data[:-1]] += np.arange(60) * round(late_ms / 27 * 1e6)
    return Facts(Transfer(found.transfer.connection), AT_SENDER)


@pytest.mark.parametrize("part", [0.9, 1.1])
@pytest.mark.parametrize(("pause_ms", "least_ms"), [(0.0, 2e3 * SOON_S), (40e3, DRIFT * 40e3)])
def test_data_that_leave_behind_their_timestamps_are_no_programs_pace(pause_ms, least_ms, part):
    found = late_behind_timestamps(part * least_ms, pause_ms)
    packets, data = found.transfer.packets, found.transfer.sent_rows[1:]
    assert (found.own_queue_s > 0) == (part > 1)
    written = paced(1.0, SIZE, "sender")
    written.__dict__["own_queue_s"] = found.own_queue_s
    assert any("application" in each for each in names(written)) == (part < 1)
    assert any(each.name == "own_queue" for each in facts_told(found)) == (part > 1)
    packets["ts_value"] *= 30  # ticks of no usual clock
    assert not Facts(Transfer(found.transfer.connection), AT_SENDER).own_queue_s
    packets["ts_value"] //= 30
    packets["ts_value"][data[3]] = 0  # it begins anew
    assert not Facts(Transfer(found.transfer.connection), AT_SENDER).own_queue_s


def test_what_was_stamped_behind_the_last_one_that_left_met_no_queue():
    """A clock that stands while its host sleeps: all behind a pause are late by as much."""
    found = paced(1000.0, SIZE, "sender", 12)
    packets, data = found.transfer.packets, found.transfer.sent_rows
    packets["ts_value"] = packets["time_ns"] // 1_000_000
    packets["time_ns"][data[1:]] += 300_000_000
    assert not Facts(Transfer(found.transfer.connection), AT_SENDER).own_queue_s


@pytest.mark.parametrize("part", [0.98, 1.02])
def test_small_writes_are_proposed_where_most_pieces_are_no_whole_segments(program, part):
    found = names(paced(1.0, round(part * FULL * SIZE), "sender"))
    assert ("small writes" in found) == (part < 1)


@pytest.mark.parametrize("stamp", [-1, 7])
def test_a_system_of_small_writes_has_the_mss_of_the_syns(program, stamp):
    """Whether timestamps take 12 B of each segment or not: without, its segments are too small."""
    found = paced(1.0, SIZE // 2, "sender")
    found.transfer.packets["ts_value"] = stamp
    assert {each.name: each for each in candidates(found)}["small writes"].settings["mss"] == "1000"


def test_a_piece_larger_than_the_syns_allow_is_cut_into_whole_segments(program):
    """Though it comes but once, and small segments more often."""
    rows = [(1, True, 1 + 69 * each, 69, 1, 65535, ACK) for each in range(3)]
    found = Transfer(by_hand([*rows, (2, True, 208, 3 * SIZE, 1, 65535, ACK)], SIZE))
    assert found.mss_B == SIZE and len(found.data.row) == 3 + 3
    assert Transfer(by_hand([*rows, (2, True, 208, SIZE, 1, 65535, ACK)], SIZE)).mss_B == 69


def test_a_flight_shows_that_the_send_buffer_was_no_smaller(program):
    usual = "4096"
    assert send_buffer(facts_of(per_flight=4), usual) == usual
    assert send_buffer(facts_of(per_flight=5, window=9000), usual) == "9000"
    (path, *_) = candidates(facts_of(per_flight=70, window=70000))
    assert int(path.settings["send_buffer"]) >= 70000


def test_a_lost_segment_is_counted_on_the_line_from_the_syn(program):
    found = facts_of(lost=(6,))
    assert found.lost == [2 + 6 + 1]  # SYN and ACK before it
    connection = found.transfer.connection
    inside = replace(connection, packets=connection.packets[3:])  # without them it is the same
    assert inside.duration_s == pytest.approx(connection.duration_s - RTT_MS / 1e3)
    assert Facts(Transfer(inside), AT_SENDER).lost == [9]
    told = next(fact for fact in facts_told(found) if fact.name == "retransmissions")
    assert told.value == {"again": 1, "lost": 1, "spurious": 0, "sent": 49}
    assert display_filter(told.packets) == f"frame.number in {{{told.packets[0]}}}"
    assert "queue" in names(found) and "queue" not in names(facts_of())


@pytest.mark.parametrize("part", [FULL - 0.02, FULL + 0.02])
def test_a_send_buffer_is_proposed_below_a_window_that_is_not_full(part, program):
    found = facts_of(per_flight=40, window=round(40 * SIZE / part))
    assert ("send buffer" in names(found)) == (part < FULL)


@pytest.mark.parametrize("room", [SIZE, SIZE + 1])
def test_a_window_with_room_for_no_more_than_a_segment_is_full(room, program):
    """Of four segments: what a host does not send is a part of one."""
    assert ("send buffer" in names(facts_of(window=4 * SIZE + room))) == (room > SIZE)


@pytest.mark.parametrize("segments", [FEW_SEGMENTS, FEW_SEGMENTS + 1])
def test_a_late_ack_is_proposed_for_few_segments_in_flight(segments, program):
    found = facts_of(12, segments, segments * SIZE, late_ms=100.0, per_ack=2 + segments % 2)
    assert ("slow ACK" in names(found)) == (segments <= FEW_SEGMENTS)


@pytest.mark.parametrize("per_ack", [4, 5])
def test_a_late_ack_is_proposed_where_it_is_of_half_of_all_in_flight(per_ack, program):
    found = facts_of(12, 20, 20 * SIZE, late_ms=100.0, per_ack=2 * per_ack)
    assert ("slow ACK" in names(found)) == (per_ack == 5)


def test_an_application_is_proposed_only_where_waits_no_ack_ended_are_much(program):
    assert "application" not in names(facts_of())
    rows = []
    for number in range(20):
        rows.append((number * 100.0, True, 1 + number * SIZE, SIZE, 1, 65535, ACK))
        rows.append((number * 100.0 + RTT_MS, False, 1, 0, 1 + (number + 1) * SIZE, 65535, ACK))
    found = Facts(Transfer(by_hand(rows, SIZE)), AT_SENDER)
    assert found.bursts.share > 0.9 and found.bursts.every_s == pytest.approx(0.1)
    assert "application" in names(found)


def test_numbers_of_a_candidate_are_texts_that_the_program_takes(program):
    declared = declaration("print-job")
    for each in candidates(facts_of(lost=[6])):
        settings = each.at({})
        assert all(isinstance(text, str) for text in settings.values())
        assert {free.key for free in each.free} <= settings.keys()
        for value in (0.0, 1e18):  # as near to it as they may be
            there = each.at({free.key: value for free in each.free})
            for parameter in (declared.parameter(free.key) for free in each.free):
                assert not parameter.min or read(parameter, there[parameter.key])
    assert np.isfinite(facts_of().line_Bps)


@pytest.mark.parametrize(("window", "free"), [(4999, False), (5000, True)])
def test_a_first_flight_is_the_sender_s_own_only_where_the_window_had_room(window, free, program):
    """What the window of the SYN-ACK held is a bound, and no initial window."""
    rows = [
        (0, True, 0, 0, -1, 65535, SYN),
        (RTT_MS, False, 0, 0, 1, window, SYN | ACK),
        *((RTT_MS + place, True, 1 + place * SIZE, SIZE, 1, 65535, ACK) for place in range(4)),
        (2 * RTT_MS, False, 1, 0, 4001, 20_000, ACK),
    ]
    found = Facts(Transfer(by_hand(rows, SIZE)), AT_SENDER)
    assert found.first_flight == 4 and found.first_flight_is_free == free
    given = {each.name: each for each in candidates(found)}["path"].settings["initial_window"]
    assert (given == "4") == free


@pytest.mark.parametrize(("pushed", "size"), [(LEAST_SEEN, 0), (LEAST_SEEN + 1, 2 * SIZE)])
def test_writes_are_as_long_as_from_one_push_flag_to_the_next(pushed, size):
    rows = []
    for number in range(2 * pushed):
        flags = ACK | (PSH if number % 2 else 0)
        rows.append((number, True, 1 + number * SIZE, SIZE, 1, 65535, flags))
    assert Facts(Transfer(by_hand(rows, SIZE)), AT_SENDER).write_B == size


def test_the_usual_window_is_what_most_packets_advertise():
    """The largest may be told once or twice, as where a receiver counts memory."""
    rows = [(0, True, 1, SIZE, 1, 65535, ACK)]
    rows += [(9 + place, False, 1, 0, 1001, 6000, ACK) for place in range(8)]
    found = Facts(Transfer(by_hand([*rows, (30, False, 1, 0, 1001, 7000, ACK)], SIZE)), AT_SENDER)
    assert (found.window_B, found.usual_window_B) == (7000, 6000)
    rows += [(40 + place, False, 1, 0, 1001, 7000 + place, ACK) for place in range(8)]
    assert Facts(Transfer(by_hand(rows, SIZE)), AT_SENDER).usual_window_B == 7007


def test_pacing_is_proposed_where_the_sender_is_not_seen(program):
    for at, share in (("receiver", 0.5), ("sender", 0.0)):
        found = paced(share * SLACK * RTT_MS, SIZE, at, answered=True)
        assert not found.bursts.share
        assert ("path, bbr" in names(found)) == (at == "receiver")
