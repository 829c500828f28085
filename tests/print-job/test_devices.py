# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the devices beside the Hawking, mechanism by mechanism: each simulated job against
arithmetic that knows nothing of the simulation, and against what the sources print."""

from itertools import pairwise
from statistics import median

import pytest
from study import Result, System, systems
from study.base.units import seconds
from study.judging import alignment, notation
from study.judging.comparison import compare
from study.scenarios.print_job import cycles, pauses, whole_job
from study.scenarios.print_job.messages import PrintJob


@pytest.fixture(scope="module")
def netgear(program) -> System:
    return systems["netgear-ps101"]


@pytest.fixture(scope="module")
def linksys(program) -> System:
    return systems["linksys-ppsx1"]


@pytest.fixture(scope="module")
def imagen(program) -> System:
    return systems["imagen-v2"]


@pytest.fixture(scope="module")
def box(program) -> System:
    """A device that only its printer's port holds up, with a job short enough for a test."""
    return systems["troy-pocketpro-100s"].with_(job_size=3_000_000)


def waits_us(system: System, sender: str, **wanted: int) -> list[int]:
    """The printed times since the packet before, of the sender's packets with these fields."""
    return [
        packet.delta_us
        for packet in notation.read(system.trace).packets
        if packet.segment.sender == sender
        and all(getattr(packet.segment, name) == value for name, value in wanted.items())
    ]


def microseconds(system: System, key: str) -> float:
    setting = system.settings[key]
    return seconds(setting.value + setting.unit) * 1e6


def job(result: Result) -> PrintJob:
    return PrintJob.of(result.parameters)


# ACK, then update


def test_the_netgears_latencies_follow_from_its_trace(netgear: System):
    """The 1008-byte segment's ACK is the least of the three, so the median is a whole segment's."""
    acks_us = waits_us(netgear, "device", window=0) + waits_us(netgear, "device", window=16)
    wires_us = (1024 + 58) * 0.8 + 64 * 0.8 + 2 * 0.5
    assert microseconds(netgear, "ack_latency") == pytest.approx(median(acks_us) - wires_us)
    updates_us = waits_us(netgear, "device", window=1024)
    assert microseconds(netgear, "drain_latency") == pytest.approx(median(updates_us))
    replies_us = waits_us(netgear, "host")
    assert microseconds(netgear, "reply_time") == pytest.approx(median(replies_us))


def test_an_early_ack_and_the_update_after_it_make_the_cycle(netgear: System):
    """One window for each reply, ACK and update; the update's time counts in full."""
    for drain in ("0ns", "1742us", "20ms"):
        result = netgear.with_(drain_latency=drain, job_size=500_000).run()
        expected_s = whole_job.whole_job_s(job(result))
        assert result.duration_s == pytest.approx(expected_s, rel=0.002)  # one short segment
        # While the device empties its buffer, and then until the update has come.
        share_s = result.limits_s["drain"] + result.limits_s["window_update"]
        assert share_s == pytest.approx(seconds(drain) * 500_000 / 1024, rel=0.01)  # ends earlier


def test_the_cycle_explains_only_part_of_the_netgears_job(netgear: System):
    rows = {row.measured.kind: row for row in compare(netgear, netgear.run(segments=True))}
    duration = rows["duration"]
    assert duration.measured.used_as == "prediction"
    unexplained_s = duration.measured.value - duration.simulated
    assert unexplained_s == pytest.approx(115, abs=1)  # 379 s - 22226432 B / 84.3 kB/s


# Pauses of the port, and window probes


def test_the_linksys_times_follow_from_its_trace(linksys: System):
    data_us = [p.delta_us for p in notation.read(linksys.trace).packets]
    acks_us = [
        after
        for before, after in pairwise(data_us)
        if before in (12, 14, 17)  # what follows a data segment, which follows an update
    ]
    wires_us = (1024 + 58) * 0.8 + 64 * 0.8 + 2 * 0.5
    assert microseconds(linksys, "ack_latency") == pytest.approx(min(acks_us) - wires_us)
    spread_us = max(acks_us) - min(acks_us)
    assert microseconds(linksys, "ack_latency_spread") == pytest.approx(spread_us)
    answers_us = [wait for wait in waits_us(linksys, "device", window=0) if wait < 3000]
    wires_us = 2 * 64 * 0.8 + 2 * 0.5
    answer_us = median(answers_us) - wires_us
    assert microseconds(linksys, "window_probe_latency") == pytest.approx(answer_us)
    before_us, usual_us = 12 + 5686, 981
    stall_us = sum(data_us[data_us.index(5686) + 1 :])
    pause_us = stall_us + before_us - usual_us
    assert microseconds(linksys, "drain_pause") == pytest.approx(pause_us, abs=0.1)


@pytest.mark.parametrize("every_B", [0, 20_000, 100_000, 1_000_000])
def test_a_job_takes_its_cycles_and_its_pauses(linksys: System, every_B: int):
    result = linksys.with_(drain_pause_every=every_B, job_size=2_500_000).run()
    assert result.outcome == "finished"
    expected_s = whole_job.whole_job_s(job(result))
    assert result.duration_s == pytest.approx(expected_s, rel=0.002)  # drawn latencies
    count = pauses.pause_count(job(result))
    assert result.record["window_probes"] == 3 * count


@pytest.mark.parametrize(("pause", "probes"), [("150ms", 0), ("500ms", 1), ("5s", 4)])
def test_a_stall_has_as_many_probes_as_doublings_fit_into_it(
    linksys: System, pause: str, probes: int
):
    """The first after 200 ms, then twice as long each time: at 0.2, 0.6, 1.4, 3.0, 6.2 s."""
    result = linksys.with_(drain_pause=pause, job_size=3_500_000).run(segments=True)
    assert pauses.probes_in_a_stall(job(result)) == probes
    assert result.record["window_probes"] == 3 * probes  # three stalls, each from 200 ms on


# ACKs withheld


@pytest.mark.parametrize("buffer_B", [512, 1024, 1500, 2048, 4608])
def test_a_small_send_buffer_gives_n_bytes_each_half_second(imagen: System, buffer_B: int):
    """To the byte with a free-running timer; one that a packet starts adds the exchange."""
    ticking = imagen.with_(delayed_ack_timer="free-running")
    result = ticking.with_(send_buffer=buffer_B, job_size=1000 * buffer_B).run()
    assert cycles.steady_rate_Bps(job(result)) == 2 * buffer_B
    assert result.throughput_Bps == pytest.approx(2 * buffer_B, rel=0.005)
    assert result.limits_s["delayed_ack"] > 0.98 * result.duration_s


def test_a_buffer_as_large_as_the_window_or_the_printers_fix_ends_the_pause(imagen: System):
    """For each of them at least a hundred times the throughput; only the last ACK is withheld."""
    slow_Bps = imagen.run().throughput_Bps
    patched = imagen.with_(send_buffer=6144).run()
    fixed = systems["imagen-v3"].run()
    assert min(patched.throughput_Bps, fixed.throughput_Bps) > 100 * slow_Bps
    assert patched.limits_s["delayed_ack"] == pytest.approx(0.5, abs=0.005)
    assert fixed.limits_s["delayed_ack"] == 0


# The printer's port


@pytest.mark.parametrize("rate", ["1Mbps", "4Mbps", "8Mbps"])
def test_a_port_slower_than_the_line_sets_the_rate(box: System, rate: str):
    result = box.with_(port_rate=rate).run()
    assert result.throughput_Bps == pytest.approx(cycles.port_rate_Bps(job(result)), rel=0.005)
    assert cycles.steady_rate_Bps(job(result)) == cycles.port_rate_Bps(job(result))


# The exchanges


@pytest.mark.parametrize("name", ["netgear-ps101", "linksys-ppsx1"])
def test_the_simulated_job_sends_the_packets_of_its_trace(program, name: str):
    system = systems[name]
    rows = alignment.compare(notation.read(system.trace), system.run(segments=True).packets)
    wrong = alignment.mismatches(rows)
    assert not wrong, "\n".join(str(row) for row in wrong)


@pytest.mark.parametrize(
    ("name", "change", "kind"),
    [
        ("netgear-ps101", {"silly_window_avoidance": "none"}, "missing"),
        ("netgear-ps101", {"silly_window_avoidance": "whole-segment"}, "missing"),
        ("netgear-ps101", {"drain_latency": "1800us"}, "time"),
        ("netgear-ps101", {"drain_latency": "0ns"}, "window"),
        ("netgear-ps101", {"ack_latency": "9600us"}, "time"),
        ("linksys-ppsx1", {"window_probe_latency": "3ms"}, "time"),
        ("linksys-ppsx1", {"first_persist_timeout": "300ms"}, "time"),
        ("linksys-ppsx1", {"drain_pause": "1s"}, "time"),
    ],
)
def test_a_mechanism_that_is_broken_is_seen_in_the_exchange(
    program, name: str, change: dict, kind: str
):
    system = systems[name].with_(**change, job_size=1_200_000, time_limit="1min")
    rows = alignment.compare(notation.read(system.trace), system.run(segments=True).packets)
    problems = [problem for row in alignment.mismatches(rows) for problem in row.problems]
    assert any(problem.startswith(kind) for problem in problems), problems


def test_an_ordinary_receiver_acknowledges_every_second_segment(program):
    record = systems["tcp-frame-relay"].with_(job_size=200_000).run().record
    assert record["segments"] == 137
    # 68 pairs, the odd one, SYN-ACK, the ACK of the FIN and the FIN
    assert record["device_segments"] == 68 + 1 + 3
