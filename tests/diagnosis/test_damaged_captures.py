# SPDX-License-Identifier: GPL-2.0-only
"""Captures of known cause with a part missing, or with something odd about them: it is said, and
the cause stays what it was, or none is told. Nothing else may be said."""

import gzip
import struct

import pytest
from study import StudyError, diagnose
from study.captures.connection import FIN
from study.kernel import KEPT
from study.kernel.capture import network_B
from study.kernel.capture_cases import name_of
from study.kernel.cases import cases

from tests.captures import making
from tests.diagnosis.damages import DAMAGES, ONE, SECOND_NS, Record, pcap_of, records_of

CASES = {each.name: each for each in cases()}
FAR = "window far away, nothing else"


def capture_of(name: str, when: str = "before") -> bytes:
    end = "client" if CASES[name].before.is_from_client else "server"
    return gzip.decompress((KEPT / name_of(CASES[name], when, end)).read_bytes())


def diagnosed(records, folder, **chosen):
    path = folder / "odd.pcap"
    path.write_bytes(pcap_of(capture_of(FAR), records))
    return diagnose(path, **chosen)


def of(name: str, damage: str, folder):
    return diagnosed(DAMAGES[damage][0](records_of(capture_of(name))), folder)


def text_of(found) -> str:
    return " ".join(str(found).split())


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_capture_says_so_and_has_its_cause_or_none(program, tmp_path, damage):
    found = of(FAR, damage, tmp_path)
    text, said = text_of(found), DAMAGES[damage][1]
    assert said in text and "/study-" not in text and found.facts
    if said == ONE:
        assert found.sentence.startswith("Only one direction was captured")
        with pytest.raises(StudyError, match="no system was found: only one direction"):
            found.system()
    elif damage == "the clock ticks in seconds":  # which leaves too little
        assert found.answer is None or not found.answer.fits
    else:
        assert found.answer.fits and found.main == "receive_window"


@pytest.mark.parametrize("damage", [each for each in DAMAGES if each.endswith("by the capture")])
def test_a_program_that_writes_slowly_is_seen_without_some_of_its_packets(
    program, tmp_path, damage
):
    found = of("slow writer", damage, tmp_path)
    assert found.answer.fits and found.main == "application"


def test_undamaged_is_the_same_file():
    whole = capture_of(FAR)
    assert pcap_of(whole, records_of(whole)) == whole


def test_an_hour_that_the_timestamps_have_not_is_no_time(program, tmp_path):
    """With it the transfer was 3,600 s of a program's pause."""
    found = of("server that thinks", "the clock jumps by an hour", tmp_path)
    assert found.main == "server_application" and found.connection.duration_s < 10


def test_the_client_of_a_capture_without_a_SYN_has_the_port_of_one(program, tmp_path):
    """The first packet is the server's; the cause would be told of the wrong end."""
    whole = diagnose(KEPT / name_of(CASES["server that thinks"], "before", "server"))
    found = of("server that thinks", "begins in the middle", tmp_path)
    assert found.connection.client == whole.connection.client
    assert found.main == "server_application"


@pytest.mark.parametrize("name", ["SYN lost twice", "SYN-ACK lost"])
def test_a_handshake_of_seconds_is_the_cause(program, name):
    found = diagnose(KEPT / name_of(CASES[name], "before", "client"))
    assert found.main == "handshake"
    packets = found.packets
    syns = packets[packets["flags"].str.contains("S") & (packets["sender"] == "host")]
    waited_s = syns["time_s"].iloc[-1] - syns["time_s"].iloc[0]
    assert found.limits_s["handshake"] == pytest.approx(waited_s, rel=0.15)
    assert not found.phases, "one system gives the whole, though a burst is early by microseconds"


def test_an_outage_takes_as_long_as_in_the_capture(program):
    """Also the retransmissions that were lost are in the system."""
    found = diagnose(KEPT / name_of(CASES["outage of seconds"], "before", "client"))
    assert found.main == "loss_recovery" and abs(found.answer.rate_off) < 0.05


def test_a_trailing_stall_is_said_and_is_no_part_of_the_transfer(program, tmp_path):
    """The capture goes on with another connection, long after this one fell silent."""
    records = [each for each in records_of(capture_of(FAR)) if not each.flags & FIN]
    others = [making.ip(each) for each in making.transfer(3, 100, isn=9)]
    end_ns = records[-1].time_ns
    later = [
        Record(end_ns + 60 * SECOND_NS + place, len(octets), octets)
        for place, octets in enumerate(others)
    ]
    found = diagnosed(records + later, tmp_path)
    text = text_of(found)
    assert "and the connection was not closed" in text
    assert "2 connections, most time lost first" in text
    assert found.connection.duration_s < 60
    assert sum(found.limits_s.values()) < 60


def with_later_numbers(octets: bytes, from_client: bool) -> bytes:
    """As of a connection whose client began with another number."""
    place = network_B(octets) + (4 if from_client else 8)
    number = (struct.unpack_from(">I", octets, place)[0] + 50_000_000) % 2**32
    return octets[:place] + struct.pack(">I", number) + octets[place + 4 :]


def test_a_port_that_is_used_again_is_a_second_connection(program, tmp_path):
    records = records_of(capture_of(FAR))
    client, half = records[0].source, len(records) // 2
    again = [
        each._replace(octets=with_later_numbers(each.octets, each.source == client))
        for each in (each.later(1000 * SECOND_NS) for each in records)
    ]
    found = diagnosed(records[:half] + again, tmp_path)
    assert [line.packets for line in found.connections] == [len(records), half]
    assert found.packets["number"].iloc[0] == half + 1
    second = diagnosed(records[:half] + again, tmp_path, connection=2)
    assert second.packets["number"].iloc[-1] == half


def test_a_connection_of_a_few_packets_has_an_answer(program, tmp_path):
    found = diagnosed(records_of(capture_of(FAR))[:6], tmp_path)
    assert found.sentence and sum(found.limits_s.values()) > 0


def test_a_text_without_times_has_its_sizes_and_no_budget(tmp_path):
    path = tmp_path / "job.txt"
    lines = ["10.0.0.1.1023 > 10.0.0.2.9100: P 1:1461(1460) ack 1 win 32120"]
    lines += ["10.0.0.1.1023 > 10.0.0.2.9100: P 1461:2921(1460) ack 1 win 32120"]
    lines += ["10.0.0.2.9100 > 10.0.0.1.1023: . ack 2921 win 2920"]
    path.write_text("\n".join(lines) + "\n")
    found = diagnose(path)
    assert found.sentence == "The capture has no times: nothing can be simulated beside it."
    assert found.record()["facts"]["window"]["value"]["largest"] == 2920
