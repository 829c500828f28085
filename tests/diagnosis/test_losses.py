# SPDX-License-Identifier: GPL-2.0-only
"""Lost packets have the same numbers in captures of both ends, unless a retransmission was lost as
well; what was overtaken is not lost."""

from dataclasses import replace

import numpy as np
import pytest
from study import systems
from study.diagnosis.facts import Facts
from study.diagnosis.losses import fills_of
from study.diagnosis.of_run import connection_of_segments
from study.diagnosis.phases import OUTAGE, phases_of
from study.diagnosis.told import facts_told
from study.diagnosis.transfer import Transfer
from study.diagnosis.vantage import as_seen_by_sender, find_vantage

RTT_MS, REORDERING = 40, 0.25  # as it is meant


def facts(lost: str, at_device: bool) -> Facts:
    job = {"job_size": 200_000, "rtt": f"{RTT_MS}ms", "path_lost_packets": lost}
    packets = systems["http2-go"].with_(**job).run(segments=True).packets
    connection = connection_of_segments(packets, at_device=at_device)
    vantage = find_vantage(connection)
    assert vantage.at == ("receiver" if at_device else "sender")
    return Facts(Transfer(as_seen_by_sender(connection, vantage)), vantage)


@pytest.mark.parametrize("at_device", [False, True])
@pytest.mark.parametrize("lost", ["20", "20,60", "20,21,60,90", "25,30,31,32,33"])
def test_what_the_run_lost_is_found(lost: str, at_device: bool):
    found = facts(lost, at_device)
    assert found.lost == [int(each) for each in lost.split(",")]
    (fact,) = [each for each in facts_told(found) if each.name == "retransmissions"]
    number = len(found.lost)
    assert (fact.value["again"], fact.value["lost"], fact.value["spurious"]) == (number, number, 0)


@pytest.mark.parametrize("part", [0.8, 1.2])
def test_a_packet_that_was_overtaken_is_lost_if_it_comes_too_late(part: float):
    whole = facts("", at_device=True)
    transfer = whole.transfer
    first, behind = transfer.sent_rows[[20, 21]]
    packets = transfer.packets.copy()
    late_ns = round(part * REORDERING * RTT_MS * 1e6)
    packets["time_ns"][first] = packets["time_ns"][behind] + late_ns
    packets = packets[np.argsort(packets["time_ns"], kind="stable")]
    moved = Transfer(replace(transfer.connection, packets=packets))
    found = Facts(moved, whole.vantage)
    assert len(found.fills.repairs) == (part > 1)
    assert len(found.fills.overtaken) == (part < 1)
    told = {each.name: each.value for each in facts_told(found)}
    assert ("retransmissions" in told) == (part > 1)


def test_a_pause_in_which_nothing_was_lost_is_no_outage():
    """A sender that meets a full window probes with its last segment, and a D-SACK says that it had
    arrived."""
    pauses = {"drain_pause_every": 30_000, "drain_pause": "1.5s", "receive_window": 4096}
    job = systems["hp-jetdirect-610n"].with_(job_size=90_000, **pauses)
    connection = connection_of_segments(job.run(segments=True).packets)
    p = connection.packets
    before = int(np.argmax(np.diff(p["time_ns"])))
    sent = np.flatnonzero(p["from_client"][: before + 1] & (p["length"][: before + 1] > 1))[-1]
    acked = np.flatnonzero(~p["from_client"][: before + 1])[-1]
    probe, answer = p[[sent]].copy(), p[[acked]].copy()
    probe["time_ns"] = p["time_ns"][before] + 200_000_000
    answer["time_ns"] = probe["time_ns"] + 1_000_000
    answer["sacked_from"], answer["sacked_to"] = probe["seq"], probe["seq"] + probe["length"]
    packets = np.concatenate([p[: before + 1], probe, answer, p[before + 1 :]])
    found = phases_of(replace(connection, packets=packets))
    silences = {each.silence for each in found} - {""}
    assert silences
    assert OUTAGE not in silences


def test_each_late_segment_is_found_among_holes_that_stay():
    """Of ten segments one is not in the capture, and one is late."""
    rows = 40_000
    seq = np.arange(rows) * 1000 + 1
    seq = seq[np.arange(rows) % 10 != 3]
    late = np.arange(5, len(seq) - 40, 9)
    order = np.argsort(np.arange(len(seq)) + 20.5 * np.isin(np.arange(len(seq)), late))
    p = facts("", at_device=True).transfer.connection.packets
    packets = np.resize(p[p["length"] > 0][:1], len(seq))
    packets["seq"], packets["length"] = seq[order], 1000
    packets["time_ns"] = np.arange(len(seq)) * 1_000_000
    found = Transfer(replace(facts("", at_device=True).transfer.connection, packets=packets))
    assert len(fills_of(found, 0.01).repairs) == len(late)
