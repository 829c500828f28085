# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the one sentence: it says no more than the numbers beside it."""

from study.diagnosis.finding import Finding
from study.diagnosis.parameters import Found
from study.diagnosis.sentence import sentence

LINE_S = {"link": 6.0, "receive_window": 4.0}


def found(*findings: Finding) -> Found:
    return Found("print-job", findings, (), ())


def test_a_line_whose_rate_is_only_a_bound_is_not_said_to_carry_no_more():
    bound = found(Finding("link_rate", 100, "Mbps", "bound", "", low=19.35))
    for limits_s in (LINE_S, {**LINE_S, "receive_window": 9.0}):
        told = sentence(limits_s, bound, 1000.0)
        assert "no more" not in told and "frames are on the line" in told
    assert "link rate at least 19.35 Mbps" in sentence(LINE_S, bound, 1000.0)
    assert "100" not in sentence(LINE_S, bound, 1000.0).replace("1,000", "")


def test_a_line_whose_rate_is_seen_is():
    seen = found(Finding("path_rate", 2, "Mbps", "derived", ""))
    assert "can carry no more (path rate 2 Mbps)" in sentence(LINE_S, seen, 1000.0)


def test_a_raw_jobs_sender_answers_nobody_and_one_short_pause_is_no_reason():
    limits_s = {"application": 2.0}
    raw = Finding("protocol", "raw", "", "measured", "")
    short = Finding("think_time", 400.0, "us", "measured", "")
    told = sentence(limits_s, found(raw, short), None)
    assert told == "100% of the time the sender's program has nothing to send."
    long = Finding("think_time", 1.5, "s", "measured", "")
    assert "think time 1.5 s" in sentence(limits_s, found(raw, long), None)
    asked = Finding("protocol", "lpr", "", "measured", "")
    assert "answer each other" in sentence(limits_s, found(asked), None)


def test_a_line_beside_another_reason_is_busy_and_no_more_is_said():
    seen = found(Finding("path_rate", 2, "Mbps", "derived", ""))
    told = sentence({"receive_window": 6.0, "link": 4.0}, seen, 1000.0)
    assert "40% the line is carrying frames: 1,000 B/s" in told


def test_an_exchange_is_told_in_commands_and_whose_ack_is_kept_back():
    asked = (Finding("commands", 40, "1", "measured", ""),)
    kept = Finding("server_delayed_ack", 43.5, "ms", "derived", "")
    exchange = Found("request-reply", (*asked, kept), (), ())
    told = sentence({"delayed_ack": 1.5, "round_trip": 0.5}, exchange, 231.0)
    assert told == (
        "75% of the time the server keeps back its ACK on purpose, and the client's next small "
        "segment waits for it (server delayed ack 43.5 ms); 25% a command or its reply is on its "
        "way: 40 commands in 2.000 s."
    )


def test_a_window_that_only_grows_is_told_from_one_that_losses_cut():
    limits_s = {"congestion_window": 1.0}
    assert "still growing" in sentence(limits_s, found(), None)
    cut = sentence(limits_s, found(), None, (3, 40))
    assert "still growing" not in cut and "3 of 40 packets lost" in cut


def test_where_many_waits_share_the_time_none_is_blamed():
    limits_s = {"link": 3.0, "drain": 2.8, "receive_window": 2.7, "cpu": 1.5}
    assert sentence(limits_s, found(), None).startswith("No one wait makes it slow: 30% of the")
