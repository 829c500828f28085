# SPDX-License-Identifier: GPL-2.0-only
"""A device whose program reads at a pace and pauses, as the window's right edge shows."""

import pytest
from by_hand import by_hand
from study.captures.connection import ACK
from study.diagnosis.candidates import candidates
from study.diagnosis.facts import Facts
from study.diagnosis.readers import Reads
from study.diagnosis.transfer import Transfer

from tests.diagnosis.test_facts import AT_SENDER, SIZE

# As they are meant: one that is moved is red here.
LEAST_SEEN, RATE_FACTOR, LEAST_STALL_S, LEAST_OVERRIDE_S = 8, 2.0, 0.02, 0.1
READ_B, WINDOW_B = 2 * SIZE, 4 * SIZE
PACE_MS = 50.0


def reads(waits_ms):
    """A device that reads READ_B after each of these waits, and answers each time: two segments
    leave, and fill the window anew."""
    rows = [(0.1 * n, True, 1 + n * SIZE, SIZE, 1, 65535, ACK) for n in range(4)]
    rows.append((1.0, False, 1, 0, 1 + WINDOW_B, 0, ACK))
    at, sent, read = 1.0, WINDOW_B, 0
    for wait in waits_ms:
        at, read = at + wait, read + READ_B
        rows.append((at, False, 1, 0, 1 + sent, WINDOW_B + read - sent, ACK))
        for n in range(2):
            rows.append((at + 0.1 * (n + 1), True, 1 + sent + n * SIZE, SIZE, 1, 65535, ACK))
        sent += READ_B
        rows.append((at + 1, False, 1, 0, 1 + sent, 0, ACK))
    return Facts(Transfer(by_hand(rows, SIZE)), AT_SENDER)


def paces(count):
    return [PACE_MS] * count


def test_pace_and_pauses_are_read_off_the_edge_of_the_window(program):
    found = reads([*paces(5), 1000.0, *paces(4), 1100.0, *paces(4), 1200.0, *paces(4)])
    told = Reads.of(found)
    assert told.each_B == READ_B and told.every_B == 5 * READ_B
    assert told.pause_s == pytest.approx(1.1)
    assert told.rate_Bps == pytest.approx(READ_B / PACE_MS * 1e3, rel=0.01)
    (proposed,) = (each for each in candidates(found) if each.name.endswith("paced"))
    settings = proposed.at({})
    assert settings["port_chunk"] == str(READ_B) and settings["drain_pause"] == "1.100000000s"


def test_a_single_pause_comes_behind_what_was_read_before():
    told = Reads.of(reads([*paces(7), 5000.0, *paces(4)]))
    assert told.every_B == 7 * READ_B and told.pause_s == pytest.approx(5.0)


@pytest.mark.parametrize("times", [RATE_FACTOR - 0.02, RATE_FACTOR + 0.02])
def test_waits_that_are_nearly_alike_have_no_pause_among_them(times):
    found = Reads.of(reads([*paces(5), times * PACE_MS, *paces(4)]))
    assert (found is not None) == (times > RATE_FACTOR)


@pytest.mark.parametrize("times", [RATE_FACTOR - 0.1, RATE_FACTOR + 0.1])
def test_what_is_shorter_than_a_stall_is_no_pause(times):
    """A clock that ticks in 10 ms has waits of 0 and of a tick."""
    waits = [0.2, 0.3, 0.2, 0.3, 0.2, times * LEAST_STALL_S * 1e3, 0.2, 0.3]
    found = reads(waits)
    found.__dict__["rtt_s"] = 1e-3
    assert (Reads.of(found) is not None) == (times > RATE_FACTOR)


@pytest.mark.parametrize("count", [LEAST_SEEN - 1, LEAST_SEEN])
def test_of_few_reads_nothing_is_told(count):
    told = Reads.of(reads([*paces(count - 2), 1000.0, PACE_MS]))
    assert (told is not None) == (count == LEAST_SEEN)


@pytest.mark.parametrize("part", [0.9, 1.1])
def test_how_long_a_small_window_is_left_unused_is_read_off(program, part):
    wait_ms = part * LEAST_OVERRIDE_S * 1e3
    rows = [(0.1 * n, True, 1 + n * SIZE, SIZE, 1, 65535, ACK) for n in range(4)]
    rows += [
        (1.0, False, 1, 0, 1 + WINDOW_B, SIZE // 2, ACK),
        (1.0 + wait_ms, True, 1 + WINDOW_B, SIZE // 2, 1, 65535, ACK),
        (2.0 + wait_ms, False, 1, 0, 1 + WINDOW_B + SIZE // 2, WINDOW_B, ACK),
    ]
    found = Facts(Transfer(by_hand(rows, SIZE)), AT_SENDER)
    told = {each.settings.get("override_timeout") for each in candidates(found)}
    assert (told == {f"{wait_ms / 1e3:.9f}s"}) == (part > 1)
