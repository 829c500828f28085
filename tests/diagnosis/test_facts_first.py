# SPDX-License-Identifier: GPL-2.0-only
"""Claims about captures whose system does not run: what was seen and waited for is told all the
same, with the reason, and no file that the user has not written."""

import gzip
import json
import struct

import pytest
from study import StudyError, diagnose, systems
from study.base.project import RESULTS
from study.commands.main import main

SYN_ACK = 0x12
HEADER, RECORD, ETHERNET = 24, 16, 1  # else raw IPv4 packets


def without_syn_ack(content, path):
    """A capture that missed the server's SYN: no scale of a window is known, nor its MSS."""
    kept, place = [content[:HEADER]], HEADER
    ahead = 14 * (struct.unpack("<I", content[20:HEADER])[0] == ETHERNET)
    while place < len(content):
        size = RECORD + struct.unpack("<I", content[place + 8 : place + 12])[0]
        packet = content[place + RECORD + ahead : place + size]
        if packet[(packet[0] & 15) * 4 + 13] & SYN_ACK != SYN_ACK:
            kept.append(content[place : place + size])
        place += size
    path.write_bytes(b"".join(kept))
    return path


def kept(name, folder):
    """One of the project's."""
    content = gzip.decompress((RESULTS / "captures" / f"{name}.pcap.gz").read_bytes())
    return without_syn_ack(content, folder / f"{name}.pcap")


@pytest.fixture
def missing(program, tmp_path):
    """Of segments that are larger than what headers leave of the MTU that they were taken for."""
    path = tmp_path / "whole.pcap"
    systems["rclone-sftp"].with_(job_size=300_000).run(pcap=path)
    return without_syn_ack(path.read_bytes(), tmp_path / "missing.pcap")


@pytest.mark.parametrize(
    "name", ["losses.after.client", "replies-in-two-writes.before.server", "slow-line.after.client"]
)
def test_facts_and_waits_are_printed_without_the_server_s_syn(name, program, tmp_path, capsys):
    path = kept(name, tmp_path)
    assert main(["diagnose", str(path)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    for told in ("the server's SYN was not captured", "what limited it", "what it shows"):
        assert told in out
    assert "/study-" not in out


def test_the_reason_stands_in_the_place_of_a_simulation_and_no_what_if_is_answered(missing, capsys):
    found = diagnose(missing)
    assert sum(found.limits_s.values()) == pytest.approx(found.connection.duration_s, rel=1e-3)
    assert found.compared is None and found.why_not_simulated.startswith("mss: ")
    told = " ".join(str(found).split())
    assert f"not modelled: what was found cannot be simulated: {found.why_not_simulated}" in told
    assert "to go on" not in told
    with pytest.raises(StudyError, match="would rest on no model: what was found cannot be"):
        found.system().what_if(reply_time="1ms")


def test_json_has_the_facts_and_no_comparison(missing, capsys):
    assert main(["diagnose", str(missing), "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["compared"] is None and record["not_modelled"]["not_simulated"]
    assert sum(record["limits_s"].values()) > 0 and record["parameters"]["mss"]


def test_a_system_that_no_program_takes_is_not_written(missing, tmp_path, capsys):
    """The facts are printed all the same, and the status says that there is no file."""
    file = tmp_path / "mine.toml"
    assert main(["diagnose", str(missing), "-o", str(file)]) == 2
    out, err = capsys.readouterr()
    assert "what limited it" in out and not file.exists()
    assert "is not written: " in err and err.count("\n") == 1 and "/study-" not in err


def test_windows_of_an_unknown_scale_are_as_large_as_what_is_in_flight(program, tmp_path):
    """Linux's windows fill a header's 16 bits by their scale of 2^10: unscaled, each flight would
    have been twenty times the window."""
    whole = diagnose(RESULTS / "captures" / "small-send-buffer.before.client.pcap.gz")
    found = diagnose(kept("small-send-buffer.before.client", tmp_path))
    assert max(found.limits_s, key=found.limits_s.get) == "send_buffer"
    assert found.limits_s == pytest.approx(whole.limits_s, abs=0.05)
    window = found.found["receive_window"]
    assert window.basis == "bound" and window.low <= whole.found["receive_window"].value
    assert "more was in flight than the windows take unscaled" in " ".join(str(found).split())
