# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the formulas of long replies: the client's window and slow start are in the
form, which was 345 % off and more without them."""

import pytest
from study import systems
from study.answers.on_paper import on_paper

SMALL_WINDOW = {"client_window": 8192, "client_first_window": 8192}


@pytest.mark.parametrize(
    ("changes", "within_pct"),
    [
        ({}, 2),
        ({"reply_write": "64kB"}, 2),
        ({"reply_write": "1MB"}, 2),
        ({"reply_write": "20kB", **SMALL_WINDOW}, 4),
        ({"reply_write": "300kB", **SMALL_WINDOW}, 4),
        # Mostly slow start: the first of few replies over a fast path
        ({"reply_write": "30kB", "path_rate": "1Gbps", "commands": 4}, 20),
    ],
)
def test_a_long_reply_takes_what_the_form_says(changes, within_pct, program):
    system = systems["request"].with_(**changes)
    result = system.run()
    paper = on_paper(system.scenario, result, system.parameters())
    assert paper.cycle.time_s == pytest.approx(result.record["command_s"], rel=within_pct / 100)


def test_a_long_command_over_a_path_has_no_form(program):
    system = systems["request"].with_(command_text="30kB")
    result = system.run()
    assert "no closed form" in on_paper(system.scenario, result, system.parameters()).cycle


def test_an_ack_is_no_cause_while_the_next_segment_is_on_its_way(program):
    """Each odd segment withholds its ACK until the next comes. A timer of 1 ms changes nothing."""
    windowed = {"rtt": "100ms", "reply_write": 1_000_000, "commands": 3, "client_window": 65535}
    job = systems["request"].with_(**windowed)
    limits_s = job.run().limits_s
    assert max(limits_s, key=limits_s.__getitem__) == "receive_window"
    assert limits_s["delayed_ack"] < 0.01 * sum(limits_s.values())
    assert job.with_(client_delayed_ack="1ms").run().duration_s == pytest.approx(
        job.run().duration_s, rel=0.01
    )
