# SPDX-License-Identifier: GPL-2.0-only
"""An anonymised capture tells the same of the transfer, and nothing of what was sent or by whom."""

from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path

import pytest
from study import captures
from study.base.errors import StudyError

from tests.captures import making
from tests.tshark import GOOD, needs_tshark
from tests.tshark import frames as tshark_frames

SECRET = b"confidential"
COOKIE = bytes.fromhex("220a") + b"COOKIE42"  # TCP Fast Open (RFC 7413), then two NOPs
IP_OPTION = bytes.fromhex("07070 4c0a80107 00".replace(" ", ""))  # record route, by 192.168.1.7
EXTENSION = bytes([6, 1, 1, 12]) + b"HOST" * 3  # two units of 8 octets (RFC 8200, 4.6)


def sent() -> list[making.Packet]:
    made = making.transfer()
    made[0] = replace(made[0], options=making.MSS_1460 + making.scale(3) + COOKIE)
    made[1] = replace(made[1], options=making.MSS_1460 + making.scale(2))
    made[4] = replace(made[4], options=making.timestamps(5, 6) + making.sack(5000, 6000))
    return [replace(each, checksum=0xBEEF) for each in made]


def with_secret(packet: making.Packet, wrap=making.ip) -> bytes:
    payload = (SECRET * packet.length)[: packet.length]
    inner = wrap(packet)
    return making.ethernet(inner[: len(inner) - packet.length] + payload)


def with_ip_option(packet: making.Packet) -> bytes:
    plain = making.ip(packet)
    total = (len(plain) + 8).to_bytes(2, "big")
    return b"\x47\0" + total + plain[4:20] + IP_OPTION + plain[20:]


WRAPS = {
    "IPv4": with_secret,
    "IPv4 with an option": lambda packet: with_secret(packet, with_ip_option),
    "IPv6": lambda packet: with_secret(packet, making.ip6),
    "IPv6 with an extension": lambda packet: with_secret(
        packet, lambda inner: making.ip6(inner, EXTENSION, 60)
    ),
}
UDP = bytearray(making.ethernet(making.ip(making.transfer()[3])))
UDP[14 + 9] = 17


@pytest.fixture(params=WRAPS)
def both(request, tmp_path: Path) -> tuple[Path, Path]:
    """A capture, and what was made of it."""
    held = making.frames(sent(), WRAPS[request.param])
    held.insert(4, making.Frame(held[3].us, bytes(UDP)))
    (tmp_path / "job.pcap").write_bytes(making.pcap(held))
    written = captures.anonymise(tmp_path / "job.pcap", tmp_path / "out.pcapng")
    assert written == captures.Anonymised(len(held) - 1, 1)
    return tmp_path / "job.pcap", tmp_path / "out.pcapng"


def test_the_transfer_is_the_same(both):
    before, after = (captures.read(each).connections[0] for each in both)
    for name in before.packets.dtype.names:
        if name != "number":  # others are gone
            assert after.packets[name].tolist() == before.packets[name].tolist(), name
    for name in ("client_offer", "server_offer", "notes", "start_s"):
        assert getattr(after, name) == getattr(before, name)


def test_nothing_of_what_was_sent_or_by_whom_is_left(both):
    before, after = (each.read_bytes() for each in both)
    names = [SECRET[:6], b"COOKIE42", b"\xbe\xef", bytes.fromhex("020000000001")]
    for name in names:
        assert name in before
    for name in names[:3]:
        assert name not in after
    for host in ("192.168.1.7", "fe80::1", "fe80::2"):
        assert ip_address(host).packed not in after
    assert b"HOST" not in after


@needs_tshark
def test_tshark_decodes_it_without_complaint(both):
    fields = ("_ws.malformed", "ip.checksum.status", "tcp.seq", "tcp.len", "frame.len")
    before = [row for row in tshark_frames(both[0], *fields) if row["tcp.seq"]]
    after = tshark_frames(both[1], *fields)
    for old, new in zip(before, after, strict=True):
        assert new["_ws.malformed"] == ""
        assert new["ip.checksum.status"] in (GOOD, "")
        for name in ("tcp.seq", "tcp.len", "frame.len"):
            assert new[name] == old[name]


def test_addresses_are_replaced_by_the_same_ones_everywhere(tmp_path: Path):
    """Three connections of one host with two others, on Ethernet and on any interface."""
    frames = []
    for server, port in (("192.0.2.9", 1023), ("192.0.2.77", 1024), ("192.0.2.9", 1025)):
        for packet in making.transfer():
            data = making.ip(replace(packet, port=port))
            data = data.replace(ip_address(making.SERVER).packed, ip_address(server).packed)
            frames.append(making.Frame(packet.us, making.ethernet(data)))
    (tmp_path / "job.pcap").write_bytes(making.pcap(frames))
    captures.anonymise(tmp_path / "job.pcap", tmp_path / "out.pcapng")
    found = captures.read(tmp_path / "out.pcapng").connections
    assert sorted((each.client, each.server) for each in found) == [
        ("10.0.0.1:1023", "10.0.0.2:515"),
        ("10.0.0.1:1024", "10.0.0.3:515"),
        ("10.0.0.1:1025", "10.0.0.2:515"),
    ]


def test_cards_are_replaced_also_in_cooked_and_bridged_headers(tmp_path: Path):
    card = bytes.fromhex("8c1645a1b2c3")
    snap = bytes.fromhex("800080c20007")
    ethernet = making.frames(sent(), lambda packet: card + making.ethernet(making.ip(packet))[6:])
    cooked = making.frames(
        sent(),
        lambda packet: (
            bytes.fromhex("000000010006") + card + bytes.fromhex("00000800") + making.ip(packet)
        ),
    )
    bridged = [
        replace(each, data=bytes.fromhex("184103") + padding + snap + each.data)
        for each in ethernet
        for padding in (b"\0", b"")[each.us % 2 :][:1]
    ]
    for held, link in ((ethernet, 1), (cooked, 113), (bridged, 107)):
        (tmp_path / "job.pcap").write_bytes(making.pcap(held, link=link))
        captures.anonymise(tmp_path / "job.pcap", tmp_path / "out.pcapng")
        assert card not in (tmp_path / "out.pcapng").read_bytes()
        assert len(captures.read(tmp_path / "out.pcapng").connections[0].packets) == len(held)
    assert (tmp_path / "out.pcapng").read_bytes().count(snap + bytes(12)) == len(bridged)


def test_what_cannot_be_anonymised_is_refused_and_nothing_written(tmp_path: Path):
    text = tmp_path / "job.txt"
    text.write_text("000000 A.1 > B.2: P 1:6(5) ack 1 win 9\n")
    with pytest.raises(StudyError, match="neither pcap nor pcapng: of a text, replace the names"):
        captures.anonymise(text, tmp_path / "out.pcapng")
    file = tmp_path / "job.pcap"
    file.write_bytes(making.pcap([making.Frame(0, bytes(UDP))]))
    with pytest.raises(StudyError, match="has no TCP"):
        captures.anonymise(file, tmp_path / "out.pcapng")
    file.write_bytes(making.pcap(making.frames(sent())))
    with pytest.raises(StudyError, match="there is no folder"):
        captures.anonymise(file, tmp_path / "gone" / "out.pcapng")
    before = file.read_bytes()
    with pytest.raises(StudyError, match="is the capture itself"):
        captures.anonymise(file, tmp_path / "." / "job.pcap")
    assert file.read_bytes() == before
    assert sorted(each.name for each in tmp_path.iterdir()) == ["job.pcap", "job.txt"]
