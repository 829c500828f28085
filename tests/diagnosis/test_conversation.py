# SPDX-License-Identifier: GPL-2.0-only
"""Writes of programs: those that no ACK brought, and only those, are turns of a conversation."""

from pathlib import Path

import pytest
from by_hand import by_hand
from study.base.errors import StudyError
from study.captures.connection import ACK
from study.catalogue import systems
from study.diagnosis.conversation import Turn, most_wait_s, turn_list, turns_of

# As they are meant: one that is moved is red here.
SLACK = 0.3

RTT_S = 0.02


def test_a_write_after_a_wait_that_no_ack_ended_is_a_turn_of_its_own():
    rows = [
        (0, True, 1, 1000, 1, 65535, ACK),
        (20, False, 1, 0, 1001, 65535, ACK),
        (20.1, True, 1001, 1000, 1, 65535, ACK),  # the ACK's
        (40, False, 1, 0, 2001, 65535, ACK),
        (90, True, 2001, 500, 1, 65535, ACK),  # its program's
        (110, False, 1, 0, 2501, 65535, ACK),
    ]
    found = turns_of(by_hand(rows, 1000), RTT_S)
    assert [(turn.of_client, turn.size_B) for turn in found] == [(True, 2000), (True, 500)]
    assert turn_list(found).endswith("c90000:500")


@pytest.mark.parametrize("late_ms", [0.8 * SLACK * 1e3 * RTT_S, 1.2 * SLACK * 1e3 * RTT_S + 1])
def test_what_an_ack_may_have_brought_is_no_write_where_none_is_seen(late_ms: float):
    rows = [
        (0, True, 1, 1000, 1, 65535, ACK),
        (20, False, 1, 0, 1001, 65535, ACK),
        (20 + late_ms, True, 1001, 1000, 1, 65535, ACK),
    ]
    connection = by_hand(rows, 1000)
    assert len(turns_of(connection, RTT_S)) == 2
    assert len(turns_of(connection, RTT_S, sees_writes=False)) == (2 if late_ms > 6 else 1)


def test_the_way_is_no_time_of_the_far_program():
    rows = [
        (0, True, 1, 100, 1, 65535, ACK),
        (50, False, 1, 3000, 101, 65535, ACK),
        (60, True, 101, 100, 3001, 65535, ACK),
        (80, False, 3001, 10, 201, 65535, ACK),
    ]
    connection = by_hand(rows, 4000)
    assert not connection.bulk_from_client  # its times are those of the end that sends most
    waits = [turn.wait_s for turn in turns_of(connection, RTT_S)]
    assert waits[1] == 0.05 and abs(waits[2] - (0.01 - RTT_S)) < 1e-9
    text = turn_list(turns_of(connection, RTT_S))
    assert text == "c0:100,s50000:3000,c0:100,s20000:10"


def test_what_is_sent_again_is_no_write():
    rows = [
        (0, True, 1, 1000, 1, 65535, ACK),
        (200, True, 1, 1000, 1, 65535, ACK),  # the timer's
        (220, False, 1, 10, 1001, 65535, ACK),
    ]
    found = turns_of(by_hand(rows, 1000), RTT_S)
    assert [turn.size_B for turn in found] == [1000, 10]
    assert found[1].wait_s < 0.001, "it came a round trip behind the second copy"


def turn(wait_s: float) -> Turn:
    return Turn(of_client=True, wait_s=wait_s, size_B=1, begin_s=0.0, last_s=0.0)


def test_a_longer_wait_is_the_longest_that_the_program_takes(program: Path):
    told = turn_list([turn(most_wait_s() + 1)])
    assert told == turn_list([turn(most_wait_s())])
    talk = systems["telnet-xp"]
    assert talk.with_(turns=told).run()
    with pytest.raises(StudyError, match="turns"):
        talk.with_(turns=told.replace(":", "1:")).run()
