# SPDX-License-Identifier: GPL-2.0-only
"""Claims about transfers of the kit that were captured at both ends (both_ends/, made by `study
kernel --captures`): the two budgets agree, and what these captures taught is found in them."""

from pathlib import Path

import pytest
from study import StudyError, diagnose
from study.base.project import ROOT
from study.captures import read
from study.diagnosis.hidden import both_ends
from study.diagnosis.judge import budget
from study.diagnosis.vantage import find_vantage

HERE = Path(__file__).parent / "both_ends"
KEPT = ROOT / "results" / "captures"
POINTS = 0.03
# Each for what was judged otherwise at one of its ends.
TAUGHT = {
    "label-printer-that-reads-slowly.after": "a whole segment's own time on the line",
    "large-pieces-on-a-fast-line.after": "pieces, and each of their segments' headers",
    "reno-before-a-short-queue.before": "packets that were lost before they could be captured",
    "reno-before-a-short-queue.after": "a host that resends late once is no timer",
    "some-losses-with-reno.after": "what a timestamp echoes, where the line seemed free",
    "records-that-are-encrypted.after": "the ACK that ended Nagle's wait, of several",
    "paced-sender.after": "a beat of several segments",
    "parts-that-are-answered.after": "a command's own time on the line",
    "window-of-four-segments.after": "the line's rate by ACKs of two segments",
    "send-buffer-of-16-kb.before": "a writer that is woken late, twice",
}


def capture(name, end):
    return HERE / f"{name}.{end}.pcap.gz"


def judged(name, end):
    (connection,) = read(capture(name, end)).connections
    return budget(connection, find_vantage(connection))


def named(found):
    return [each.name for each in found.not_modelled]


@pytest.mark.parametrize("name", TAUGHT)
def test_both_ends_of_a_kernels_transfer_give_the_same_budget(name):
    near, far = both_ends(judged(name, "client"), judged(name, "server"))
    apart = {
        limit: (near.get(limit, 0.0), far.get(limit, 0.0))
        for limit in near | far
        if abs(near.get(limit, 0.0) - far.get(limit, 0.0)) > POINTS
    }
    assert not apart, TAUGHT[name]


def test_a_program_that_reads_makes_no_slower_line():
    """The ACK of one segment alone waits for it: 20 Mbit/s are those of two."""
    assert judged("window-of-four-segments.after", "client").line_Bps == pytest.approx(
        20e6 / 8, rel=0.005
    )


@pytest.mark.parametrize(
    "name", ["send-buffer-of-16-kb.before", "send-buffer-of-a-print-server.before"]
)
def test_a_writer_that_is_woken_late_is_the_reason_that_is_given(name, program):
    """It stops two or three times in all, and goes on at one level of what is out."""
    found = diagnose(capture(name, "client"))
    assert found.limits_s["send_buffer"] > 0.1 * found.connection.duration_s
    assert named(found)[0] == "writer_woken_late"
    assert abs(found.compared.residual_pct) < 10  # 15 and 34 without it
    with pytest.raises(StudyError, match="as its writer is woken late"):
        found.system().what_if(send_buffer=200_000)


def test_a_woken_writer_is_no_program_with_a_pace(program):
    found = diagnose(KEPT / "small-send-buffer.after.client.pcap.gz").found
    assert found["write_time"].basis == "assumed"
    assert found["send_buffer"].basis == "derived"


def test_lines_that_nagles_algorithm_joins_are_writes_of_their_own(program):
    found = diagnose(capture("lines-of-a-log.before", "client"))
    assert max(found.limits_s, key=found.limits_s.get) == "nagle"
    assert found.found["write_size"].value == 200
    assert found.found["write_time"].unit == "ms"
    assert found.found["write_time"].value == pytest.approx(4.08, abs=0.02)
    assert found.found["nagle"].value is True and found.found.get("send_buffer") is None
    assert abs(found.compared.residual_pct) < 3


def test_losses_that_no_full_queue_explains_are_listed(program):
    """Of four lost packets three had not waited as long as others; a queue of its own would lose
    others, and be 17 % faster."""
    found = diagnose(capture("wireless-line.before", "client"))
    assert found.found["path_lost_packets"].value == "90,310,311,640"
    assert abs(found.compared.residual_pct) < 2
    full = diagnose(capture("reno-before-a-short-queue.before", "client")).found
    assert full.get("path_lost_packets") is None and full["path_queue"].basis == "derived"


def test_no_what_if_rests_on_the_size_of_pieces(program):
    found = diagnose(capture("large-pieces-on-a-fast-line.after", "client"))
    for change in ({"rtt": "20ms"}, {"path_rate": "50Mbps"}, {"receive_window": 60_000}):
        with pytest.raises(StudyError, match="leave in one piece"):
            found.system().what_if(**change)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("server-that-thinks.after.server", "server_time 40.5"),
        ("slow-writer.before.client", "write_time 25.09"),
        ("small-send-buffer.after.client", "when its writer is woken"),
    ],
)
def test_a_second_half_that_goes_otherwise_says_by_what(name, why, program):
    half = diagnose(KEPT / f"{name}.pcap.gz").compared.half
    assert abs(half.residual_pct) > 5
    assert half.unlike.startswith(why)
