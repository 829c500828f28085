# SPDX-License-Identifier: GPL-2.0-only
"""A live run as one has it at a terminal: where to print to, how to watch, what is waited for
while it runs, and a shell where there is no command."""

import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress

import pytest
from live_run import SENDER
from study.live.room import ALLOW

WATCH = re.compile(r"to watch, elsewhere: (nsenter .* )tcpdump -ni (\S+) -w job\.pcap")


def at_a_terminal(
    *arguments: str, meanwhile: Callable[[str], None] = lambda text: None, **settings: str
) -> tuple[str, int]:
    """All that it has written, and its status; `meanwhile` is given what was written so far."""
    ours, its = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "study.commands.main", "live", *arguments],
        stdin=its,
        stdout=its,
        stderr=its,
        start_new_session=True,
        env=os.environ | settings,
    )
    os.close(its)
    text = b""
    with suppress(OSError):  # once nobody writes any more
        while part := os.read(ours, 65536):
            text += part
            meanwhile(text.decode(errors="replace"))
    os.close(ours)
    told = text.decode()
    if ALLOW.split()[0] in told and "no network of our own here" in told:
        pytest.skip(told)
    return told, process.wait()


def test_it_tells_the_addresses_how_to_watch_and_what_the_sender_waits_for():
    """What is printed for watching is run from outside, and sees the interface."""
    seen: list[str] = []

    def look(text: str) -> None:
        if not seen and (found := WATCH.search(text)):
            enter = [*found[1].split(), "cat", "/proc/net/dev"]
            seen.append(subprocess.run(enter, capture_output=True, text=True).stdout)
            assert f"{found[2]}:" in seen[0]

    command = [sys.executable, str(SENDER), "job", "1", "100000"]
    told, status = at_a_terminal("hawking-hps1u", "--", *command, meanwhile=look)
    assert status == 0, told
    assert "  socket://10.0.0.2:9100" in told
    assert "  lpd://10.0.0.2/queue" in told
    assert seen
    assert re.search(r" s  [\d,]+ B/s  window 2,920 B  receive window █+ \d+%", told), told
    assert "the largest beside its simulation with --host linux-6" in told


def test_without_a_command_it_is_the_users_shell():
    told, status = at_a_terminal("hawking-hps1u", SHELL="/bin/true")
    assert status == 0
    assert "nobody connected" in told
