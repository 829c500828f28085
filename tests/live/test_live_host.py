# SPDX-License-Identifier: GPL-2.0-only
"""The host's parameters in a live run: what the kernel can be set to is set, and the simulated host
has the same; what it cannot be set to is refused."""

import json
from pathlib import Path

import numpy as np
import pytest
from live_run import run
from study.base.errors import StudyError
from study.base.units import seconds
from study.captures.connection import Connection
from study.commands.main import main
from study.kit.systems import systems
from study.live import kernel_host, program
from study.live.asked import asked

ALL = {
    "mss": "1000",
    "initial_window": "3",
    "congestion_control": "reno",
    "send_buffer": "16384",
    "minimum_rto": "50ms",
    "host_sack": "false",
    "host_timestamps": "false",
    "host_window_scale": "none",
    "host_window": "8000",
}


def first_flight(connection: Connection) -> list[int]:
    """The segments before the first answer to any."""
    packets = connection.packets
    data = packets["from_client"] & (packets["length"] > 0)
    answers = ~packets["from_client"] & (packets["ack"] > 1)
    before = packets["time_ns"] < packets["time_ns"][answers][0]
    return packets["length"][data & before].tolist()


def test_what_the_kernel_can_be_set_to_is_set_and_the_simulated_host_has_it_too(tmp_path: Path):
    """Read off the socket of a program there, and off what it sent."""
    told = tmp_path / "told"
    found = run("hp-jetdirect-610n", "telling", 1, 30000, told, receive_window=8000, **ALL)
    of_socket = json.loads(told.read_text())
    assert of_socket["congestion_control"] == "reno"
    assert of_socket["send_buffer"] == 16384
    assert of_socket["rto_us"] < 200_000  # the kernel's own least
    (job,) = found.jobs
    offer = job.connection.client_offer
    assert (offer.mss, offer.sack, offer.timestamps, offer.window_scale) == (
        1000,
        False,
        False,
        None,
    )
    assert first_flight(job.connection) == [1000] * 3
    windows = job.connection.packets["window"][job.connection.packets["from_client"]]
    assert set(windows.tolist()) - {0} == {8000}
    beside = job.system.parameters()
    declared = systems["hp-jetdirect-610n"].with_(**ALL).parameters()
    assert {key: beside[key] for key in ALL} == {key: declared[key] for key in ALL}
    assert first_flight_of(job.system) == [1000] * 3


def first_flight_of(system) -> list[int]:
    packets = system.run(segments=True).packets
    answer = next(i for i, each in enumerate(packets) if each.sender == "device" and each.ack > 1)
    return [each.length for each in packets[:answer] if each.length]


def test_a_route_can_have_every_segment_acknowledged_at_once():
    """Without it the ACK of each reply's first write is withheld for 40 ms. Most are looked at:
    the kernel answers a frame before the write of it returns, unless the machine is too busy."""
    found = run("telnet-ubuntu", "talk", 9, 10, 2, 90, client_ack_frequency=1)
    packets = found.jobs[0].connection.packets
    replies = [row for row in np.flatnonzero(packets["length"] == 40)[::2]]
    assert len(replies) == 9
    kept_ns = [packets["time_ns"][row + 1] - packets["time_ns"][row] for row in replies]
    assert all(
        packets["from_client"][row + 1] and not packets["length"][row + 1] for row in replies
    )
    assert np.median(kept_ns) < 40e6
    beside = found.jobs[0].system.parameters()
    assert (beside["client_ack_frequency"], beside["client_ack_rule"]) == ("1", "counted")


def test_the_simulated_host_has_what_the_kernel_does_of_its_own_accord():
    """Its congestion control, and the tick of its timers, are not those of the profile."""
    found = run("hawking-hps1u", "job", 1, 3000)
    beside = found.jobs[0].system.parameters()
    control = Path("/proc/sys/net/ipv4/tcp_congestion_control").read_text().strip()
    if control in kernel_host.CONTROLS:
        assert beside["congestion_control"] == control
    assert found.seen.host["send_buffer"] == beside["send_buffer"]
    assert found.seen.host["sack"] == "true"


def test_what_the_program_did_is_given_to_the_simulated_one():
    """Its time before the first byte, and that it had all of its job at once."""
    found = run("hawking-hps1u", "late", 1, 9000, 0.2)
    beside = found.jobs[0].system.parameters()
    assert seconds(beside["think_time"]) >= 0.2
    assert (beside["first_write"], beside["write_returns"]) == ("9000", "all-fits")
    assert f"--first-write={9000}" in str(found)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--nagle false", "nagle: false cannot be had live: TCP_NODELAY is COMMAND's to set"),
        ("--host-delayed-ack 10ms", "the kernel's 40 ms are fixed; --host-ack-frequency 1 delays"),
        ("--host-ack-frequency 3", "the kernel has its own rule, or with 1"),
        ("--loss-detection rfc6675", "the kernel has RACK alone"),
        ("--congestion-control newreno", "newreno cannot be had live: the kernel has reno"),
        ("--segment-bound mss", "segment-bound: mss cannot be had live: the kernel has no setting"),
        ("--mss 2000", "a TAP's MTU gives 88 to 1460 B"),
        ("--mss 0", "study: --mss: 0 is out of range; give 1 to"),
        ("--send-buffer 100", "the kernel's least is 4608 B"),
        ("--send-buffer-grows true", "give --send-buffer, too"),
        ("--minimum-rto 1500us", "a route has whole milliseconds"),
        ("--host-window-scale 7", "give none or auto"),
        ("--host-window 500", "the kernel's least buffer, 2304 B, gives more"),
        ("--think-time 1ms", "think-time has no effect live: COMMAND decides it"),
        ("--tap lo --mss 1000", "no host parameter has an effect with --tap"),
    ],
)
def test_what_the_kernel_cannot_do_is_refused(arguments: str, said: str, capsys):
    assert main(["live", "hawking-hps1u", *arguments.split(), "--", "true"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line


def test_every_parameter_of_a_host_is_set_decided_by_the_command_or_refused():
    """None is taken and then has no effect."""
    from study.live.asked import DECIDED, _hosts
    from study.programs.declaration import declaration

    for name in ("hawking-hps1u", "telnet-ubuntu"):
        hosts = _hosts(declaration(systems[name].scenario))
        for bare, parameter in hosts.items():
            if parameter.key in DECIDED:
                continue
            text = systems[name].with_host("linux-6").parameters()[parameter.key]
            try:
                taken = asked(systems[name].with_(**{parameter.key: text})).host
            except StudyError as error:
                assert f"{parameter.flag}: {text} cannot be had live: " in str(error)
            else:
                assert taken, bare


def test_the_turns_of_a_simulated_program_are_its_own_time():
    """Of a job and of a conversation, whose time the run was given."""
    from study.diagnosis.of_run import connection_of_segments

    job = systems["hawking-hps1u"].with_host("linux-6").with_(job_size=20000, think_time="7ms")
    connection = connection_of_segments(job.run(segments=True).packets)
    assert seconds(program.of_a_job(connection, 20000)["think_time"]) == pytest.approx(
        0.007, abs=2e-5
    )
    talk = systems["telnet-ubuntu"].with_host("linux-6").with_(commands=4, client_time="3ms")
    connection = connection_of_segments(talk.run(segments=True).packets)
    reply_s = seconds(talk.parameters()["client_reply_time"])
    told = program.of_a_talk(connection, 12, reply_s)
    assert seconds(told["client_time"]) == pytest.approx(0.003, rel=0.002)
