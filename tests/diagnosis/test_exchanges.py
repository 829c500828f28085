# SPDX-License-Identifier: GPL-2.0-only
"""Request and reply: what a capture's turns carry, and in how many writes."""

import pytest
from by_hand import by_hand, diagnosis_of
from study import systems
from study.base.units import bits_per_second, seconds
from study.captures.connection import ACK
from study.diagnosis.exchanges import Dialogue
from study.diagnosis.of_run import connection_of_segments

SIZE = 1000


def talk(replies, turns=None):
    """Commands of 10 B, and replies as the lengths of their segments, a millisecond apart; the
    first turns of both."""
    rows, at, sent = [], 0.0, 1
    for number, lengths in enumerate(replies):
        rows.append((at, True, 1 + 10 * number, 10, sent, 65535, ACK))
        for length in lengths:
            at += 1.0
            rows.append((at, False, sent, length, 11 + 10 * number, 65535, ACK))
            sent += length
        at += 1.0
    return by_hand(rows[:turns], SIZE)


@pytest.mark.parametrize(
    ("replies", "writes"),
    [
        ([[400] * 20] * 4, 20),
        ([[450] * 20] * 4, 1),
        ([[SIZE] * 20] * 3 + [[SIZE]] * 2, 1),
        ([[300]] * 4, 1),
    ],
    ids=["small segments", "whole ones", "whole ones, of unlike replies", "one segment"],
)
def test_a_reply_of_several_small_segments_is_as_many_writes(replies, writes):
    found = Dialogue.of(talk(replies))
    assert found.reply_writes == writes
    assert found.reply_B == round(sum(map(sum, replies)) / len(replies) / writes)


@pytest.mark.parametrize("at_device", [False, True])
def test_the_time_that_a_reply_is_on_the_line_is_no_time_of_the_client(at_device: bool):
    """20 kB take 42 ms, which a capture at the server does not show: its last segment is sent at
    once."""
    asked = {"path_rate": "4Mbps", "rtt": "20ms", "reply_write": 20_000, "commands": 25}
    times = {"client_time": "20ms", "server_time": "30ms"}
    packets = systems["request"].with_(**asked, **times).run(segments=True).packets
    whole = connection_of_segments(packets, at_device=at_device)
    found = diagnosis_of(whole).answer.best
    assert found.candidate.name == "request and reply over a line"
    for key, expected in {"client_time": 0.02, "server_time": 0.03}.items():
        assert seconds(found.settings[key]) == pytest.approx(expected, rel=0.1), key
    assert bits_per_second(found.settings["path_rate"]) == pytest.approx(4e6, rel=0.05)
