# SPDX-License-Identifier: GPL-2.0-only
"""One live run, in its room: the interface, the simulated end, the capture, and the command."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from study.base.errors import StudyError, why
from study.kernel import namespaces
from study.live import kernel_host, route
from study.live.asked import Asked
from study.live.end import End, Heard
from study.live.room import dies_with_us
from study.live.sniffer import Sniffer
from study.live.terminal import Terminal

TAP = "tap0"
OWN, ON_PATH = "10.0.0.1", "10.0.9.1"
PATH_NETWORK, PATH_BITS, PATH_GATEWAY = "10.0.1.0", 24, "10.0.9.254"
TICK_S = 0.05
SILENT_S = 60.0  # an open connection without a frame for so long is given up
CLOSING_S = 0.3  # time for the last packets of a closed connection


@dataclass(frozen=True)
class Seen:
    """Data of a finished live run."""

    status: int  # of the command
    heard: tuple[Heard, ...]
    captured: bool
    missed: int  # frames that are missing in the capture
    late_in_ns: np.ndarray  # from the kernel's sending of a frame to its reading
    late_out_ns: np.ndarray  # from a frame's due time to its writing
    was_cut: str = ""  # why it ended before the connections did
    host: Mapping[str, str] = field(default_factory=dict)  # the kernel's settings, by bare names
    asleep_s: float = 0.0  # of the machine, meanwhile


def held(
    asked: Asked,
    command: Sequence[str],
    capture: Path,
    tap: str | None,
    say: Callable[[str], None],
) -> Seen:
    """Run the command with the simulated end, until all its connections have ended."""
    name = tap or TAP
    descriptor = namespaces.open_tap(name)
    if tap is None:
        if asked.is_path:
            join_path(name)
        else:
            namespaces.set_up(name, OWN)
    asleep_s = _asleep_s()
    with ExitStack() as stack:
        stack.callback(os.close, descriptor)  # last: it removes the interface
        sniffer = None
        try:
            sniffer = stack.enter_context(Sniffer(name, capture))
        except namespaces.Forbidden as error:
            if tap is None:
                raise
            say(f"no capture, and so nothing to compare: {error}")
        end = stack.enter_context(End(asked.scenario, asked.flags, descriptor))
        host = {}
        if tap is None:
            gateway = PATH_GATEWAY if asked.is_path else ""
            kernel_host.apply(asked.host, name, end.address, gateway)
            host = kernel_host.seen(asked.host)
        for line in heading(asked, end, name, tap):
            say(line)
        terminal = Terminal(capture, sniffer) if sniffer else None
        status, was_cut = _followed(command, end, sniffer, terminal)
        if end.heard:
            time.sleep(CLOSING_S)
    late_in = np.zeros(0, np.int64)
    if sniffer and len(sniffer.sent_ns) == len(end.read_ns):
        late_in = end.read_ns - sniffer.sent_ns
    return Seen(
        status,
        tuple(end.heard.values()),
        sniffer is not None,
        sniffer.missed if sniffer else 0,
        late_in,
        end.late_ns,
        was_cut,
        host,
        _asleep_s() - asleep_s,
    )


def join_path(name: str) -> None:
    """Set the interface up before a device behind a path."""
    namespaces.set_up(name, ON_PATH)
    route.add(name, PATH_NETWORK, PATH_GATEWAY, {}, PATH_BITS)


def _asleep_s() -> float:
    """Return how long the machine was suspended since boot, in seconds, from two clocks."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) - time.clock_gettime(time.CLOCK_MONOTONIC)


def heading(asked: Asked, end: End, name: str, tap: str | None) -> list[str]:
    """Return the lines that a user needs to begin."""
    told = [f"{asked.system.name}, live: {asked.system.title}"]
    for kind, port in end.ports.items():
        queue = "/queue" if kind == "lpd" else f":{port}"
        told.append(f"  {kind}://{end.address}{queue}")
    if tap is None:
        own = f"nsenter --preserve-credentials -U -n -t {os.getpid()}"
        told.append(f"  to watch, elsewhere: {own} tcpdump -ni {name} -w job.pcap")
    else:
        told.append(f"  on {name}, to which it is a neighbour; Ctrl-C ends it")
    return told


def _followed(
    command: Sequence[str], end: End, sniffer: Sniffer | None, terminal: Terminal | None
) -> tuple[int, str]:
    """Return the command's status, and why its connections did not end, or an empty text."""
    process = _begun(command) if command else None
    last, since = -1, time.monotonic()
    try:
        while True:
            time.sleep(TICK_S)
            if not end.is_alive:
                return _status(process), "the simulated end has ended"
            if terminal:
                terminal.tick()
            status = process.poll() if process else None
            frames = sniffer.frames if sniffer else end.octets
            if frames != last:
                last, since = frames, time.monotonic()
            if process and status is not None:
                if not end.open:
                    return _status(process), ""
                if time.monotonic() - since > SILENT_S:
                    return _status(process), f"silent for {SILENT_S:.0f} s, and not closed"
    except KeyboardInterrupt:
        if process:
            raise
        return 0, ""  # an interrupt is its normal end
    finally:
        if terminal:
            terminal.close()


def _begun(command: Sequence[str]) -> subprocess.Popen:
    try:
        return subprocess.Popen(command, preexec_fn=dies_with_us)
    except OSError as error:
        raise StudyError(f"{command[0]}: {why(error)}") from None


def _status(process: subprocess.Popen | None) -> int:
    status = process.poll() if process else 0
    return 0 if status is None else status if status >= 0 else 128 - status


def shell() -> list[str]:
    """Return the user's shell, which runs if no command is given. Raise StudyError if there is no
    terminal."""
    if not sys.stdin.isatty():
        raise StudyError("give a command behind --, as in -- sh print.sh; there is no terminal")
    return [os.environ.get("SHELL") or "/bin/sh"]
