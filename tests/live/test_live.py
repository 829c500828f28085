# SPDX-License-Identifier: GPL-2.0-only
"""A real TCP against the simulated device: the same packets as in the simulation, and every octet
that was sent is printed. No time is held to anything: the machine may be busy."""

import hashlib
import random
import re
import shutil
import sys
import tempfile
from pathlib import Path

import pytest
from live_sender import octets
from study.base.errors import StudyError
from study.base.units import seconds
from study.diagnosis.diagnosis import diagnose
from study.diagnosis.segments import as_segments
from study.kernel import KEPT
from study.kit.systems import systems
from study.live.asked import asked
from study.live.live import live
from study.live.outcome import Outcome
from study.live.room import ALLOW
from study.live.terminal import line
from study.programs.segments import Segment

SENDER = Path(__file__).with_name("live_sender.py")


def run(system: str, *mode: object, pcap: Path | None = None, **changes: object) -> Outcome:
    """What the mode of the sender did to the system's device; skipped where namespaces are not
    allowed."""
    command = [sys.executable, str(SENDER), *map(str, mode)]
    try:
        chosen = systems[system].with_(**changes)
        found = live(chosen, command, pcap=pcap, say=lambda line: None)
    except StudyError as error:
        if ALLOW in str(error):
            pytest.skip(str(error))
        raise
    assert (found.seen.status, found.seen.was_cut, found.seen.missed) == (0, "", 0)
    return found


def essence(packet: Segment) -> tuple:
    """What two tables of packets are compared by: order, length, window and ACK."""
    return packet.sender, packet.length, packet.window, packet.ack, packet.control


def sha256(seed: int, size: int) -> str:
    return hashlib.sha256(octets(seed, size)).hexdigest()


def test_the_kernels_packets_are_the_simulated_ones():
    """The window's two segments and the ACK of both, from the SYN to the last ACK; the first ACKs
    of the Hawking are for one segment."""
    found = run("hawking-hps1u", "job", 1, 16000)
    (job,) = found.jobs
    assert (job.octets, job.sha256) == (16000, sha256(1, 16000))
    ours = [essence(each) for each in as_segments(job.connection) if "F" not in each.flags]
    simulated = job.system.run(segments=True).packets
    theirs = [essence(each) for each in simulated if "F" not in each.flags]
    last = next(i for i, each in enumerate(theirs) if (each[0], each[3]) == ("device", 16001))
    assert ours[: last + 1] == theirs[: last + 1]
    assert [each[1] for each in ours].count(1460) == 16000 // 1460


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


def test_of_a_killed_client_the_beginning_is_printed():
    """A reset ends its job: not whole, and nothing that was not sent."""
    found = run("netgear-ps101", "killed", 3, 50000, 20000)
    (job,) = found.jobs
    assert (job.is_whole, job.heard.ended) == (False, "lost")
    assert job.octets < 20000
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
        try:
            found = live(system, ["curl", "-s", "-o", str(file), address, address], say=print)
        except StudyError as error:
            pytest.skip(str(error))
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
    assert again.parameters()["receive_window"] == own["receive_window"]
    assert again.parameters()["protocol"] == "raw"
    assert again.parameters()["job_size"] == "30000"
    parting = shown.compared.parting
    assert parting.startswith("packet by packet alike"), parting
    if not found.is_punctual:
        with capsys.disabled():
            print("the machine was late: the live times were not judged")
        return
    assert seconds(again.parameters()["ack_latency"]) == pytest.approx(
        seconds(own["ack_latency"]), rel=0.03
    )
    result = again.run()
    assert result.outcome == "finished"
    assert result.duration_s == pytest.approx(found.jobs[0].live_s, rel=0.03)


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
    both = found.compared.measured.cycle_s, found.compared.simulated.cycle_s
    assert all(both)
    if not found.is_punctual:
        with capsys.disabled():
            print(f"{name}: the machine was late, the cycle was not judged")
        return
    late_pct = sum(found.late_ms(99).values()) / 1e3 / both[1] * 100
    assert abs(both[0] / both[1] - 1) * 100 < goal_pct + late_pct


def test_the_live_line_says_rate_window_and_what_is_waited_for():
    """Of a capture whose cause is known: a reader that is slower than the line."""
    kept = KEPT / "slow-reader.before.client.pcap.gz"
    told = line(kept, asked(systems["hawking-hps1u"]))
    form = r" *[\d.]+ s  [\d,]+ B/s  window [\d,]+ B  (drain|receive window) █+ \d+%.*"
    assert re.fullmatch(form, told), told
