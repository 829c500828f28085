# SPDX-License-Identifier: GPL-2.0-only
"""What is no capture of a transfer is refused in one line."""

import gzip
from pathlib import Path

import pytest
from study import captures
from study.base.errors import StudyError

from tests.captures import making

MADE = making.transfer()
UDP = bytearray(making.ethernet(making.ip(MADE[3])))
UDP[14 + 9] = 17
HELD = making.frames(MADE)
SHORT = [making.Frame(each.us, each.data, kept=40) for each in HELD]
WITHOUT_DATA = making.pcap(making.frames([each for each in MADE if not each.length]))
DAMAGED = bytearray(making.pcap(HELD))
DAMAGED[24 + 8 : 24 + 12] = b"\xff\xff\xff\x7f"
DAMAGED_NG = bytearray(making.pcapng(HELD))
DAMAGED_NG[28 + 4 : 28 + 8] = b"\x01\x00\x00\x00"
NO_INTERFACE = making.section() + making.enhanced(HELD[0])
SNOOP = b"snoop\x00\x00\x00" + bytes(100)
PROSE = "The printer is slow: see 5 > 3: it is.\n"
CONVERT = "`editcap -F pcap {file} job.pcap`"
REFUSED = {
    "empty": (b"", "is empty"),
    "text of something else": (PROSE.encode(), "is no capture: neither pcap nor pcapng"),
    "bytes of something else": (bytes(range(256)) * 4, "is no capture that is known here"),
    "tcpdump -q": (b"12:00:00.1 IP 10.0.0.1.5 > 10.0.0.2.6: tcp 5\n", "`tcpdump -q`"),
    "snoop": (SNOOP, f"is a capture of snoop: convert it with {CONVERT}"),
    "Network Monitor": (b"GMBU" + bytes(100), f"Network Monitor 2: convert it with {CONVERT}"),
    "zstd": (b"\x28\xb5\x2f\xfd" + bytes(10), "is packed by zstd: unpack it first"),
    "a header only": (making.pcap([]), "is a capture without a packet"),
    "half a header": (making.pcap([])[:20], "ends within its header"),
    "an empty pcapng": (making.section(), "is a capture without a packet"),
    "no TCP": (making.pcap([making.Frame(0, bytes(UDP))]), "has no TCP: none of its 1 packet"),
    "no data": (WITHOUT_DATA, "has TCP but no data"),
    "no headers": (making.pcap(SHORT), "too few bytes of each packet"),
    "damaged": (bytes(DAMAGED), "is damaged: a packet of 2,147,483,647 B cannot be"),
    "a damaged pcapng": (bytes(DAMAGED_NG), "is damaged: a block of 1 B cannot be"),
    "stamps of no clock": (
        making.section() + making.interface(options=making.option(9, b"\x7f")),
        "is damaged: its stamps would count 1e+127 times a second",
    ),
    "no interface": (NO_INTERFACE, "is damaged: a packet of an interface that it does not"),
    "damaged gzip": (gzip.compress(making.pcap(HELD))[:30] + bytes(200), "is not whole"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_it_is_one_line_that_names_the_file(what: str, tmp_path: Path):
    data, sentence = REFUSED[what]
    file = tmp_path / "job.cap"
    file.write_bytes(data)
    with pytest.raises(StudyError) as raised:
        captures.read(file)
    said = str(raised.value)
    assert "\n" not in said
    assert said.startswith(str(file))
    assert sentence.format(file=file) in said


def test_what_cannot_be_opened_is_named(tmp_path: Path):
    with pytest.raises(StudyError, match=r"cannot read .*gone\.pcap: no such file"):
        captures.read(tmp_path / "gone.pcap")
    with pytest.raises(StudyError, match=r"cannot read .*: is a directory"):
        captures.read(tmp_path)


def test_a_packed_file_that_ends_early_is_read_as_far_as_it_goes(tmp_path: Path):
    many = making.frames(making.transfer(400))
    packed = gzip.compress(making.pcap(many), compresslevel=0)
    file = tmp_path / "job.pcap.gz"
    file.write_bytes(packed[: len(packed) // 2])
    capture = captures.read(file)
    assert 300 < len(capture.connections[0].packets) < len(many)
    assert [note.kind for note in capture.notes] == ["cut"]
