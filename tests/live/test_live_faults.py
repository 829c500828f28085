# SPDX-License-Identifier: GPL-2.0-only
"""What goes wrong in a live run is one line, leaves nothing behind, and is no success."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from live_run import SENDER, heard, run
from study.commands.main import main
from study.kernel import namespaces
from study.kit.systems import systems
from study.live import room, session
from study.live.room import ALLOW

LONG_S = 120.0


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
        (["hawking-hps1u", "--push-flag", "true"], "push-flag: true cannot be had live: the"),
        (["hawking-hps1u", "--host", "linux-6"], "--host has no effect live"),
        (["hawking-hps1u", "--job-size", "1000"], "job-size has no effect live: COMMAND"),
        (["hawking-hps1u", "--pcap", "/no/such/f.pcap"], "cannot write /no/such/f.pcap"),
        (["hawking-hps1u", "--link", "frame-relay"], "a live device is on an Ethernet or behind"),
        (["hawking-hps1u", "--receive-window", "0"], " --receive-window: 0 is out of"),
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


@pytest.mark.parametrize(
    ("script", "status"), [("exit 7", 7), ("kill -9 $$", 128 + signal.SIGKILL)]
)
def test_the_status_is_the_commands(script: str, status: int):
    found = heard(systems["hawking-hps1u"], ["sh", "-c", script])
    assert (found.status, str(found).splitlines()[0]) == (status, "nobody connected")


def test_a_machine_that_slept_is_told_and_is_no_success():
    found = run("hp-jetdirect-610n", "stopping", 1, 2000000, 5.0)
    assert found.status == 1
    assert found.slept_s > 4.9  # by the first frame that was due, some time after the stop began
    assert re.search(r"stood still for \d+\.\d s", str(found))
    assert found.jobs[0].octets == 2000000


def test_a_machine_that_slept_when_nothing_was_under_way_is_told_too(monkeypatch):
    """No frame was late by it: one clock of the kernel has run on, and the other has not."""
    first = [0.0]
    monkeypatch.setattr(session, "_asleep_s", lambda: first.pop() if first else 5.0)
    found = heard(systems["hawking-hps1u"], ["true"])
    assert (found.status, found.slept_s) == (1, 5.0)
    assert "stood still for 5.0 s" in str(found)


def test_a_run_whose_caller_is_gone_before_it_begins_does_nothing(tmp_path: Path):
    """Nobody would end it, nor delete its folder."""
    begun, folder = tmp_path / "begun", tmp_path / "folder"
    folder.mkdir()
    child = os.fork()
    if child == 0:
        room._in_child(begun.touch, False, folder / "answer", parent=os.getpid())
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1
    assert not begun.exists() and not folder.exists()


def test_where_the_kernel_gives_no_user_namespaces_one_line_says_what_to_allow():
    """A real one: in a user namespace that may have none below it."""
    inner = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'
    started = [sys.executable, "-m", "study.commands.main", "live", "hawking-hps1u", "--", "true"]
    outer = ["unshare", "--user", "--map-root-user", "sh", "-c", inner, "sh", *started]
    done = subprocess.run(outer, capture_output=True, text=True, timeout=LONG_S)
    if "unshare: unshare failed" in done.stderr or "Directory nonexistent" in done.stderr:
        pytest.skip(done.stderr)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("study: no network of our own here (unshare: ")
    assert ALLOW in line


@pytest.mark.parametrize("victim", ["who started it", "the room"])
def test_what_is_killed_without_a_warning_leaves_nothing_behind(victim: str, tmp_path: Path):
    """SIGKILL cannot be caught: whoever is left ends the rest, and takes the files away."""
    mine = tmp_path / "pids"
    process = _in_mid_job(mine, tmp_path)
    below = namespaces.processes_below(process.pid)
    room = next(each for each in below if b"study.commands.main" in _said_to(each))
    os.kill(process.pid if victim == "who started it" else room, signal.SIGKILL)
    _, said = process.communicate(timeout=LONG_S)
    assert process.returncode == (-signal.SIGKILL if victim == "who started it" else 2)
    if victim == "the room":
        last = said.splitlines()[-1]
        assert last == "study: the live run ended without a word, with status -9"
    end = time.monotonic() + LONG_S
    while any(map(_lives, below)) and time.monotonic() < end:
        time.sleep(0.05)
    assert [each for each in below if _lives(each)] == []
    while len(list(tmp_path.iterdir())) > 1 and time.monotonic() < end:
        time.sleep(0.05)
    assert [each.name for each in tmp_path.iterdir()] == ["pids"]


def _said_to(process: int) -> bytes:
    """The command line that it was begun with."""
    return Path(f"/proc/{process}/cmdline").read_bytes()


def _lives(process: int) -> bool:
    """Whether it is there, and not only waits to be told of."""
    try:
        return "State:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_in_mid_job_leaves_nothing_behind(number: signal.Signals, tmp_path: Path):
    """Neither a process nor a file: the command has even begun one that does not want to end."""
    mine = tmp_path / "pids"
    process = _in_mid_job(mine, tmp_path)
    below = namespaces.processes_below(process.pid)
    assert len(below) >= 4  # the room, the simulated end, the shell, what it has begun
    process.send_signal(number)
    _, said = process.communicate(timeout=LONG_S)
    assert process.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143}[number]
    assert "Traceback" not in said
    assert said.splitlines()[-1] in ("interrupted", "terminated")
    assert [each for each in below if Path(f"/proc/{each}").exists()] == []
    assert [each.name for each in tmp_path.iterdir()] == ["pids"]


def _in_mid_job(mine: Path, folder: Path) -> subprocess.Popen:
    """A live run in the middle of a job, whose command has begun one that does not want to end."""
    kept = folder / "job.pcap"
    stubborn = f"trap '' TERM HUP INT; echo $$ >> {mine}; while sleep 1; do :; done"
    script = f'sh -c "{stubborn}" & {sys.executable} {SENDER} job 1 5000000'
    started = [sys.executable, "-m", "study.commands.main", "live", "hawking-hps1u"]
    process = subprocess.Popen(
        [*started, "--pcap", kept, "--", "sh", "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | {"TMPDIR": str(folder)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    end = time.monotonic() + LONG_S
    while not mine.exists() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
    if process.poll() is not None:
        pytest.skip(process.stderr.read())
    time.sleep(0.5)  # into the job
    return process


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
