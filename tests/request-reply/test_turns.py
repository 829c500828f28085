# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the limits and counts of an exchange, most of all of a list of turns: what happens
after the end changes nothing, and a wait has the name of who waits for whom."""

import pytest
from study.programs.declaration import declaration
from study.programs.run import run_point
from study.programs.values import read

SCENARIO = "request-reply"


def run(scenario: str = SCENARIO, **given: str) -> dict:
    return run_point(scenario, [f"--{key.replace('_', '-')}={text}" for key, text in given.items()])


def largest(record: dict) -> str:
    return max(record["limits_s"], key=record["limits_s"].__getitem__)


def test_a_retransmission_after_the_end_changes_no_limit(program):
    """Packet 6 is the FIN."""
    given = {"link": "path", "turns": "c0:100,s0:100,s10000000:100"}
    whole, later = (run(**given, path_lost_packets=lost) for lost in ("3", "3,6"))
    assert (whole["path_losses"], later["path_losses"]) == (1, 2)
    assert whole["limits_s"] == later["limits_s"]
    assert largest(whole) == "server_application"
    assert whole["retransmissions"] == later["retransmissions"] == 1


def test_a_fin_that_is_sent_again_is_no_data_segment(program):
    lone = {"link": "path", "protocol": "lpr", "job_size": "3000"}
    whole, again = run("print-job", **lone), run("print-job", **lone, path_lost_packets="11")
    assert again["path_losses"] == 1 and whole["segments"] == again["segments"]  # no data was lost
    assert whole["retransmissions"] == again["retransmissions"] == 0
    assert whole["duration_s"] == again["duration_s"]


def test_the_wait_for_the_ack_of_the_last_turn_is_the_delayed_ack_s(program):
    record = run(turns="c0:120", server_quick_acks="0")
    assert largest(record) == "delayed_ack"
    assert record["limits_s"]["cpu"] < 0.01 * record["duration_s"]


def test_the_time_between_two_writes_is_the_client_s_whenever_they_return(program):
    given = {"commands": "2", "command_write_time": "1s"}
    for returns in ("some-fits", "acknowledged"):
        limits_s = run(**given, write_returns=returns)["limits_s"]
        assert limits_s["client_application"] == pytest.approx(2.0, abs=0.01), returns


@pytest.mark.parametrize("turns", ["c0:100,s1800000000:100", "c1800000000:100"])
def test_half_an_hour_in_a_list_is_no_stall(program, turns: str):
    record = run(turns=turns)
    assert (record["outcome"], round(record["duration_s"])) == ("finished", 1800)


def test_of_a_list_what_the_client_wrote_is_counted(program):
    lone = "c0:100,s0:100,c0:100,s0:100,c0:100,s5000000:100"
    assert run(turns=lone, time_limit="1s")["answered"] == 3
    assert run(turns="s0:100")["answered"] == 0


def test_a_list_of_turns_has_one_spelling(program):
    turns = declaration(SCENARIO).parameter("turns")
    assert read(turns, "c0050000:0120").text == "c50000:120"
