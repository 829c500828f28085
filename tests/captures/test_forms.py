# SPDX-License-Identifier: GPL-2.0-only
"""A transfer reads the same from a file of any form, packed or not, and as tshark reads it."""

import gzip
import io
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from study import captures

from tests.captures import making
from tests.tshark import frames as tshark_frames
from tests.tshark import needs_tshark

MADE = making.transfer()
HELD = making.frames(MADE)
FORMS = {
    "pcap": making.pcap(HELD),
    "pcap, big end first": making.pcap(HELD, ">"),
    "pcap in ns": making.pcap(HELD, nano=True),
    "pcap in ns, big end first": making.pcap(HELD, ">", nano=True),
    "modified pcap": making.pcap(HELD, modified=True),
    "pcapng": making.pcapng(HELD),
    "pcapng, big end first": making.pcapng(HELD, ">"),
    "gzip": gzip.compress(making.pcap(HELD)),
    "gzip of pcapng": gzip.compress(making.pcapng(HELD)),
}


def read(tmp_path: Path, data: bytes) -> captures.Capture:
    file = tmp_path / "job.pcap"
    file.write_bytes(data)
    return captures.read(file)


@pytest.mark.parametrize("form", FORMS)
def test_a_transfer_reads_the_same_from_every_form(form: str, tmp_path: Path):
    capture = read(tmp_path, FORMS[form])
    (connection,) = capture.connections
    assert (connection.client, connection.server) == ("10.0.0.1:1023", "10.0.0.2:515")
    packets = connection.packets
    assert packets["time_ns"].tolist() == [1000 * (each.us - MADE[0].us) for each in MADE]
    assert packets["from_client"].tolist() == [each.to_server for each in MADE]
    assert packets["length"].tolist() == [each.length for each in MADE]
    isn = {True: MADE[0].seq, False: MADE[1].seq}
    assert packets["seq"].tolist() == [each.seq - isn[each.to_server] for each in MADE]
    acks = [each.ack - isn[not each.to_server] if each.flags & making.ACK else -1 for each in MADE]
    assert packets["ack"].tolist() == acks
    assert packets["window"].tolist() == [each.window for each in MADE]
    assert connection.start_s == MADE[0].us / 1e6
    assert connection.client_offer == captures.connection.Offer(True, 1460, None, True, False)
    assert connection.server_offer == captures.connection.Offer(True, 1460, None, False, False)
    assert connection.notes == ()
    assert capture.notes == ()


def test_standard_input_is_read_as_a_file_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    for data in (FORMS["pcap"], FORMS["gzip of pcapng"]):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
        (connection,) = captures.read("-").connections
        (same,) = read(tmp_path, data).connections
        assert np.array_equal(connection.packets, same.packets)


FIELDS = {
    "frame.number": "number",
    "tcp.seq": "seq",
    "tcp.ack": "ack",
    "tcp.len": "length",
    "tcp.window_size": "window",
}


def check_as_tshark_reads(file: Path, packets: np.ndarray) -> None:
    told = tshark_frames(file, *FIELDS, "frame.time_relative")
    for row, packet in zip(told, packets, strict=True):
        assert {name: int(row[field]) for field, name in FIELDS.items()} == {
            name: max(int(packet[name]), 0) for name in FIELDS.values()
        }
        assert round(float(row["frame.time_relative"]) * 1e9) == packet["time_ns"]


@needs_tshark
@pytest.mark.parametrize("form", FORMS)
def test_tshark_reads_the_same(form: str, tmp_path: Path):
    (connection,) = read(tmp_path, FORMS[form]).connections
    check_as_tshark_reads(tmp_path / "job.pcap", connection.packets)
