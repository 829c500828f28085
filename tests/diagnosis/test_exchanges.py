# SPDX-License-Identifier: GPL-2.0-only
"""Request and reply: what a capture's turns carry, and in how many writes."""

import pytest
from by_hand import by_hand
from study.captures.connection import ACK
from study.diagnosis.exchanges import Dialogue

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
