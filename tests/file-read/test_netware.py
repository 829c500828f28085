# SPDX-License-Identifier: GPL-2.0-only
"""Claims about NetWare over frame relay: what limits it, what the article says of its packets, and
where the closed forms hold."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from study import Result, System, systems
from study.answers import run_text
from study.judging import alignment, notation
from study.judging.comparison import compare
from study.scenarios.file_read import formulas as file_read
from study.scenarios.file_read.formulas import FileRead

TIMELINES = Path(__file__).parent / "timelines"
PROTOCOLS = {"request-reply": {"read_size": 700}, "packet-burst": {"burst_size": 5}}


@pytest.fixture(scope="module")
def netware(program: Path) -> System:
    return systems["netware"]


@pytest.fixture(scope="module")
def burst(netware: System) -> System:
    return netware.with_(protocol="packet-burst")


def read_of(system: System) -> FileRead:
    return FileRead.of(system.run().parameters)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_packets_come_as_the_article_says(netware: System, protocol: str):
    packets = netware.with_(protocol=protocol).run(segments=True).packets
    exchange = notation.read(TIMELINES / f"netware-{protocol}.txt")
    rows = alignment.compare(exchange, packets)
    assert not alignment.mismatches(rows), "\n".join(map(str, alignment.mismatches(rows)))


def test_the_articles_figures_come_out_within_a_percent(netware: System):
    """All but those that the article itself gives to one digit or computes wrongly."""
    rows = {row.measured.quantity: row for row in compare(netware, netware.run(segments=True))}
    for quantity in (
        "reply after its request",
        "one packet a round trip",
        "arrival of a burst's packets",
        "file transfer, request and reply",
        "file transfer, packet burst",
    ):
        assert abs(rows[quantity].residual_pct) <= 1, rows[quantity]


def test_the_bits_that_hdlc_stuffs_are_not_what_makes_the_burst_come_out(burst: System):
    """What the file holds is not given: from no stuffed bit to one in 62 the arrival stays within
    1.2 % of 254 kbit/s."""
    for share in (0, 1 / 62):
        rate_bps = file_read.burst_arrival_Bps(read_of(burst.with_(stuffed_bits=share))) * 8
        assert rate_bps == pytest.approx(254e3, rel=0.012)


def test_no_other_burst_comes_closer_to_28_kB_a_second(burst: System):
    """The one fitted number is what the fit gives."""
    measured_Bps = 28_000

    def miss_Bps(size: int) -> float:
        return abs(burst.with_(burst_size=size).run().throughput_Bps - measured_Bps)

    fitted = int(burst.settings["burst_size"].value)
    assert min(range(fitted - 4, fitted + 5), key=miss_Bps) == fitted


def test_a_burst_takes_a_tenth_of_the_requests_or_fewer(netware: System, burst: System):
    requests = [system.run().record["requests"] for system in (netware, burst)]
    assert requests[1] * 10 <= requests[0]


def test_four_and_a_half_times_the_line_is_not_even_twice_the_rate(netware: System):
    slow = netware.with_(branch_access_rate="56kbps", committed_rate="56kbps").run()
    assert 1.8 < netware.run().throughput_Bps / slow.throughput_Bps < 2.1


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"branch_access_rate": "56kbps"},
        {"branch_access_rate": "10Mbps", "committed_rate": "10Mbps"},
        {"cloud_delay": "0s"},
        {"router_latency": "3ms", "server_time": "20ms"},
        {"headquarters_access_rate": "64kbps"},
        {"file_size": 1},
        {"file_size": 100_001},
        {"burst_gap": "100ms"},
        {"burst_gap": "70050us"},
        {"branch_lan_rate": "100kbps"},
        {"headquarters_lan_rate": "200kbps"},
        {"stuffed_bits": 0},
    ],
    ids=str,
)
def test_the_file_takes_the_time_of_the_closed_form(netware: System, protocol: str, changes: dict):
    """Both say what every line does with every packet. A LAN that is busy is looked at again after
    each of its gaps between two frames."""
    shorter = {"file_size": 200_000, "protocol": protocol} | PROTOCOLS[protocol] | changes
    result = netware.with_(**shorter).run()
    expected_s = file_read.whole_file_s(FileRead.of(result.parameters))
    assert result.duration_s == pytest.approx(expected_s, abs=1e-6)


def test_a_window_goes_on_where_a_burst_waits(burst: System):
    """The same octets without waiting: TCP's window is used again with every ACK, so from the
    path's own round trip on it fills the line; the burst pays the round trip each time."""
    read = replace(read_of(burst), burst_size=13)  # as many octets as the window below
    tcp = systems["tcp-frame-relay"].with_(receive_window=17520).run()
    assert file_read.permitted_B(read) >= 17520
    assert tcp.throughput_Bps > 1.2 * file_read.read_rate_Bps(read)


DROPS = ("wan_frames_policed", "wan_frames_congested", "router_drops", "line_losses")


@pytest.mark.parametrize(
    ("changes", "counter"),
    [
        # 100 fit the router's queue; at the switch those that are marked are dropped.
        ({"burst_size": 100}, "wan_frames_congested"),
        ({"burst_size": 128, "excess_burst": 2_000_000}, "router_drops"),
        ({"committed_burst": 300_000, "excess_burst": 0}, "wan_frames_policed"),
        ({"loss_to_branch": 0.02}, "line_losses"),
    ],
    ids=lambda value: str(value),
)
def test_every_packet_sent_again_is_one_that_was_lost(burst: System, changes: dict, counter: str):
    """Whoever loses a packet counts it; nothing else is sent again, with or without timeouts."""
    record = burst.with_(file_size=2_000_000, **changes).run().record
    assert record["outcome"] == "finished" and record[counter] > 0
    assert record["retransmissions"] == sum(record[name] for name in DROPS)
    assert record["repeated_requests"] == record["needless_retransmissions"] == 0


def test_what_rounds_to_28_kB_a_second_allows_the_bursts_that_are_told(burst: System):
    low, high = burst.settings["burst_size"].range
    for size in range(int(low) - 1, int(high) + 2):
        rate_Bps = burst.with_(burst_size=size).run().throughput_Bps
        assert (27_500 <= rate_Bps < 28_500) == (low <= size <= high), size


@pytest.mark.parametrize("seed", range(1, 9))
def test_a_lost_packet_costs_its_own_retransmission_and_bounded_time(burst: System, seed: int):
    """A packet from the middle costs at most a list, a round trip and a packet's time; the last one
    also the wait until it is missed. Lost once more, it costs that again."""
    whole = {"file_size": 20 * (45 * 1400 - 8)}
    clean = burst.with_(**whole).run()
    lossy = burst.with_(**whole, loss_to_branch=0.02, seed=seed).run(segments=True)
    assert lossy.outcome == "finished" and lossy.bytes == clean.bytes
    lost = lossy.record["retransmissions"]
    assert lost > 0 and lossy.record["packets"] == clean.record["packets"] + lost
    read = FileRead.of(lossy.parameters)
    lists, waits_s = lossy.record["missing_lists"], _waits_s(lossy)
    # A list is larger than a request by 6 octets a gap in what has come, less the 24 of the read.
    list_s = file_read.one_way_s(read, file_read.IPX_B + file_read.BURST_HEADER_B + 6 * 10)
    answer_s = file_read.reply_s(read) - file_read.one_way_s(read, file_read.request_ipx_B(read))
    bound_s = lists * (list_s + answer_s) + lost * file_read.spacing_s(read)
    assert lossy.duration_s - clean.duration_s <= bound_s + sum(waits_s)
    least_s = sum(wait_s - file_read.spacing_s(read) for wait_s in waits_s)
    assert lossy.duration_s - clean.duration_s >= least_s


def _waits_s(result: Result) -> list[float]:
    """How long each list waited that went out only after ReplyTimeout, with no packet just before
    it; unanswered it doubles, from 1 s."""
    silences = [
        packet.time_s - before.time_s
        for before, packet in pairwise(result.packets)
        if packet.sender == "workstation" and packet.time_s - before.time_s >= 1
    ]
    assert all(round(silence_s) in (1, 2, 4, 8) for silence_s in silences)
    return silences


def test_a_gap_longer_than_the_timeout_is_not_a_loss(burst: System):
    for changes in ({"burst_gap": "2s"}, {"burst_gap": "1500ms", "maximum_retries": 0}):
        result = burst.with_(file_size=200_000, **changes).run()
        assert result.outcome == "finished"
        again = ("missing_lists", "repeated_requests", "retransmissions")
        assert [result.record[name] for name in again] == [0, 0, 0]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_slow_line_is_not_a_loss(netware: System, protocol: str):
    """A packet takes 1.3 s at 9600 bit/s, more than ReplyTimeout."""
    slow = {"branch_access_rate": "9600bps", "committed_rate": "9600bps", "file_size": 100_000}
    record = netware.with_(protocol=protocol, **slow).run().record
    again = ("missing_lists", "repeated_requests", "retransmissions", "needless_retransmissions")
    assert [record[name] for name in again] == [0, 0, 0, 0]


def test_spurious_retransmissions_are_told(netware: System):
    result = netware.with_(file_size=1436).run()
    assert "spurious" not in run_text.facts(result)
    wasteful = replace(result, record=result.record | {"needless_retransmissions": 1234})
    assert run_text.facts(wasteful)["spurious"] == "1,234 retransmitted packets that had arrived"


def test_requests_are_what_a_window_is(netware: System):
    """In the segment table a request is an acknowledgment with a window: nothing of the server's
    exceeds it."""
    packets = netware.with_(file_size=20_000).run(segments=True).packets
    for request, data in pairwise(packets):
        if request.sender == "workstation":
            assert request.ack <= data.seq
            assert data.seq + data.length <= request.ack + request.window
