# SPDX-License-Identifier: GPL-2.0-only
"""Phases: which limit held when, of a connection in which that changes."""

import pytest
from by_hand import by_hand, diagnosis_of
from study import diagnose, systems
from study.captures.connection import ACK
from study.diagnosis import diagnosis
from study.diagnosis.of_run import connection_of_segments
from study.diagnosis.phases import OUTAGE, part_of, phases_of
from study.diagnosis.strip import WIDTH, phase_strip
from study.diagnosis.waits_seen import PATH, PROGRAM, WINDOW

# As they are meant: one that is moved is red here.
MIN_FRACTION, MIN_SEGMENTS, RATE_FACTOR = 0.15, 50, 2.0

SIZE = 1000


def flow(gaps_ms, again_at=(), shut_at=(), open_at=()):
    """A segment behind each gap, acknowledged half a millisecond later; some gaps have its
    retransmissions in them, the last of which arrives, or begin with a window that is shut; some
    begin without an ACK."""
    rows, at = [], 0.0
    for number, gap in enumerate(gaps_ms):
        begin = 1 + number * SIZE
        if number in again_at:
            for part in (0.2, 0.4, 0.8):
                rows.append((at + part * gap, True, begin - SIZE, SIZE, 1, 65535, ACK))
            rows.append((at + 0.8 * gap + 0.5, False, 1, 0, begin, 65535, ACK))
        at += gap
        rows.append((at, True, begin, SIZE, 1, 65535, ACK))
        if number + 1 not in (*open_at, *again_at):
            window = 0 if number + 1 in shut_at else 65535
            rows.append((at + 0.5, False, 1, 0, begin + SIZE, window, ACK))
    return by_hand(rows, SIZE)


def test_an_even_flow_is_one_phase():
    (found,) = phases_of(flow([1.0] * 300))
    assert not found.silence and found.rate_Bps == pytest.approx(1e6, rel=0.02)
    assert phases_of(flow([1.0])) == []


@pytest.mark.parametrize("factor", [0.9 * RATE_FACTOR, 1.1 * RATE_FACTOR])
def test_another_rate_is_another_phase(factor):
    found = phases_of(flow([1.0] * 300 + [factor] * 300))
    assert len(found) == (2 if factor > RATE_FACTOR else 1)
    if len(found) == 2:
        assert found[0].to_s == found[1].from_s == pytest.approx(0.3, abs=0.002)
        part = part_of(flow([1.0] * 300 + [factor] * 300), found[1])
        assert part.packets["time_ns"][0] == 0 and part.packets["seq"][0] > 298 * SIZE


@pytest.mark.parametrize("segments", [MIN_SEGMENTS - 5, MIN_SEGMENTS + 5])
def test_a_few_segments_show_no_rate(segments):
    found = phases_of(flow([1.0] * 200 + [10.0] * segments))
    assert len(found) == (2 if segments > MIN_SEGMENTS else 1)


@pytest.mark.parametrize("part", [0.8 * MIN_FRACTION, 1.2 * MIN_FRACTION])
def test_a_silence_is_a_phase_from_a_part_of_the_time_on(part):
    gap = 200 * part / (1 - part)
    found = phases_of(flow([1.0] * 100 + [gap] + [1.0] * 100))
    assert len(found) == (3 if part > MIN_FRACTION else 1)


@pytest.mark.parametrize(
    ("how", "silence"),
    [
        ({"again_at": (100,)}, OUTAGE),
        ({"shut_at": (100,)}, WINDOW),
        ({"open_at": (100,)}, PATH),
        ({}, PROGRAM),
    ],
)
def test_a_silence_says_what_was_missing(how, silence):
    found = phases_of(flow([1.0] * 100 + [300.0] + [1.0] * 100, **how))
    assert [each.silence for each in found] == ["", silence, ""]
    assert found[1].to_s - found[1].from_s == pytest.approx(0.3, abs=0.002)


def test_a_strip_has_a_letter_of_each_phase_for_its_time():
    found = phases_of(flow([1.0] * 100 + [200.0] + [1.0] * 100, again_at=(100,)))
    line = phase_strip([(each, each.silence or "link") for each in found])
    assert len(line) == WIDTH and line.strip("L") == "-" * line.count("-")
    assert line.count("-") == pytest.approx(WIDTH / 2, abs=1)


def one_after_the_other(*runs):
    """A connection that goes on with the data of each further run where the one before ends."""
    rows, size, at_s = [], 0, 0.0
    for run in runs:
        sender = run[0].sender
        first_s = next(row.time_s for row in run if row.length)
        for row in (each for each in run if "F" not in each.flags):
            if rows and row.time_s < first_s:
                continue  # another handshake
            own = row.sender == sender
            moved = {"seq": row.seq + size} if own else {"ack": (row.ack or 0) + size}
            since_s = row.time_s - first_s if size else row.time_s
            rows.append(row._replace(time_s=at_s + since_s, far_s=None, **moved))
        at_s = rows[-1].time_s + 1e-3
        size = max(row.seq + row.length for row in rows if row.sender == sender) - 1
    return connection_of_segments(rows)


def test_a_limit_that_changes_half_way_is_told_with_its_time(program, monkeypatch):
    """A window over a path, then a line that is slow."""
    base = systems["bulk"].with_(job_size=300_000, rtt="40ms", receive_window=20_000)
    runs = [base.with_(path_rate=rate).run().packets for rate in ("100Mbps", "1Mbps")]
    whole = one_after_the_other(*runs)
    found = diagnosis_of(whole, "sender")
    assert [limit for _, limit in found.phases] == ["receive_window", "link"]
    first, second = (each for each, _ in found.phases)
    assert first.to_s == second.from_s == pytest.approx(0.65, abs=0.1)
    assert f"{first.to_s:,.3f} s: receive window" in str(found)
    assert found.answer.best.distance > diagnosis.ONE_SYSTEM
    monkeypatch.setattr(diagnosis, "ONE_SYSTEM", 1.01 * found.answer.best.distance)
    del found.__dict__["phases"]
    assert found.phases == [], "as of a system that gives the whole"


def test_one_system_that_gives_the_whole_is_one_phase(program, tmp_path):
    path = tmp_path / "job.pcap"
    systems["hawking-hps1u"].with_(job_size=100_000).run(pcap=path)
    assert diagnose(path).phases == []


def test_phases_that_are_farther_away_than_the_whole_are_not_told(program, tmp_path):
    """Losses make the second half slower. What the congestion window was there, only the system of
    the whole knows."""
    path = tmp_path / "lossy.pcap"
    lost = ",".join(map(str, range(700, 1380, 40)))
    own = {"rtt": "40ms", "path_rate": "20Mbps", "path_lost_packets": lost, "job_size": 2_000_000}
    systems["bulk"].with_(**own, congestion_control="cubic").run(pcap=path)
    found = diagnose(path)
    assert len(phases_of(found.seen)) > 1
    assert found.answer.best.distance < diagnosis.ONE_SYSTEM
    assert found.phases == []
