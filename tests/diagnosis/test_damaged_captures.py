# SPDX-License-Identifier: GPL-2.0-only
"""Captures of known cause with a part missing, or with a wrong clock: the cause stays what it was,
or none is told. Nothing else may be said."""

import gzip

import pytest
from study import diagnose
from study.kernel import KEPT
from study.kernel.capture_cases import name_of
from study.kernel.cases import cases

from tests.diagnosis.damages import DAMAGES, damaged

CASES = {each.name: each for each in cases()}
# What these captures leave too little of.
NOTHING_TOLD = {
    "one direction: the client's",
    "one direction: the server's",
    "the clock ticks in seconds",
}


def capture_of(name: str, when: str = "before") -> bytes:
    end = "client" if CASES[name].before.is_from_client else "server"
    return gzip.decompress((KEPT / name_of(CASES[name], when, end)).read_bytes())


def of(name: str, damage: str, folder):
    path = folder / "damaged.pcap"
    path.write_bytes(damaged(capture_of(name), damage))
    return diagnose(path)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_capture_has_its_cause_or_none(program, tmp_path, damage):
    found = of("window far away, nothing else", damage, tmp_path)
    if damage in NOTHING_TOLD:
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
    whole = capture_of("window far away, nothing else")
    assert damaged(whole, "none") == whole


def test_an_hour_that_the_timestamps_have_not_is_no_time(program, tmp_path):
    """With it the transfer was 3,600 s of a program's pause."""
    found = of("server that thinks", "the clock jumps by an hour", tmp_path)
    assert found.main == "server_application" and found.connection.duration_s < 10
    assert "the clock went ahead by 3,600 s before packet" in " ".join(str(found).split())


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
