# SPDX-License-Identifier: GPL-2.0-only
"""What goes wrong in a live run is one line, leaves nothing behind, and is no success."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from study.base.errors import StudyError
from study.commands.main import main
from study.kernel import namespaces
from study.kit.systems import systems
from study.live.live import live
from study.live.room import ALLOW

SENDER = Path(__file__).with_name("live_sender.py")
LONG_S = 120.0


def command(*mode: object) -> list[str]:
    return [sys.executable, str(SENDER), *map(str, mode)]


def refused(capsys, *arguments: str) -> str:
    """The one line of a call that ends with status 2."""
    assert main(["live", *arguments]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1, said
    return said[0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["netware"], "netware: a file-read has no live end"),
        (["hawking-hps1u", "--mss", "1000"], "mss has no effect live: this machine's kernel"),
        (["hawking-hps1u", "--host", "linux-6"], "--host has no effect live"),
        (["hawking-hps1u", "--job-size", "1000"], "job-size has no effect live: COMMAND"),
        (["hawking-hps1u", "--pcap", "/no/such/f.pcap"], "cannot write /no/such/f.pcap"),
        (["hawking-hps1u", "--link", "frame-relay"], "a live device is on an Ethernet or behind"),
        (["hawking-hps1u", "--receive-window", "0"], "receive-window: 0"),
    ],
)
def test_what_has_no_effect_live_or_cannot_be_is_refused(arguments: list[str], said: str, capsys):
    given = refused(capsys, *arguments, "--", "true")
    if ALLOW in given:
        pytest.skip(given)
    assert said in given


def test_a_command_that_is_not_there(capsys):
    said = refused(capsys, "hawking-hps1u", "--", "no-such-program")
    assert said == "study: no-such-program: there is no such command"


def test_without_user_namespaces_one_line_says_what_to_allow(monkeypatch, capsys):
    def refuse(flags: int) -> None:
        raise namespaces.Forbidden("unshare: Operation not permitted")

    monkeypatch.setattr(namespaces, "_unshare", refuse)
    said = refused(capsys, "hawking-hps1u", "--", "true")
    assert "(unshare: Operation not permitted): allow unprivileged user namespaces" in said


def test_without_a_tun_device_one_line_says_so(monkeypatch, capsys, tmp_path: Path):
    monkeypatch.setattr(namespaces, "TUN", str(tmp_path / "tun"))
    said = refused(capsys, "hawking-hps1u", "--", "true")
    if "unshare" in said:
        pytest.skip(said)
    assert f"({tmp_path / 'tun'}: No such file or directory)" in said


def test_a_name_that_is_no_tap_is_refused(capsys):
    """The loopback is always there, and is none."""
    said = refused(capsys, "hawking-hps1u", "--tap", "lo")
    assert said.startswith("study: the TAP interface lo: ")
    assert ALLOW not in said


def test_the_status_is_the_commands():
    try:
        found = live(systems["hawking-hps1u"], ["sh", "-c", "exit 7"], say=lambda line: None)
    except StudyError as error:
        pytest.skip(str(error))
    assert (found.status, str(found).splitlines()[0]) == (7, "nobody connected")


def test_a_machine_that_slept_is_told_and_is_no_success():
    try:
        found = live(
            systems["hp-jetdirect-610n"],
            command("stopping", 1, 2000000, 1.2),
            say=lambda line: None,
        )
    except StudyError as error:
        pytest.skip(str(error))
    assert found.status == 1
    assert found.slept_s > 1
    assert "stood still for 1." in str(found)
    assert found.jobs[0].octets == 2000000


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_in_mid_job_leaves_nothing_behind(number: signal.Signals, tmp_path: Path):
    """Neither a process nor a file: the command has even begun one that does not want to end."""
    mine, kept = tmp_path / "pids", tmp_path / "job.pcap"
    stubborn = f"trap '' TERM HUP INT; echo $$ >> {mine}; while sleep 1; do :; done"
    script = f'sh -c "{stubborn}" & {sys.executable} {SENDER} job 1 5000000'
    started = [sys.executable, "-m", "study.commands.main", "live", "hawking-hps1u"]
    process = subprocess.Popen(
        [*started, "--pcap", kept, "--", "sh", "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | {"TMPDIR": str(tmp_path)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    end = time.monotonic() + LONG_S
    while not mine.exists() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
    if process.poll() is not None:
        pytest.skip(process.stderr.read())
    time.sleep(0.5)  # into the job
    below = _below(process.pid)
    assert len(below) >= 4  # the room, the simulated end, the shell, what it has begun
    process.send_signal(number)
    _, said = process.communicate(timeout=LONG_S)
    assert process.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143}[number]
    assert "Traceback" not in said
    assert said.splitlines()[-1] in ("interrupted", "terminated")
    assert [each for each in below if Path(f"/proc/{each}").exists()] == []
    assert [each.name for each in tmp_path.iterdir()] == ["pids"]


def test_a_tap_that_is_there_lasts_until_an_interrupt_and_then_has_its_record():
    """In a namespace of its own, as another machine's would be; a second one finds it taken."""
    script = SENDER.with_name("tap.sh")
    command = ["unshare", "--user", "--map-root-user", "--net", "sh", script, sys.executable]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LONG_S)
    if done.returncode == 77:
        pytest.skip(done.stderr)
    first, second = done.stdout.split("second: ")
    assert "   1  9100      50,000 " in first
    assert second.splitlines() == ["study: the TAP interface tapx: Device or resource busy", "2"]


def _below(process: int) -> list[int]:
    found = []
    for tasks in Path(f"/proc/{process}/task").iterdir():
        for each in Path(tasks, "children").read_text().split():
            found += [int(each), *_below(int(each))]
    return found
