# SPDX-License-Identifier: GPL-2.0-only
"""A connection of more packets than are looked at all at once: its budget is found in parts, and
its numbers in the first of them."""

import pytest
from study import diagnose, systems
from study.captures import read
from study.diagnosis import large
from study.diagnosis.budget import merged
from study.diagnosis.judge import budget
from study.diagnosis.of_run import connection_of_run
from study.diagnosis.vantage import find_vantage
from study.kernel import KEPT

# Captures of the kernel with main causes of several kinds, the second one of request and reply.
CAPTURES = [
    "small-receive-window.before.client",
    "server-that-thinks.before.server",
    "small-send-buffer.before.client",
    "slow-reader.before.client",
    "slow-writer.before.client",
    "losses.before.client",
]
PACKETS, AROUND = 200, 60


@pytest.fixture
def in_parts(monkeypatch):
    """So few packets at once that a short capture is a large one."""

    def small(most: int = PACKETS):
        monkeypatch.setattr(large, "MOST", most)
        monkeypatch.setattr(large, "AROUND", AROUND)

    return small


def captured(name):
    return read(KEPT / f"{name}.pcap.gz").connections[0]


def check(connection, in_parts, within):
    """The same limits of a connection in parts as of the whole, each within a share of its life,
    and all of it: no wait is missing, or there twice."""
    whole = budget(connection)
    in_parts(min(PACKETS, len(connection.packets) // 3))
    found = budget(connection)
    assert large.is_large(connection)
    assert found.kind == whole.kind
    waits = found.waits
    assert waits["start_ns"][0] == 0
    ends = waits["start_ns"] + waits["length_ns"]
    assert (waits["start_ns"][1:] == ends[:-1]).all()
    assert found.duration_s == pytest.approx(whole.duration_s, abs=within * whole.duration_s)
    one, other = whole.limits_s, found.limits_s
    for limit in one | other:
        apart = abs(one.get(limit, 0) - other.get(limit, 0))
        assert apart <= within * whole.duration_s, (limit, one, other)


@pytest.mark.parametrize("name", CAPTURES)
def test_the_budget_in_parts_is_that_of_the_whole(name, in_parts):
    check(captured(name), in_parts, 0.005)


def test_parts_of_a_capture_at_the_receiver_follow_each_other(in_parts):
    """There the sender's times are reckoned, of each part for itself."""
    change = {"rtt": "20ms", "path_rate": "20Mbps", "receive_window": 30_000, "job_size": 600_000}
    run = systems["http2-go"].with_(**change).run(segments=True)
    connection = connection_of_run(run, at_device=True)
    assert find_vantage(connection).shift_ns > 0
    check(connection, in_parts, 0.005)


def test_numbers_are_of_the_first_packets_and_the_job_is_all_of_it(in_parts, tmp_path):
    """It says so; size, rate and budget are those of the whole capture."""
    path = tmp_path / "job.pcap"
    systems["hawking-hps1u"].with_(job_size=300_000).run(pcap=path)
    whole = diagnose(path)
    in_parts()
    found = diagnose(path)
    notes = [note.sentence for note in found.notes if note.kind == "large"]
    assert len(notes) == 1
    assert f"the first {PACKETS} of {len(whole.connection.packets):,} packets" in notes[0]
    assert notes[0] in " ".join(str(found).split()).replace("note: ", "")
    assert len(found.seen.packets) == PACKETS
    assert found.found["job_size"].value == whole.found["job_size"].value
    assert found.found["job_size"].basis == whole.found["job_size"].basis != "bound"
    assert sum(found.limits_s.values()) == pytest.approx(found.connection.duration_s, rel=1e-6)
    assert found.compared.measured.rate_Bps == whole.compared.measured.rate_Bps
    assert f"packets 1 to {len(whole.connection.packets)}" in found.toml()
    latency = whole.found["ack_latency"].value
    assert found.found["ack_latency"].value == pytest.approx(latency, rel=0.01)


def test_the_time_to_the_last_ack_is_that_of_the_transfer():
    """As reckoned for a small one, which has all packets at hand."""
    from study.diagnosis.transfer import Transfer

    connection = captured("small-receive-window.before.client")
    told = Transfer(connection).until_acknowledged_s
    assert 0 < told < connection.duration_s
    assert large.until_acknowledged_s(connection) == pytest.approx(told, abs=1e-9)


def test_waits_of_one_limit_become_one():
    waits = budget(captured("slow-line.before.client")).waits
    found = merged(waits)
    assert 1 < len(found) < len(waits)
    assert found["length_ns"].sum() == waits["length_ns"].sum()
    assert (found["limit"][1:] != found["limit"][:-1]).any()
    assert found["before"][-1] == waits["before"][-1]
