# SPDX-License-Identifier: GPL-2.0-only
"""Claims about published worked examples: where somebody printed the arithmetic of a transfer and
measured nothing, the closed forms give what was printed, as far as it was rounded."""

from dataclasses import replace

import pytest
from study import systems
from study.scenarios.print_job import long_path
from study.scenarios.print_job.messages import PrintJob

KB, KIB, MB, MBIT = 1e3, 1024, 1e6, 1e6 / 8
# Window, round trip, the printed rate in bytes a second and by how much its rounding may be off.
WINDOWS = [
    # iPXE, commit ea61075c6 (2012), "[tcp] Add support for TCP window scaling": "around 300kB/s"
    (65536, 0.2, 300 * KB, 0.1),
    # iPXE, src/include/ipxe/tcp.h before commit 07bc73e08 (2012): 48 kB, 200 ms, "240kB/s"
    (48 * KB, 0.2, 240 * KB, 0.001),
    # Satcom Resources, "TCP throughput calculator", worked example: a satellite's 750 ms
    (65536, 0.75, 699_050 / 8, 0.001),
    # microsoft/Office-Online-Test-Tools-and-Documentation, issue 243: 64 KB, 200 ms, 2.5 Mbit/s
    (64 * KIB, 0.2, 2.5 * MBIT, 0.05),
    # cb7chaitanya/networking, pull request 19: 64 KiB, 100 ms, 5.2 Mbps
    (64 * KIB, 0.1, 5.2 * MBIT, 0.01),
    # arumes31/uplarr, pull request 257: 32 KB, 10 ms, 3.2 MB/s
    (32 * KIB, 0.01, 3.2 * MB, 0.03),
    # pilot-protocol/pilotprotocol, pull request 446: 128 KB, 100 ms, "~1.3 MB/s"
    (128 * KIB, 0.1, 1.3 * MB, 0.02),
]
# Rate, round trip, and the window that it was printed to need, which some round up.
NEEDED = [
    # iPXE, commit 2d180ce23 (2023), src/include/ipxe/tcp.h, in its words "window size": rounded up
    (125 * MB, 0.0005, 64 * KB, 0.03),
    (1250 * MB, 0.0005, 640 * KB, 0.03),
    (50 * MB, 0.025, 1280 * KB, 0.03),
    (5 * MB, 0.25, 1280 * KB, 0.03),
    # SystemsApproach/tcpcc, issue 14: table 2 of section 2.3.2 at 100 ms, computed anew
    (1.5 * MBIT, 0.1, 18.3 * KIB, 0.003),
    (45 * MBIT, 0.1, 549.3 * KIB, 0.003),
    (155 * MBIT, 0.1, 1.8 * KIB**2, 0.03),
    (2500 * MBIT, 0.1, 29.8 * KIB**2, 0.003),
    (10_000 * MBIT, 0.1, 119.2 * KIB**2, 0.003),
    # golang/go, issue 17985: 5.55 MB/s and 55 ms, "about 320KB"
    (5.55 * MB, 0.055, 320 * KB, 0.05),
]


@pytest.fixture(scope="module")
def pipe(program) -> PrintJob:
    """A path with nothing on it but its propagation."""
    job = PrintJob.of(systems["http2-go"].run().parameters)
    nothing = dict.fromkeys(("ack_latency_s", "reply_time_s", "path_delay_s"), 0.0)
    fast = dict.fromkeys(("path_rate_bps", "path_access_rate_bps"), 1e15)
    return replace(job, send_buffer_B=1e9, mss_B=1.0, host_timestamps="false", **nothing, **fast)


@pytest.mark.parametrize(("window_B", "rtt_s", "rate_Bps", "rounded"), WINDOWS)
def test_a_window_a_round_trip(
    pipe: PrintJob, window_B: float, rtt_s: float, rate_Bps: float, rounded: float
):
    job = replace(pipe, receive_window_B=window_B, rtt_s=rtt_s)
    assert long_path.steady_rate_Bps(job) == pytest.approx(rate_Bps, rel=rounded)


@pytest.mark.parametrize(("rate_Bps", "rtt_s", "window_B", "rounded"), NEEDED)
def test_the_window_that_a_rate_needs(
    pipe: PrintJob, rate_Bps: float, rtt_s: float, window_B: float, rounded: float
):
    """With it the path carries the rate, and with less than the rounding takes off it does not."""
    for share, enough in ((1 + rounded, True), ((1 - rounded) * 0.99, False)):
        job = replace(pipe, receive_window_B=float(int(window_B * share)), rtt_s=rtt_s)
        assert (long_path.steady_rate_Bps(job) >= rate_Bps) == enough


def test_a_client_that_waits_for_200_ms_at_each_command(program):
    """ethersex/ethersex, issue 257: 20 commands of 20 ms to a sender that waits for each ACK, and
    Windows withholds that for 200 ms: 4.4 s."""
    from study.scenarios.request_reply import formulas
    from study.scenarios.request_reply.formulas import Exchange

    exchange = Exchange.of(systems["telnet-xp"].with_(commands=3).run().parameters)
    stalled = replace(
        exchange,
        commands=20,
        client_delayed_ack_s=0.2,
        client_quick_acks=0,
        client_ack_timer="one-shot",
        client_time_s=0.0,
        server_time_s=0.02,
        command_end_B=0.0,
        command_text_B=10.0,
        echo="false",
        reply_writes=2,
        reply_write_time_s=1e-6,
    )
    assert formulas.operation_s(stalled) == pytest.approx(20 * (0.2 + 0.02), rel=0.02)
