# SPDX-License-Identifier: GPL-2.0-only
"""A capture that is read in pieces, its columns in temporary files, is what it is read at once."""

from collections.abc import Callable
from dataclasses import astuple, replace

import numpy as np
import pytest
from study.captures import duplicates, frames, growing, pcap
from study.captures.reading import Capture

from tests.captures import making
from tests.captures.making import ACK, RST, SYN, Packet

MADE = making.transfer(12)
LATER = making.transfer(9, 700, 60_000_000, 77_000)
WRAPS = making.transfer(40, 1000, isn=2**32 - 9_500)
HELD = {
    "plain": MADE,
    "numbers that wrap": WRAPS,
    "a port used again": [*MADE, *LATER],
    "two connections in turn": sorted(
        [*MADE, *(replace(each, us=each.us + 3, port=1024) for each in MADE)],
        key=lambda each: each.us,
    ),
    "written late": [*MADE[:9], MADE[10], MADE[9], *MADE[11:]],
    "no SYN": MADE[3:],
    "a SYN in the middle": [*MADE[3:], *MADE[:2]],
    "one that was missed": [*MADE[:13], *MADE[15:]],
    "sent again": [*MADE[:13], replace(MADE[11], us=MADE[12].us + 9, ip_id=99), *MADE[13:]],
    "every packet twice": [each for each in MADE for _ in range(2)],
    "a reset with any number": [
        *MADE[:13],
        Packet(MADE[12].us + 5, 4_000_000_000, 0, RST | ACK, ip_id=99),
        *MADE[13:],
    ],
    "a SYN sent again": [MADE[0], replace(MADE[0], us=MADE[0].us + 9, ip_id=99), *MADE[1:]],
    "another's SYN": [*MADE, Packet(90_000_000, 1, 0, SYN, port=1025), *LATER],
}


def told(capture: Capture) -> tuple:
    """All that it says."""
    connections = [
        (
            *(each.client, each.server, each.notes, each.start_s),
            *(astuple(each.client_offer), astuple(each.server_offer)),
        )
        for each in capture.connections
    ]
    return capture.notes, connections


@pytest.mark.parametrize("name", HELD)
def test_pieces_make_the_same_connections_as_the_whole(
    name: str, read: Callable[[bytes], Capture], monkeypatch
):
    data = making.pcap(making.frames(HELD[name]))
    whole = read(data)
    packets = [each.packets.copy() for each in whole.connections]
    monkeypatch.setattr(growing, "IN_MEMORY", 3)
    monkeypatch.setattr(growing, "CHUNK_ROWS", 4)
    monkeypatch.setattr(duplicates, "CHUNK_ROWS", 4)
    monkeypatch.setattr(pcap, "WALKED", 2)
    parts = read(data)
    assert told(parts) == told(whole)
    for one, other in zip(parts.connections, packets, strict=True):
        assert np.array_equal(one.packets, other)


def test_copies_are_looked_for_also_where_later_packets_come_faster(monkeypatch):
    """More packets within the largest distance of two copies than a piece has, and others before:
    reading such a capture ends."""
    slow_ns = np.arange(16) * duplicates.IDENTIFIED_NS
    time_ns = np.append(slow_ns, slow_ns[-1] + np.arange(40))
    columns = {name: np.arange(len(time_ns)) for name in duplicates.SAME} | {"time_ns": time_ns}
    monkeypatch.setattr(duplicates, "CHUNK_ROWS", 4)
    calls = iter(range(len(time_ns)))  # a piece begins behind the one before
    found = duplicates.copies(columns, np.ones(len(time_ns), bool), lambda: next(calls))
    assert not found.any()


def test_a_long_capture_is_mapped_and_not_held(read: Callable[[bytes], Capture], monkeypatch):
    monkeypatch.setattr(growing, "IN_MEMORY", 3)
    packets = read(making.pcap(making.frames(MADE))).connections[0].packets
    for name in ("number", "time_ns", "seq", "ack"):
        assert not packets[name].flags.owndata, name
    assert packets["flags"][-1] & ACK


def test_columns_of_a_long_capture_are_asked_for_as_rows_are(
    read: Callable[[bytes], Capture], monkeypatch
):
    rows = read(making.pcap(making.frames(MADE))).connections[0].packets.copy()
    monkeypatch.setattr(growing, "IN_MEMORY", 3)
    columns = read(making.pcap(making.frames(MADE))).connections[0].packets
    assert len(columns) == len(rows)
    assert columns.dtype == rows.dtype
    some = rows["length"] > 0
    for key in (slice(2, 7), some, np.flatnonzero(some)[::-1]):
        assert np.array_equal(columns[key], rows[key])
    copied = columns[2:7].copy()
    for name in rows.dtype.names:
        assert copied[name].dtype == rows.dtype[name], name
    copied["time_ns"] = copied["time_ns"] + 1
    assert np.array_equal(columns[2:7], rows[2:7])


def test_no_room_for_a_long_capture_is_one_sentence(
    read: Callable[[bytes], Capture], monkeypatch, tmp_path
):
    monkeypatch.setattr(growing, "IN_MEMORY", 3)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "not there"))
    with pytest.raises(growing.StudyError, match="no room for the packets of a large capture"):
        read(making.pcap(making.frames(MADE)))


def test_an_address_is_the_same_whether_others_of_its_piece_are_ipv6(
    read: Callable[[bytes], Capture], monkeypatch
):
    """Where all are IPv4's they are read as numbers, else as rows of 16 bytes."""
    other = [making.Frame(each.us + 1, making.ethernet(making.ip6(each))) for each in MADE[:2]]
    held = [*making.frames(MADE[:8]), *other, *making.frames(MADE[8:])]
    held.sort(key=lambda each: each.us)
    whole = read(making.pcap(held))
    monkeypatch.setattr(frames, "CHUNK", 100)
    parts = read(making.pcap(held))
    assert told(parts) == told(whole)
    assert sorted(len(each.packets) for each in parts.connections) == [2, len(MADE)]
