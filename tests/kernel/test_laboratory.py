# SPDX-License-Identifier: GPL-2.0-only
"""Two real hosts at the ends of the wire, where this machine lets us make them; and what is said
where it does not."""

from collections import Counter

import pytest
from study.commands.main import main
from study.kernel import TABLE, capture, capture_cases, measure, namespaces
from study.kernel.transfers import Point
from test_cases import observe

SHORT = {
    "rtt": "20ms",
    "rate": "10Mbps",
    "command_text": 30000,
    "reply_write": 100,
    "losses": [5],
}
FEW_MS = 0.005


def _transfer(**given: object) -> capture.Capture:
    return capture.read(observe(**SHORT | given).table)


def test_a_transfer_through_the_kernel_ends_and_is_seen():
    """30 kB at 10 Mbit/s with a packet lost: three round trips at least, the line's time at least,
    and the lost one sent once more."""
    seen = _transfer()
    assert seen.duration_s > 0.06 + 30000 * 8 / 10e6 - FEW_MS
    assert (seen.fated("lost"), seen.resent(True)) == (1, 1)
    payload = {each.sequence: each.payload_B for each in seen.to_server if each.payload_B}
    assert sum(payload.values()) == 30000
    assert seen.pattern.startswith(">S0 <S0 >0 >1448*10 <0")


def test_a_burst_of_more_than_500_packets_reaches_the_wire():
    """So many a TUN interface has room for: what came after them was lost before the wire."""
    seen = _transfer(
        rtt="200ms", rate="1Gbps", queue=8000, mtu=576, command_text=1_200_000, losses=[]
    )
    bursts = Counter(round(each.entered_s / 0.1) for each in seen.to_server)
    assert max(bursts.values()) > 500
    assert (seen.resent(True), seen.fated("queue-full")) == (0, 0)


def test_a_window_asked_for_is_the_window_offered():
    """Within the fraction that the kernel learns only from the first packets, and rounding to
    MSS."""
    seen = _transfer(window=20000, losses=[], command_text=200000)
    assert 20000 - 2 * 1448 <= seen.largest_window_B(from_client=False) <= 20000
    assert seen.largest_outstanding_B(from_client=True) <= 20000


@pytest.mark.parametrize("chosen", [["--only", "1 byte"], ["--captures", "--only", "slow reader"]])
def test_where_namespaces_are_forbidden_one_line_says_so_and_nothing_is_written(
    chosen: list[str], monkeypatch, tmp_path, capsys
):
    def refuse(_: int) -> None:
        raise namespaces.Forbidden("unshare: Operation not permitted")

    monkeypatch.setattr(namespaces, "_unshare", refuse)
    monkeypatch.setattr(capture_cases, "CAPTURES", tmp_path / "captures")
    monkeypatch.setattr(capture_cases, "KEPT", tmp_path / "kept")
    kept = TABLE.read_bytes()
    assert main(["kernel", *chosen]) == 2
    assert capsys.readouterr().err == (
        "study: no network namespaces of our own here (unshare: Operation not permitted): the"
        " kernel cannot be measured, results/ stays as it is\n"
    )
    assert (list(tmp_path.iterdir()), TABLE.read_bytes()) == ([], kept)


def test_a_congestion_control_that_the_kernel_has_not_is_a_row_that_says_so(monkeypatch):
    monkeypatch.setattr(measure, "controls", lambda: ["reno"])
    point = Point("a short one", "test", SHORT | {"congestion_control": "bbr"}, "")
    row, packets = measure.measured(point, {"kernel": "", "clock": ""})
    assert (row["note"], packets) == ("not measured: this kernel has no bbr", [])
    assert "duration_s" not in row


def test_again_is_of_captures(capsys):
    assert main(["kernel", "--again"]) == 2
    assert "--again is of --captures" in capsys.readouterr().err
