# SPDX-License-Identifier: GPL-2.0-only
"""What the segment table says of a path's far end, and that drawings show it: when a packet was
there, and which never came."""

import pytest
from study import systems
from study.base.units import seconds
from study.classroom.films import films, tables_of
from study.drawing.arrows import arrows
from study.programs.segments import COLUMNS, read
from study.scenarios.file_read import formulas
from study.scenarios.file_read.formulas import FileRead
from study.system.system import Result

ENDS = ("host", "device")
FROM_NEAR, LOST = 2, 7  # in a row of a film
MOST_ON_A_PATH = 32  # rows of a film, of bursts
ONE_WAY_S = 0.020
RATE_BPS = 1e6
PATH = {"link": "path", "rtt": "40ms", "path_rate": "1Mbps", "job_size": 100_000}


def job(**changes: object) -> Result:
    settings = PATH | {"receive_window": 17520} | changes
    return systems["hawking-hps1u"].with_(**settings).run(segments=True)


@pytest.fixture(scope="module")
def lossy(program) -> Result:
    """The SYN is packet 1 on the line, so these are data."""
    return job(path_lost_packets="20,31")


def test_a_packet_takes_the_propagation_its_line_and_the_queue(lossy: Result):
    busy_until_s = 0.0
    for packet in lossy.packets:
        if packet.lost:
            busy_until_s = max(busy_until_s, packet.time_s) + (packet.length + 42) * 8 / RATE_BPS
        elif packet.sender == "host":
            options_B = 4 if "S" in packet.flags else 0
            wire_s = (packet.length + 42 + options_B) * 8 / RATE_BPS  # TCP, IPv4, PPP
            busy_until_s = max(busy_until_s, packet.time_s) + wire_s
            assert packet.far_s == pytest.approx(busy_until_s + ONE_WAY_S, abs=2e-5)
        else:
            assert packet.far_s <= packet.time_s - ONE_WAY_S
    assert busy_until_s > 0.5  # the line is what it waits for


def test_the_packets_of_the_list_are_lost_and_no_other(lossy: Result):
    sent = [packet for packet in lossy.packets if packet.sender == "host"]
    assert [place for place, packet in enumerate(sent, 1) if packet.lost] == [20, 31]
    assert all((packet.far_s is None) == packet.lost for packet in sent)


@pytest.mark.parametrize(
    "changes", [{"path_queue": "4p"}, {"path_loss": 0.05, "seed": 3}], ids=["queue", "line"]
)
def test_as_many_are_lost_as_the_record_counts(program, changes: dict):
    result = job(**changes)
    record = result.record
    lost = sum(packet.lost for packet in result.packets)
    assert lost == record["path_losses"] + record["path_queue_drops"] > 0


def test_a_link_that_tells_nothing_leaves_the_table_as_it_was(program):
    result = systems["hawking-hps1u"].with_(job_size=5000).run(segments=True)
    assert {(packet.far_s, packet.lost) for packet in result.packets} == {(None, False)}


def test_a_request_s_way_and_the_server_s_time_are_those_of_the_idle_lines(program):
    """The workstation's table tells both ends of a read over frame relay."""
    result = systems["netware"].with_(file_size=20_000).run(segments=True)
    form = FileRead.of(result.parameters)
    way_s = formulas.one_way_s(form, formulas.request_ipx_B(form))
    asked, answers = result.packets[::2], result.packets[1::2]
    assert {p.sender for p in asked} == {"workstation"} and len(asked) == len(answers) > 10
    for request, answer in zip(asked, answers, strict=True):
        assert request.far_s - request.time_s == pytest.approx(way_s, abs=1e-6)
        assert answer.far_s - request.far_s == pytest.approx(form.server_time_s, abs=1e-9)


@pytest.mark.parametrize("protocol", ["request-reply", "packet-burst"])
def test_a_request_that_never_came_is_told_and_no_other(program, protocol: str):
    lossy = {"loss_to_headquarters": 0.2, "protocol": protocol, "seed": 3}
    result = systems["netware"].with_(file_size=100_000, **lossy).run(segments=True)
    lost = [packet for packet in result.packets if packet.lost]
    assert {packet.sender for packet in lost} == {"workstation"}
    assert len(lost) == result.record["line_losses"] > 0
    assert all((packet.far_s is None) == packet.lost for packet in result.packets)


def test_a_frame_relay_line_tells_when_the_branch_had_a_packet(program):
    """The device's own time is between a segment's arrival and its ACK; what is lost to it is all
    that the lines lost."""
    branch = systems["tcp-frame-relay"].with_(job_size=20 * 2920)  # it acknowledges each second one
    packets = branch.run(segments=True).packets
    came = {p.seq + p.length: p.far_s for p in packets if p.sender == "host" and p.length}
    latency_s = seconds(branch.parameters()["ack_latency"])
    acks = [p for p in packets if p.sender == "device" and p.ack in came]
    assert len(acks) > 15
    for ack in acks:
        assert ack.far_s - came[ack.ack] == pytest.approx(latency_s, abs=1e-6)
    lossy = branch.with_(loss_to_branch=0.05, seed=2).run(segments=True)
    assert sum(p.lost for p in lossy.packets) == lossy.record["line_losses"] > 0


def test_a_scaled_window_is_written_in_octets(program):
    result = job(receive_window=1_000_000, host_window_scale="auto", device_window_scale="auto")
    windows = [packet.window for packet in result.packets if packet.sender == "device"]
    assert windows[0] == 65535  # RFC 7323, 2.2: a SYN's is not scaled
    assert 900_000 < max(windows) <= 1_000_000


def test_a_drawing_slants_by_the_propagation_and_ends_a_lost_one(lossy: Result):
    drawn = arrows(lossy.packets, None)
    assert all(abs(arrow.far_ms - arrow.near_ms) >= ONE_WAY_S * 1000 for arrow in drawn)
    (shown,) = films([tables_of(lossy, ENDS)])
    assert [row for row in shown["packets"] if row[LOST:] and row[LOST]]
    assert {row[FROM_NEAR] for row in shown["packets"]} == {0, 1}
    arrived = [row for row in shown["packets"] if not (row[LOST:] and row[LOST])]
    assert all(came - sent >= ONE_WAY_S * 1e6 - 1 for sent, came, *_ in arrived)


def test_a_long_exchange_is_thinned_at_each_end_by_itself(program):
    """Every second packet is acknowledged: one in four of all packets would be of one end alone."""
    window = {"receive_window": 65535, "ack_frequency": 2, "ack_latency": "1ms"}
    result = job(job_size=2_000_000, path_rate="100Mbps", **window)
    (shown,) = films([tables_of(result, ENDS)])
    new = [row for row in shown["packets"] if row[0] >= 0]  # the others were in flight
    assert shown["every"] > 1 and len(new) <= MOST_ON_A_PATH + 2
    data = sum(row[FROM_NEAR] for row in shown["packets"])
    share = sum(packet.sender == "host" for packet in result.packets) / len(result.packets)
    assert data / len(shown["packets"]) == pytest.approx(share, abs=0.1)


def test_a_table_is_read_with_and_without_its_last_column():
    row = "0.5,host,1,10,,100,P,"
    with_far = read(",".join([*COLUMNS, "far_time_s"]) + f"\n{row},0.75\n{row},lost\n")
    assert [(packet.far_s, packet.lost) for packet in with_far] == [(0.75, False), (None, True)]
    assert read(",".join(COLUMNS) + f"\n{row}\n")[0].far_s is None
