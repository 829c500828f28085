# SPDX-License-Identifier: GPL-2.0-only
"""The wire in user space, with nobody but the test at its ends: pairs of sockets stand in for TUN
interfaces. When a packet is due at the other end is a matter of rate, delay and queue alone. The
instants are those that the wire worked out; how late a busy machine hands over is not asserted."""

import csv
import itertools
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from study.kernel import laboratory

IPV4 = 0x45
MS = 1_000_000


class Wire:
    """The program, carrying; what is sent into one end comes out of the other."""

    def __init__(self, program: Path, capture: Path, *flags: str) -> None:
        kinds = socket.AF_UNIX, socket.SOCK_SEQPACKET
        (self.a, inner_a), (self.b, inner_b) = socket.socketpair(*kinds), socket.socketpair(*kinds)
        self.b.settimeout(60)  # of a wire that has crashed nothing comes
        inner = inner_a.fileno(), inner_b.fileno()
        command = [program, f"--a={inner[0]}", f"--b={inner[1]}", f"--capture={capture}", *flags]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self._process = subprocess.Popen(command, pass_fds=inner, **pipes)
        inner_a.close(), inner_b.close()
        self.capture = capture
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
        return list(csv.DictReader(self.capture.read_text().splitlines()))

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


def due_after_entry(rows: list[dict[str, str]]) -> list[int]:
    return [int(row["due_ns"]) - int(row["entered_ns"]) for row in rows]


def test_a_lone_packet_takes_its_time_on_the_line_and_the_delay(wire):
    """1500 B at 1 Mbit/s are 12 ms."""
    line = wire("--a-rate=1000000", f"--a-delay={5 * MS}")
    line.send(1500)
    assert line.received(1) == [0]
    (row,) = line.rows()
    assert due_after_entry([row]) == [17 * MS]
    assert int(row["handed_over_ns"]) >= int(row["due_ns"])
    assert (row["way"], row["fate"], row["size_B"]) == ("a", "arrived", "1500")


def test_framing_counts_on_the_line(wire):
    """Two octets more at 8 kbit/s are 2 ms more; of the packet itself 20 octets are 20 ms."""
    line = wire("--a-rate=8000", "--framing=2")
    line.send(20)
    line.received(1)
    assert due_after_entry(line.rows()) == [22 * MS]


def test_packets_leave_the_line_one_after_the_other_and_in_order(wire):
    line = wire("--a-rate=10000000", f"--a-delay={MS}")
    line.send(*[1250] * 20)
    assert line.received(20) == list(range(20))
    due = [int(row["due_ns"]) for row in line.rows()]
    # Each takes 1 ms; the first may have left before a slow test sent the next.
    assert all(later - earlier >= MS for earlier, later in itertools.pairwise(due))


def test_the_two_ways_have_settings_of_their_own(wire):
    line = wire(f"--a-delay={2 * MS}", f"--b-delay={7 * MS}", "--b-rate=1000000")
    line.send(125, end="a")
    line.received(1, end="b")
    line.send(125, end="b")
    line.received(1, end="a")
    assert due_after_entry(line.rows()) == [2 * MS, 8 * MS]


def test_a_full_queue_drops_what_comes_next(wire):
    """One is on the line for a second, two wait, the rest find no room."""
    line = wire("--a-rate=8000", "--a-queue=2")
    line.send(*[1000] * 5)
    line.a.close()
    rows = line.rows()
    assert [row["fate"] for row in rows] == ["under-way"] * 3 + ["queue-full"] * 2
    assert [row["number"] for row in rows] == ["1", "2", "3", "0", "0"]


def test_the_packets_of_the_list_do_not_arrive(wire):
    """They take their transmission time all the same, and packets that the queue dropped do not
    count."""
    line = wire("--a-lose=2,4", "--a-rate=1000000")
    line.send(*[125] * 5)
    assert line.received(3) == [0, 2, 4]
    rows = line.rows()
    assert [row["fate"] for row in rows] == ["arrived", "lost", "arrived", "lost", "arrived"]
    due = [int(row["due_ns"]) for row in rows]
    assert due[4] - due[0] >= 4 * MS


def test_what_is_not_ipv4_is_neither_carried_nor_counted(wire):
    line = wire("--a-lose=2")
    line.a.send(bytes([0x60]) + bytes(39))
    line.send(40, 40, 40)
    assert line.received(2) == [0, 2]
    assert [row["number"] for row in line.rows()] == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("flag", "said"),
    [
        ("--a-rat=1", "wire: --a-rat=1 is no flag of the wire: --KEY=VALUE"),
        ("--a-rate=fast", "wire: --a-rate=fast is no number from 0"),
        ("--a-delay=-1", "wire: --a-delay=-1 is no number from 0"),
        ("--b-lose=1,x", "wire: --b-lose=1,x is no list of packet numbers"),
        ("--a-lose=1,,2", "wire: --a-lose=1,,2 is no list of packet numbers"),
    ],
)
def test_a_wrong_flag_is_one_line_and_status_2(flag: str, said: str):
    command = [laboratory.wire(), "--a=0", "--b=1", flag]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said + "\n")
