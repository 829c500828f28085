# SPDX-License-Identifier: GPL-2.0-only
"""The wire with nobody but the test at its ends: pairs of sockets stand in for TUN interfaces."""

import csv
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from study.kernel import laboratory

IPV4 = 0x45


class Wire:
    """The program, carrying; what is sent into one end comes out of the other."""

    def __init__(self, program: Path, capture: Path, *flags: str) -> None:
        kinds = socket.AF_UNIX, socket.SOCK_SEQPACKET
        (self.a, inner_a), (self.b, inner_b) = socket.socketpair(*kinds), socket.socketpair(*kinds)
        inner = inner_a.fileno(), inner_b.fileno()
        command = [program, f"--a={inner[0]}", f"--b={inner[1]}", f"--capture={capture}", *flags]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self._process = subprocess.Popen(command, pass_fds=inner, **pipes)
        inner_a.close(), inner_b.close()
        self._capture = capture
        assert self._process.stdout.readline() == "carries\n"

    def send(self, *sizes: int, end: str = "a") -> None:
        """Packets of these sizes, one after the other; the second octet is the packet's number."""
        for number, size in enumerate(sizes):
            getattr(self, end).send(bytes([IPV4, number]) + bytes(size - 2))

    def received(self, count: int, end: str = "b") -> list[int]:
        """The numbers of so many packets, as they come out."""
        return [getattr(self, end).recv(70000)[1] for _ in range(count)]

    def rows(self) -> list[dict[str, str]]:
        """Cut the wire, and what it saw."""
        self._process.stdin.close()
        assert self._process.wait(10) == 0
        return list(csv.DictReader(self._capture.read_text().splitlines()))

    def close(self) -> None:
        self.a.close(), self.b.close()
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Callable[..., Wire]]:
    """Makes a wire with these flags."""
    made: list[Wire] = []

    def make(*flags: str) -> Wire:
        made.append(Wire(laboratory.wire(), tmp_path / f"{len(made)}.csv", *flags))
        return made[-1]

    yield make
    for each in made:
        each.close()
