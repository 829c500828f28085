# SPDX-License-Identifier: GPL-2.0-only
"""Claims about spurious retransmissions: the answers tell, and none counts for a
loss; what was missing does."""

import pytest
from by_hand import NO_BLOCK, by_hand
from study.captures.connection import ACK, SYN, Connection
from study.diagnosis.track import Track
from study.diagnosis.transfer import Transfer

SIZE, WINDOW, ROUND_MS, AGAIN_MS = 1000, 4000, 100, 350


def connection(rows) -> Connection:
    """Rows of time [ms], whether the sender's, sequence number, length, ACK and SACK block."""
    windows = {True: 65535, False: WINDOW}
    return by_hand(((*row, windows[row[1]], flags, *block) for *row, block, flags in rows), SIZE)


def data(ms, segment):
    return (ms, True, 1 + segment * SIZE, SIZE, 1, NO_BLOCK, ACK)


def answer(ms, segments, block=NO_BLOCK):
    return (ms, False, 1, 0, 1 + segments * SIZE, block, ACK)


def job(middle):
    """A segment a round trip, the fourth (number 3) with what `middle` says, then some more."""
    rows = [
        (0, True, 0, 0, -1, NO_BLOCK, SYN),
        (ROUND_MS, False, 0, 0, 1, NO_BLOCK, SYN | ACK),
        (ROUND_MS, True, 1, 0, 1, NO_BLOCK, ACK),
    ]
    for segment in range(3):
        rows += [data(ROUND_MS * (segment + 1), segment), answer(ROUND_MS * (segment + 2), segment)]
        rows[-1] = answer(ROUND_MS * (segment + 2), segment + 1)
    start = ROUND_MS * 4
    rows += [data(start, 3), *middle(start)]
    begin = rows[-1][0]
    for segment in range(7 if lost_behind_a_gap is middle else 5, 9):
        begin += ROUND_MS
        rows += [data(begin - ROUND_MS, segment), answer(begin, segment + 1)]
    return Transfer(connection(sorted(rows, key=lambda row: row[0])))


def late_twice(start):
    """The answer is late; the copy is answered, too, when the next segment is out already."""
    again = start + AGAIN_MS
    late = again + 70
    return [data(again, 3), answer(late, 4), data(late, 4), answer(again + ROUND_MS, 4),
            answer(late + ROUND_MS, 5)]  # fmt: skip


def lost_once(start):
    again = start + AGAIN_MS
    late = again + ROUND_MS
    return [data(again, 3), answer(late, 4), data(late, 4), answer(late + ROUND_MS, 5)]


def lost_behind_a_gap(start):
    """Two copies of the number are acknowledged, as what begins there is missing."""
    again = start + AGAIN_MS
    heard = again + ROUND_MS
    return [data(start + 1, 4), data(start + 2, 5), answer(start + ROUND_MS + 2, 3),
            data(again, 3), answer(heard, 4), data(heard, 6), answer(heard + ROUND_MS, 4),
            data(heard + ROUND_MS, 4), answer(heard + 2 * ROUND_MS, 7)]  # fmt: skip


@pytest.mark.parametrize(
    ("middle", "lost"), [(late_twice, []), (lost_once, [3]), (lost_behind_a_gap, [3, 4])]
)
def test_a_copy_that_is_answered_besides_the_first_was_spurious(middle, lost):
    transfer = job(middle)
    begins = transfer.packets["seq"][transfer.lost_rows]
    assert [(int(each) - 1) // SIZE for each in begins] == lost
    repairs = Track(transfer.connection, True).repairs
    assert len(repairs) == len(lost)


def test_what_a_block_shows_to_be_missing_was_lost_although_its_answer_tells_all():
    """The last of a tail is probed first; the one in front of it is answered together with it."""
    rows = [
        (0, True, 0, 0, -1, NO_BLOCK, SYN),
        (60, False, 0, 0, 1, NO_BLOCK, SYN | ACK),
        (60, True, 1, 0, 1, NO_BLOCK, ACK),
        data(60, 0), data(60, 1), data(60, 2), data(60, 3), answer(120, 1),
        data(260, 3), answer(320, 1, (1 + 3 * SIZE, 1 + 4 * SIZE)),
        data(320, 1), answer(380, 2, (1 + 3 * SIZE, 1 + 4 * SIZE)),
        data(380, 2), answer(440, 4),
    ]  # fmt: skip
    transfer = Transfer(connection(rows))
    begins = transfer.packets["seq"][transfer.lost_rows]
    assert [(int(each) - 1) // SIZE for each in begins] == [1, 2, 3]
