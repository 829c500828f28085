# SPDX-License-Identifier: GPL-2.0-only
"""A capture of a modern transfer, as an independent reader sees it; and windows that cannot be."""

import subprocess
from pathlib import Path

import pytest

from tests.tshark import frames, matching, needs_tshark

MODERN = [
    f"--{end}-{option}"
    for end in ("host", "device")
    for option in ("window-scale=auto", "sack=true", "timestamps=true")
]
LONG_PIPE = ["--protocol=raw", "--link=path", "--path-delay=20ms", "--job-size=1000000"]


@needs_tshark
def test_a_capture_has_scaled_windows_sack_blocks_and_timestamps(program: Path, tmp_path: Path):
    capture = tmp_path / "modern.pcap"
    large = ["--receive-window=1000000", "--send-buffer=2000000", "--path-lost-packets=100,104"]
    subprocess.run(
        [program, *MODERN, *LONG_PIPE, *large, f"--pcap={capture}"], check=True, capture_output=True
    )
    assert (
        matching(capture, "tcp.analysis.window_full || _ws.malformed || tcp.checksum.status==0")
        == []
    )
    fields = ("tcp.srcport", "tcp.len", "tcp.window_size", "tcp.options.sack_le")
    seen = frames(capture, *fields)
    device = [frame for frame in seen if frame["tcp.srcport"] == "9100"]
    assert {int(frame["tcp.window_size"]) for frame in device[1:]} == {1_000_000}
    assert max(len(frame["tcp.options.sack_le"].split(",")) for frame in device) == 2
    assert max(int(frame["tcp.len"]) for frame in seen) == 1448
    assert len(matching(capture, "tcp.options.timestamp.tsval")) == len(seen)


@pytest.mark.parametrize(
    ("flags", "said"),
    {
        ("--receive-window=70000",): "needs window scaling at both ends",
        ("--receive-window=70000", "--device-window-scale=auto"): (
            "give --device-window-scale=auto and --host-window-scale=auto, or at most 65535 B"
        ),
        ("--device-window-scale=14",): "a shift of 14 announces windows of 16384 to",
        ("--host-receive-buffer=100000", "--host-window-scale=0"): (
            "a shift of 0 announces windows of 1 to 65535 B, and host-receive-buffer lets it grow"
        ),
        ("--host-window-scale=15",): "'15' is not one of the choices",
        ("--mss=8960",): "--path-mtu=9000",
    }.items(),
)
def test_what_cannot_be_announced_is_one_line(program: Path, flags, said: str):
    extra = ["--receive-window=4096"] if "14" in flags[0] else []
    done = subprocess.run([program, *flags, *extra], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert said in done.stderr
