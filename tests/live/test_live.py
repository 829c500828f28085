# SPDX-License-Identifier: GPL-2.0-only
"""A real TCP against the simulated device: the same packets as in the simulation, and every octet
that was sent is printed. No time is held to anything: the machine may be busy."""

import hashlib
import random
import re
import shutil
import tempfile
from itertools import zip_longest
from pathlib import Path

import numpy as np
import pytest
from live_run import heard, run
from live_sender import octets
from study.base.units import seconds
from study.captures.connection import FIN
from study.diagnosis.capture_segments import as_segments
from study.diagnosis.diagnosis import diagnose
from study.kernel import KEPT
from study.kernel.measure import controls
from study.kit.systems import systems
from study.live import timers
from study.live.outcome import Job, Outcome
from study.live.terminal import line
from study.programs.segments import Segment

RUNS = 6  # until one is punctual, or the machine is busy


def essence(packet: Segment) -> tuple:
    """What two tables of packets are compared by: order, length, window and ACK."""
    return packet.sender, packet.length, packet.window, packet.ack, packet.control


def sha256(seed: int, size: int) -> str:
    return hashlib.sha256(octets(seed, size)).hexdigest()


def tables(found: Outcome) -> tuple[list[tuple], list[tuple]]:
    """The kernel's packets and the simulated ones, to the ACK of the last byte."""
    (job,) = found.jobs
    both = as_segments(job.connection), job.system.run(segments=True).packets
    ours, theirs = ([essence(each) for each in one if "F" not in each.flags] for one in both)
    end = ("device", job.octets + 1)
    return tuple(
        one[: next(i for i, each in enumerate(one) if (each[0], each[3]) == end) + 1]
        for one in (ours, theirs)
    )


def parting(ours: list[tuple], theirs: list[tuple]) -> int | None:
    """The first packet that differs."""
    both = zip_longest(ours, theirs)
    return next((i for i, (one, other) in enumerate(both) if one != other), None)


def latest_ms(found: Outcome, packets: list[tuple]) -> float:
    """How late the latest frame was of those that the device wrote among these, or read."""
    written = sum(each[0] == "device" for each in packets) + 1
    late = found.seen.late_out_ns[: written + 1], found.seen.late_in_ns[: len(packets) - written]
    return max(float(each.max()) for each in late if len(each)) / 1e6


@pytest.mark.parametrize(
    ("name", "size", "margin_ms", "changes"),
    [
        # the window's two segments and the ACK of both; the first ACKs are for one segment
        ("hawking-hps1u", 16000, 1.0, {}),
        # the rest of a window leaves as the tail of a block, or not at all
        *(
            ("hawking-hps1u", 20000, 1.0, {"receive_window": window, "congestion_control": "cubic"})
            for window in (1460, 2048, 4096, 6144, 7000, 8000, 8760, 12000)
        ),
        # two ACKs a window, one that closes it and one that opens it again
        ("netgear-ps101", 30000, 0.25, {}),
        # a window that stays closed while the port prints: stalls, and probes of the kernel
        ("linksys-ppsx1", 60000, 0.5, {}),
        # ACKs that are withheld, and the rest of a window behind whole segments
        ("imagen-v2", 60000, 0.5, {"congestion_control": "bbr"}),
        # 2 MB/s: the port takes a segment each 0.7 ms, and its updates go between the data
        ("hp-jetdirect-610n", 60000, 0.1, {}),
    ],
)
def test_the_kernels_packets_are_the_simulated_ones(
    name: str, size: int, margin_ms: float, changes: dict, capsys
):
    """Every packet from the SYN to the ACK of the last byte: order, length, window and ACK. Two of
    a device's events may be as near to each other as the margin: where a frame was later than that
    before the tables part, it is the machine that is told. A rule of the model's parts them in each
    run, a machine at load not in three."""
    if changes.get("congestion_control", "reno") not in controls():
        pytest.skip(f"this kernel has no {changes['congestion_control']}")
    for _ in range(3):
        found = run(name, "job", 1, size, **changes)
        (job,) = found.jobs
        assert (job.octets, job.sha256) == (size, sha256(1, size))
        ours, theirs = tables(found)
        assert len(ours) > size / 1460
        place = parting(ours, theirs)
        if place is None:
            return
        late_ms = latest_ms(found, ours[: place + 1])
        if late_ms > margin_ms:
            with capsys.disabled():
                print(f"{name}: alike for {place} packets, then a frame was {late_ms:.1f} ms late")
            return
    pytest.fail(f"at {place}: {ours[place : place + 1]}, {theirs[place : place + 1]}")


@pytest.mark.parametrize("control", ["reno", "cubic"])
def test_where_the_kernels_packets_are_others_is_one_flight(control: str):
    """The IMAGEN's third, where the kernel's congestion window is still ten segments. Half of that
    is the longest block it puts together; it cuts one where its last segment would be a part, as a
    small one is out, and defers the segment behind it (TSO). It is made up for in the fourth: all
    before, and all behind, is the same. A machine at load also delays the kernel's own timers,
    which no frame's lateness shows; it does not in each of three runs whose
    frames were punctual."""
    if control not in controls():
        pytest.skip(f"this kernel has no {control}")
    punctual = 0
    for _ in range(RUNS):
        found = run("imagen-v2", "job", 1, 60000, congestion_control=control)
        ours, theirs = (flights(each) for each in tables(found))
        kernels = [[1460] * 3, [1460] * 4 + [304]]
        expected = [*ours[:2], [1460] * 4, [1460] * 3 + [304], *ours[4:]]
        if ours[2:4] == kernels and theirs == expected:
            return
        punctual += found.is_punctual
        assert punctual < 3, (ours, theirs)
    pytest.skip("the machine was late")


def flights(packets: list[tuple]) -> list[list[int]]:
    """The sizes of what the host sends between two packets of the device."""
    found: list[list[int]] = [[]]
    for sender, length, *_ in packets:
        if sender == "device" and found[-1]:
            found.append([])
        elif length:
            found[-1].append(length)
    return [each for each in found if each]


def test_a_job_by_lpr_is_its_data_file_without_the_dialogue():
    found = run("hp-jetdirect-610n", "lpr", 2, 30000)
    (job,) = found.jobs
    assert (job.heard.port, job.octets, job.is_whole) == (515, 30000, True)
    assert job.sha256 == sha256(2, 30000)
    assert job.simulated_s is not None


def test_a_hundred_jobs_ten_at_once_with_losses_are_printed_octet_by_octet():
    found = run("hp-jetdirect-610n", "many", 100, 10, 20000, loss_to_device=0.01, loss_to_host=0.01)
    sizes = [random.Random(-seed - 1).randint(1, 20000) for seed in range(100)]
    sent = sorted(sha256(seed, size) for seed, size in enumerate(sizes))
    assert sorted(job.sha256 for job in found.jobs) == sent
    assert all(job.is_whole and job.heard.ended == "closed" for job in found.jobs)


def test_a_client_whose_device_lost_its_last_words_does_not_wait_for_ever():
    """Of the device the SYN-ACK and the ACK of the data arrive; the ACK of the FIN and its own FIN,
    which leave next, do not. So the kernel says FIN again, to which the device must answer."""
    changes = {"link": "path", "rtt": "0ms", "path_lost_packets_back": "3,4"}
    found = run("hp-jetdirect-610n", "behind", 7, 1000, **changes)
    (job,) = found.jobs
    assert (job.is_whole, job.heard.ended) == (True, "closed")
    packets = job.connection.packets
    closing = packets[(packets["flags"] & FIN) != 0]
    assert closing["from_client"].sum() > 1
    assert not closing["from_client"].all()


def test_of_a_killed_client_the_beginning_is_printed():
    """A reset ends its job: not whole, and nothing that was not sent."""
    found = run("netgear-ps101", "killed", 3, 50000, 20000)
    (job,) = found.jobs
    assert (job.is_whole, job.heard.ended, found.status) == (False, "lost", 1)
    assert job.octets <= 20000  # what it wrote before it was killed may all have arrived
    assert job.sha256 == hashlib.sha256(octets(3, 50000)[: job.octets]).hexdigest()
    assert "not whole: lost" in str(found)


def test_a_device_that_stops_in_mid_job_goes_on_and_has_it_all():
    """Out of paper for a second and a half every 30 kB: the kernel probes the closed window."""
    pauses = {"drain_pause_every": 30000, "drain_pause": "1.5s"}
    found = run("hp-jetdirect-610n", "job", 4, 40000, receive_window=4096, **pauses)
    (job,) = found.jobs
    assert (job.is_whole, job.sha256) == (True, sha256(4, 40000))
    windows = job.connection.packets["window"][~job.connection.packets["from_client"]]
    assert 0 in windows


def test_a_server_echoes_and_replies_to_a_real_client():
    """Ten commands of Telnet: what comes back is the echo and two writes, and the kernel's packets
    are compared with a simulated client's."""
    found = run("telnet-ubuntu", "talk", 10, 10, 2, 90)
    (talk,) = found.jobs
    assert (talk.heard.replies, talk.octets) == (10, 10 * (12 + 90))
    assert talk.system.parameters()["commands"] == "10"
    assert talk.simulated_s is not None


def test_curl_has_its_answer_from_a_server_of_the_router():
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    system = systems["uhttpd-keep-alive"]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "page")
        address = "http://10.0.0.2:23/"
        found = heard(system, ["curl", "-s", "-o", str(file), address, address])
        page = file.read_text()
    assert (found.status, found.jobs[0].heard.replies) == (0, 2)
    assert 0 < len(page) < 240
    assert page.endswith("\n")


def test_behind_a_path_the_kernel_reaches_the_device_through_a_router():
    found = run("hp-jetdirect-610n", "behind", 5, 20000, link="path", rtt="20ms")
    (job,) = found.jobs
    assert (job.is_whole, job.sha256) == (True, sha256(5, 20000))
    assert job.live_s > 0.04  # two round trips at least


def test_what_was_captured_live_is_diagnosed_and_simulated_again(tmp_path: Path, capsys):
    """The circle: a real kernel prints to a simulated device, its capture shows the device's
    numbers, and a system of these gives the live job again."""
    file = tmp_path / "job.pcap"
    found = run("hawking-hps1u", "job", 6, 30000, pcap=file)
    shown = diagnose(file)
    own = systems["hawking-hps1u"].parameters()
    again = shown.system()
    assert shown.main == "receive_window"
    assert again.parameters()["receive_window"] == own["receive_window"]
    if not found.is_punctual:
        with capsys.disabled():
            print("the machine was late: the live times were not judged")
        return
    result = again.run()
    assert result.outcome == "finished"
    cycle_s = 0.118  # of the job's ten: the fit may place the last segment in one more
    assert result.duration_s == pytest.approx(found.jobs[0].live_s, abs=1.05 * cycle_s)


@pytest.mark.parametrize(
    ("name", "size", "goal_pct"),
    [
        ("hawking-hps1u", 30000, 0.5),
        ("netgear-ps101", 30000, 2.0),
        ("linksys-ppsx1", 60000, 2.0),
        ("hp-jetdirect-610n", 1000000, 2.0),
    ],
)
def test_the_cycle_with_a_real_kernel_is_the_simulated_one(
    name: str, size: int, goal_pct: float, capsys
):
    """Within the goal, and by how much this machine was late, which the run has measured: once for
    what the device reads and once for what it writes."""
    found = run(name, "job", 7, size)
    assert found.jobs[0].sha256 == sha256(7, size)
    both = found.cycles_s
    assert both is not None
    (said,) = re.findall(r"cycle, ms: .* simulated, (\S+) %", str(found))
    assert float(said) == pytest.approx((both[1] / both[0] - 1) * 100, abs=0.006)
    if not found.is_punctual:
        with capsys.disabled():
            print(f"{name}: the machine was late, the cycle was not judged")
        return
    late_pct = sum(found.late_ms(99).values()) / 1e3 / both[1] * 100
    assert abs(both[0] / both[1] - 1) * 100 < goal_pct + late_pct


@pytest.mark.parametrize(
    ("name", "size", "goal_pct", "margin_ms"),
    [
        ("hawking-hps1u", 30000, 0.5, None),
        # the end of its ACK's timer decides whether a cycle has one segment or two
        ("netgear-ps101", 30000, 2.0, 0.25),
        ("linksys-ppsx1", 30000, 2.0, None),
        ("imagen-v2", 60000, 2.0, None),
        ("imagen-v2", 100000, 2.0, None),
        ("imagen-v3", 300000, 2.0, None),
        ("hp-jetdirect-610n", 1000000, 2.0, None),
    ],
)
def test_a_whole_job_with_a_real_kernel_takes_as_long_as_the_simulated_one(
    name: str, size: int, goal_pct: float, margin_ms: float | None
):
    """Within the goal; it may be longer by all that was late, and apart by where the two clocks
    have their beats, and by nothing else. The program's own time is given to both. Where a frame
    was later than what keeps two of the device's events apart, the exchange is another from there
    on: then until there."""
    for _ in range(RUNS):
        found = run(name, "job", 8, size)
        assert found.jobs[0].sha256 == sha256(8, size)
        ours, theirs = tables(found)
        place = parting(ours, theirs)
        # Other packets after a late frame: of withheld ACKs the kernel may time out once more.
        if found.is_punctual or margin_ms or not (place or name == "imagen-v2"):
            break
    else:
        pytest.skip("the machine was late")
    (job,) = found.jobs
    live_s, simulated_s = job.live_s, job.simulated_s
    if place and margin_ms and latest_ms(found, ours[: place + 1]) > margin_ms:
        both = job.connection.packets["time_ns"] / 1e9, simulated_times_s(job)
        live_s, simulated_s = (times_s[place - 1] for times_s in both)
    late_s = sum(float(each.clip(0).sum()) for each in lateness(found)) / 1e9
    goal_s = simulated_s * goal_pct / 100
    earlier_s, later_s = job.apart_s
    assert -goal_s - earlier_s < live_s - simulated_s < goal_s + late_s + later_s, (place, late_s)


def lateness(found: Outcome) -> tuple[np.ndarray, np.ndarray]:
    return found.seen.late_in_ns, found.seen.late_out_ns


def simulated_times_s(job: Job) -> list[float]:
    """From the SYN on."""
    packets = job.system.run(segments=True).packets
    return [each.time_s - packets[0].time_s for each in packets]


def test_a_clock_that_beats_elsewhere_is_told_of_a_job_with_a_timeout():
    """The printer that withholds its ACKs has the kernel time out; another has it not."""
    (job,) = (found := run("imagen-v2", "job", 8, 60000)).jobs
    waits = timers.waits_s(job.connection, 0.2)
    assert waits
    assert job.apart_s == timers.apart_s(waits, seconds(job.system.parameters()["timer_tick"]))
    assert "timeouts end at ticks of the kernel's clock" in " ".join(str(found).split())
    other = run("hp-jetdirect-610n", "job", 8, 30000)
    assert other.jobs[0].apart_s == (0, 0)
    assert "timeouts end" not in str(other)


def test_where_nothing_is_comparable_one_line_says_why():
    """Two at once, which the model has not."""
    found = run("hp-jetdirect-610n", "together", 1, 3000)
    assert found.compared is None
    assert "nothing beside its simulation: the model has one job at a time" in str(found)


def test_the_live_line_says_rate_window_and_what_is_waited_for():
    """Of a capture whose cause is known: a reader that is slower than the line."""
    kept = KEPT / "slow-reader.before.client.pcap.gz"
    told = line(kept)
    form = r" *[\d.]+ s  [\d,]+ B/s  window [\d,]+ B  (drain|receive window) █+ \d+%.*"
    assert re.fullmatch(form, told), told
