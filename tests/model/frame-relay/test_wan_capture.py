# SPDX-License-Identifier: GPL-2.0-only
"""The capture of a branch's frame-relay line, as an independent reader sees it, and what is said
where there is no such line.

The tests of captures are skipped where no tshark is installed (Debian: `apt install tshark`).
"""

import json
import subprocess
from itertools import pairwise

import pytest

from tests.tshark import GOOD, frames, needs_tshark

FIELDS = (
    "frame.time_relative",
    "frame.protocols",
    "frame.len",
    "fr.dlci",
    "fr.de",
    "fr.becn",
    "ip.checksum.status",
    "tcp.checksum.status",
    "ip.src",
    "ip.ttl",
    "tcp.seq",
    "tcp.len",
    "tcp.ack",
    "_ws.malformed",
    "_ws.expert.group",
)
HOST = "10.0.0.1"
JOB = ("--link=frame-relay", "--protocol=raw", "--job-size=100000", "--seed=1")


def _run(program, *flags) -> subprocess.CompletedProcess[str]:
    return subprocess.run([program, *flags], capture_output=True, text=True)


@pytest.fixture(scope="module")
def job(program, tmp_path_factory):
    """A short job over the WAN: the frames at the host, and those on the branch's line."""
    folder = tmp_path_factory.mktemp("capture")
    host, line = folder / "host.pcap", folder / "line.pcap"
    done = _run(program, *JOB, f"--pcap={host}", f"--wan-pcap={line}")
    assert (done.returncode, done.stderr) == (0, "")
    return frames(host, *FIELDS), frames(line, *FIELDS)


@needs_tshark
def test_every_frame_of_both_captures_decodes_without_complaint(job):
    for seen, layers in zip(job, ("eth:ethertype:ip:tcp", "fr:ip:tcp"), strict=True):
        assert seen
        for number, frame in enumerate(seen, start=1):
            assert frame["frame.protocols"].startswith(layers), number
            assert frame["_ws.malformed"] == "", number
            assert frame["ip.checksum.status"] == frame["tcp.checksum.status"] == GOOD, number
            # Notes of TCP on its own sequence are all there may be.
            groups = set(filter(None, frame["_ws.expert.group"].split(",")))
            assert groups <= {str(0x02000000)}, number


@needs_tshark
def test_the_line_carries_the_host_s_packets_a_router_further(job):
    def data(frames):
        return [(f["tcp.seq"], f["tcp.len"]) for f in frames if f["ip.src"] == HOST]

    host, line = job
    assert data(host) == data(line)
    assert {f["ip.ttl"] for f in line if f["ip.src"] == HOST} == {"63"}
    assert {f["fr.dlci"] for f in line} == {"102"}, "the branch's number, in both directions"
    # Ethernet: 14 octets of header and 4 of check sequence; frame relay: 2 of address, 2 of RFC
    # 2427, and the check sequence is not in the capture.
    full = [[int(f["frame.len"]) for f in frames if f["tcp.len"] == "1460"] for frames in job]
    assert set(full[0]) == {1518} and set(full[1]) == {1504}


@needs_tshark
def test_full_frames_arrive_at_the_pace_of_the_line(job):
    _, line = job
    times = [float(f["frame.time_relative"]) for f in line if f["tcp.len"] == "1460"]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    # 1504 octets and 2 of check sequence, a zero to every 62 bits, and a flag, at 256 kbit/s.
    paced = (8 * 1506 * 63 / 62 + 8) / 256e3
    assert min(gaps) == pytest.approx(paced, abs=1.1e-6)  # a capture counts whole microseconds


@needs_tshark
def test_marks_of_the_network_are_in_the_capture(program, tmp_path):
    capture = tmp_path / "line.pcap"
    # A burst of 1500 octets is all that is promised, so later frames of a window are marked.
    done = _run(program, *JOB, "--committed-burst=12032", f"--wan-pcap={capture}")
    record = json.loads(done.stdout)
    seen = frames(capture, *FIELDS)
    assert {frame["tcp.checksum.status"] for frame in seen} == {GOOD}, "without --pcap too"
    marked = [f for f in seen if f["ip.src"] == HOST and f["fr.de"] in ("1", "True")]
    assert 0 < len(marked) <= record["wan_frames_marked"]


@pytest.mark.parametrize("scenario", ["print-job", "request-reply", "file-send"])
def test_without_a_frame_relay_line_its_capture_is_refused_and_nothing_written(
    program, tmp_path, scenario
):
    files = (f"--wan-pcap={tmp_path / 'w.pcap'}", f"--segments={tmp_path / 's.csv'}")
    done = _run(program.with_name(scenario), *files, f"--pcap={tmp_path / 'p.pcap'}")
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("wan-pcap: ")
    assert list(tmp_path.iterdir()) == []


def test_two_captures_do_not_share_a_file(program, tmp_path):
    file = tmp_path / "both.pcap"
    done = _run(program, "--link=frame-relay", f"--pcap={file}", f"--wan-pcap={file}")
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("flags", "limit"),
    [
        # A line of 256 kbit/s and a window that fills it; then a window of one segment, which
        # waits for its ACK across the cloud whatever the line.
        ((), "link"),
        (("--receive-window=1460",), "receive_window"),
    ],
)
def test_what_limits_a_job_over_the_wan(program, flags, limit):
    record = json.loads(_run(program, *JOB, *flags).stdout)
    assert record["outcome"] == "finished"
    limits = record["limits_s"]
    assert limits[limit] > 0.5 * record["duration_s"], limits
    assert sum(limits.values()) == pytest.approx(record["duration_s"])


def test_frames_the_wan_drops_are_counted_and_made_good(program):
    # No excess: what comes faster than one frame in its time at CIR is dropped at once.
    strict = ("--committed-rate=64kbps", "--committed-burst=12032", "--excess-burst=0")
    record = json.loads(_run(program, *JOB, *strict).stdout)
    assert record["outcome"] == "finished" and record["bytes"] == 100_000
    assert record["wan_frames_policed"] > 0 and record["retransmissions"] > 0


def test_frames_that_a_router_drops_and_a_line_loses_are_counted(program):
    def run(*flags) -> dict:
        return json.loads(_run(program, *JOB, *flags).stdout)

    # A window of twelve segments before a line slower than the branch's, and room for four.
    slow = ("--headquarters-access-rate=64kbps", "--router-queue=4")
    narrow = run(*slow, "--receive-window=17520")
    lossy = run("--loss-to-branch=0.05")
    for record, counter in ((narrow, "router_drops"), (lossy, "line_losses")):
        assert record["outcome"] == "finished" and record[counter] > 0
        assert record["retransmissions"] >= record[counter]
    assert narrow["line_losses"] == lossy["router_drops"] == 0
