# SPDX-License-Identifier: GPL-2.0-only
"""Captures as an independent reader sees them: tshark decodes every layer and complains of nothing.

Skipped where no tshark is installed (Debian: `apt install tshark`).
"""

import pytest
from study import systems

from tests.tshark import GOOD, frames, matching, needs_tshark

pytestmark = needs_tshark

FIELDS = (
    "frame.time_relative",
    "frame.protocols",
    "eth.fcs.status",
    "ip.checksum.status",
    "tcp.checksum.status",
    "ip.src",
    "tcp.seq",
    "tcp.len",
    "tcp.ack",
    "tcp.window_size_value",
    "_ws.malformed",
    "tcp.analysis.window_full",
)
HOST = "10.0.0.1"


@pytest.fixture(scope="module")
def job(tmp_path_factory):
    """A short job, its segment table, and its capture as tshark reads it."""
    capture = tmp_path_factory.mktemp("capture") / "job.pcap"
    short = systems["hawking-hps1u"].with_(job_size=20_000)
    return short.run(segments=True, pcap=capture).packets, frames(capture, *FIELDS)


def test_every_frame_decodes_to_tcp_with_good_checksums(job):
    _, frames = job
    for number, frame in enumerate(frames, start=1):
        assert frame["frame.protocols"].startswith("eth:ethertype:ip:tcp"), number
        assert frame["_ws.malformed"] == "", number
        for layer in ("eth.fcs", "ip.checksum", "tcp.checksum"):
            assert frame[f"{layer}.status"] == GOOD, (number, layer)


def test_the_dialogue_is_recognised_as_lpd(job):
    segments, frames = job
    with_payload = [frame for frame in frames if frame["tcp.len"] != "0"]
    assert len(with_payload) == sum(segment.length > 0 for segment in segments)
    assert all(":lpd" in frame["frame.protocols"] for frame in with_payload)


def test_tshark_sees_the_window_fill(job):
    segments, frames = job
    full = {frame["tcp.seq"] for frame in frames if frame["tcp.analysis.window_full"]}
    # The second segment of each pair fills the window of 2920 bytes.
    filling = [s for s in segments if s.sender == "host" and s.stopped_by == "receive_window"]
    assert full and full <= {str(segment.seq) for segment in filling}


def test_capture_and_segment_table_are_the_same_packets(job):
    segments, frames = job
    assert len(frames) == len(segments)
    start = segments[0].time_s
    for frame, segment in zip(frames, segments, strict=True):
        assert (frame["ip.src"] == HOST) == (segment.sender == "host")
        assert int(frame["tcp.len"]) == segment.length
        assert int(frame["tcp.seq"]) == segment.seq
        assert int(frame["tcp.window_size_value"]) == segment.window
        if segment.ack is not None:
            assert int(frame["tcp.ack"]) == segment.ack
        # A capture counts whole microseconds.
        assert float(frame["frame.time_relative"]) == pytest.approx(
            segment.time_s - start, abs=1.1e-6
        )


def test_tshark_finds_nothing_amiss_in_an_exchange_of_commands(program, tmp_path):
    """Two hosts of ours, Telnet by their port: no checksum, retransmission or window it minds."""
    result = systems["telnet-xp"].run(segments=True, pcap=tmp_path / "telnet.pcap")
    seen = frames(tmp_path / "telnet.pcap", *FIELDS)
    assert len(seen) == len(result.packets)
    telnet = [frame for frame in seen if frame["frame.protocols"].endswith(":telnet")]
    assert len(telnet) == 50 * 5  # text, echo, end of line, two parts of the reply
    for number, frame in enumerate(seen, start=1):
        assert frame["_ws.malformed"] == "", number
        for layer in ("eth.fcs", "ip.checksum", "tcp.checksum"):
            assert frame[f"{layer}.status"] == GOOD, (number, layer)
    assert matching(tmp_path / "telnet.pcap", "tcp.analysis.flags") == []
