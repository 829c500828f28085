# SPDX-License-Identifier: GPL-2.0-only
"""NetWare captures as an independent reader sees them: every frame is IPX with NCP in it, and
tshark complains of nothing.

Skipped where no tshark is installed (Debian: `apt install tshark`).
"""

import csv
import subprocess
from dataclasses import dataclass
from itertools import pairwise

import pytest
from study.base.project import ROOT

from tests.tshark import GOOD, frames, needs_tshark

pytestmark = needs_tshark

FIELDS = (
    "frame.time_relative",
    "frame.len",
    "frame.protocols",
    "_ws.col.Protocol",
    "_ws.malformed",
    "_ws.expert",
    "eth.fcs.status",
    "ipx.src.node",
    "ipx.hops",
    "ncp.type",
    "ncp.func",
    "ncp.req_frame_num",
    "ncp.system_flags.sys",
    "ncp.system_flags.eob",
    "ncp.burst_command",
    "ncp.delay_time",
    "ncp.missing_fraglist_count",
    "data.len",
)
WAN_FIELDS = ("frame.protocols", "_ws.col.Protocol", "_ws.malformed", "_ws.expert")
REQUEST, REPLY, BURST = "0x2222", "0x3333", "0x7777"
HEADERS = 14 + 30 + 36  # of a burst's packet: Ethernet, IPX, burst
FCS = 4
LOSSES = ("--loss-to-branch=0.2", "--loss-to-headquarters=0.1", "--seed=2")


@dataclass(frozen=True)
class Capture:
    """A transfer's captures as tshark reads them, and its segment table."""

    frames: list[dict[str, str]]
    segments: list[dict[str, str]]
    wan_frames: list[dict[str, str]]

    def frames_with(self, field: str, value: str) -> list[dict[str, str]]:
        return [frame for frame in self.frames if frame[field] == value]


def _capture(folder, *flags: str) -> Capture:
    program = ROOT / "build" / "file-read"
    if not program.is_file():
        pytest.fail("there is no build/file-read: run ./waf build")
    pcap, wan, table = folder / "read.pcap", folder / "wan.pcap", folder / "read.csv"
    files = (f"--pcap={pcap}", f"--wan-pcap={wan}", f"--segments={table}")
    subprocess.run([program, "--file-size=60000", *files, *flags], capture_output=True, check=True)
    with table.open() as file:
        return Capture(frames(pcap, *FIELDS), list(csv.DictReader(file)), frames(wan, *WAN_FIELDS))


@pytest.fixture(scope="module")
def request_reply(tmp_path_factory) -> Capture:
    return _capture(tmp_path_factory.mktemp("request-reply"), *LOSSES)


@pytest.fixture(scope="module")
def packet_burst(tmp_path_factory) -> Capture:
    burst = ("--protocol=packet-burst", "--burst-size=8", "--burst-gap=2ms")
    return _capture(tmp_path_factory.mktemp("packet-burst"), *burst, *LOSSES)


@pytest.fixture(params=["request_reply", "packet_burst"])
def capture(request) -> Capture:
    return request.getfixturevalue(request.param)


def test_every_frame_is_ncp_over_ipx_and_nothing_is_wrong_with_it(capture):
    assert capture.frames
    for number, frame in enumerate(capture.frames, start=1):
        assert frame["frame.protocols"].startswith("eth:ethertype:ipx"), number
        assert frame["_ws.col.Protocol"] == "NCP", number
        assert frame["_ws.malformed"] == "", number
        assert frame["_ws.expert"] == "", number
        assert frame["eth.fcs.status"] == GOOD, number


def test_so_it_is_on_the_frame_relay_line(capture):
    assert len(capture.wan_frames) >= len(capture.frames)  # the lost ones are there too
    for number, frame in enumerate(capture.wan_frames, start=1):
        assert frame["frame.protocols"].startswith("fr:ipx"), number
        assert frame["_ws.col.Protocol"] == "NCP", number
        assert frame["_ws.malformed"] + frame["_ws.expert"] == "", number


def test_the_server_is_two_routers_away(capture):
    own = capture.frames[0]["ipx.src.node"]
    for frame in capture.frames:
        assert frame["ipx.hops"] == ("0" if frame["ipx.src.node"] == own else "2")


def test_reads_and_their_replies_are_matched(request_reply):
    requests = request_reply.frames_with("ncp.type", REQUEST)
    replies = request_reply.frames_with("ncp.type", REPLY)
    assert len(requests) + len(replies) == len(request_reply.frames)
    assert {frame["ncp.func"] for frame in requests + replies} == {"0x48"}  # Read From A File
    assert all(frame["ncp.req_frame_num"] for frame in replies)
    # As the source's analyzer counts: requests without, replies with the frame check sequence.
    assert {int(frame["frame.len"]) for frame in requests} == {64 + FCS}
    assert {int(frame["frame.len"]) for frame in replies[:-1]} == {1494}


def test_bursts_are_commands_fragments_and_lists(packet_burst):
    assert {frame["ncp.type"] for frame in packet_burst.frames} == {BURST}
    commands = packet_burst.frames_with("ncp.burst_command", "0x01000000")
    lists = packet_burst.frames_with("ncp.system_flags.sys", "1")
    fragments = [frame for frame in packet_burst.frames if frame["data.len"]]
    assert commands and lists and fragments
    assert len(commands) + len(lists) + len(fragments) == len(packet_burst.frames)
    assert {frame["ncp.delay_time"] for frame in commands} == {"20"}  # in 100 us
    for frame in fragments:
        assert int(frame["frame.len"]) == HEADERS + int(frame["data.len"]) + FCS
    assert max(int(frame["frame.len"]) for frame in fragments) == 1484
    for frame in lists:
        ranges = int(frame["ncp.missing_fraglist_count"])
        assert ranges > 0
        assert int(frame["frame.len"]) == HEADERS + 6 * ranges + FCS


def test_capture_and_segment_table_are_the_same_packets(capture):
    own = capture.frames[0]["ipx.src.node"]
    for frame, segment in zip(capture.frames, capture.segments, strict=True):
        sender = "workstation" if frame["ipx.src.node"] == own else "server"
        assert segment["sender"] == sender
        assert bool(int(segment["length"])) == (sender == "server")
        # A capture counts whole microseconds.
        assert float(frame["frame.time_relative"]) == pytest.approx(
            float(segment["time_s"]), abs=1.1e-6
        )


def test_the_segments_cover_the_file_once_but_for_what_was_asked_for_again(capture):
    data = [segment for segment in capture.segments if segment["sender"] == "server"]
    pieces = sorted({(int(piece["seq"]), int(piece["length"])) for piece in data})
    assert pieces[0][0] == 1
    assert all(seq + length == following for (seq, length), (following, _) in pairwise(pieces))
    assert sum(pieces[-1]) == 60001


def test_a_request_permits_what_it_asks_for(packet_burst):
    """Every piece of data lies in what the last request or list before it asked for."""
    for segment in packet_burst.segments:
        if segment["sender"] == "workstation":
            begin = int(segment["ack"])
            permitted = int(segment["window"])
        else:
            assert int(segment["seq"]) >= begin
            permitted -= int(segment["length"])
            assert permitted >= 0
    stops = {segment["stopped_by"] for segment in packet_burst.segments}
    assert stops == {"", "burst_gap", "request"}


def test_a_list_is_just_what_is_missing(packet_burst):
    missing: set[int] = set()
    lists = 0
    for segment in packet_burst.segments:
        if segment["sender"] == "server":
            begin = int(segment["seq"])
            missing -= set(range(begin, begin + int(segment["length"])))
        elif missing:
            lists += 1
            assert (int(segment["ack"]), int(segment["window"])) == (min(missing), len(missing))
        else:
            begin = int(segment["ack"])
            missing = set(range(begin, begin + int(segment["window"])))
    assert lists > 0 and missing == set()


def test_the_end_of_a_burst_is_where_the_server_waits_for_a_request(packet_burst):
    for frame, segment in zip(packet_burst.frames, packet_burst.segments, strict=True):
        if segment["sender"] == "server":
            last = frame["ncp.system_flags.eob"] == "1"
            assert segment["stopped_by"] == ("request" if last else "burst_gap")
