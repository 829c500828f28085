# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of a live run start there: programs that print, each job of octets that its seed
gives. `python live_sender.py job SEED SIZE` prints one; the other modes are below."""

import array
import fcntl
import json
import os
import random
import socket
import struct
import sys
import termios
import time
from pathlib import Path

DEVICE = "10.0.0.2"
RAW, LPR, TELNET = 9100, 515, 23


def octets(seed: int, size: int) -> bytes:
    return random.Random(seed).randbytes(size)


def connected(port: int = RAW, device: str = DEVICE) -> socket.socket:
    # A connection that is refused or lost is a failure of the test, not a thing to wait for.
    return socket.create_connection((device, port), timeout=60)


def sent(sock: socket.socket, data: bytes) -> None:
    """All of it, until it is acknowledged, as the simulated host's program has it."""
    sock.sendall(data)
    left = array.array("i", [1])
    while left[0]:
        fcntl.ioctl(sock, termios.TIOCOUTQ, left)
        time.sleep(0.001)


def job(seed: int, size: int, device: str = DEVICE) -> None:
    """Close once all is acknowledged, and wait for the device to close."""
    data = octets(seed, size)  # first: it is no time of the job
    with connected(RAW, device) as sock:
        sent(sock, data)
        sock.shutdown(socket.SHUT_WR)
        sock.recv(1)


def late(seed: int, size: int, seconds: float) -> None:
    """A program that takes its time before it begins."""
    data = octets(seed, size)
    with connected() as sock:
        time.sleep(seconds)
        sent(sock, data)


def telling(seed: int, size: int, file: str) -> None:
    """The same job, and what its socket says of itself."""
    data = octets(seed, size)
    with connected() as sock:
        sent(sock, data)
        state = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 104)
        control = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, 16)
        told = {
            "congestion_control": control.rstrip(b"\0").decode(),
            "send_buffer": sock.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF),
            "rto_us": struct.unpack_from("I", state, 8)[0],
        }
        Path(file).write_text(json.dumps(told))


def behind(seed: int, size: int) -> None:
    """The same with the device behind a path."""
    job(seed, size, "10.0.1.2")


def lpr(seed: int, size: int) -> None:
    """RFC 1179, 5.2 and 6: the data file first, then the control file, as CUPS does not do."""
    control = b"Hhost\nPuser\n"
    with connected(LPR) as sock:
        for command in (
            b"\2queue\n",
            b"\3%d dfA001host\n" % size,
            octets(seed, size) + b"\0",
            b"\2%d cfA001host\n" % len(control),
            control + b"\0",
        ):
            sock.sendall(command)
            assert sock.recv(1) == b"\0"


def many(count: int, at_once: int, most: int) -> None:
    """So many jobs of random sizes, each of a process of its own."""
    running = set()
    for seed in range(count):
        if len(running) == at_once:
            running.discard(_ended())
        child = os.fork()
        if child == 0:
            job(seed, random.Random(-seed - 1).randint(1, most))
            os._exit(0)
        running.add(child)
    while running:
        running.discard(_ended())


def _ended() -> int:
    child, status = os.wait()
    assert status == 0
    return child


def together(seed: int, size: int) -> None:
    """Two jobs at a time."""
    with connected() as one, connected() as other:
        sent(one, octets(seed, size))
        sent(other, octets(seed, size))


def killed(seed: int, size: int, after: int) -> None:
    """A client that goes in mid-job: what it has not sent is lost, by a reset."""
    sock = connected()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    sock.sendall(octets(seed, size)[:after])
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()


def talk(commands: int, text: int, end: int, reply: int) -> None:
    """Commands of two writes, each answered by so many octets, its echo among them."""
    with connected(TELNET) as sock:
        for _ in range(commands):
            sock.sendall(b"x" * text)
            if end:
                sock.sendall(b"\r\n"[-end:])
            left = reply
            while left:
                got = len(sock.recv(left))
                assert got
                left -= got


def stopping(seed: int, size: int, seconds: float) -> None:
    """Begin a job, and stop the simulator that long, as a machine that sleeps does."""
    with connected() as sock:
        sock.sendall(octets(seed, size))
        end = simulated_end(os.getppid())
        os.kill(end, 19)
        time.sleep(seconds)
        os.kill(end, 18)


def simulated_end(above: int) -> int:
    """The process build/live-end among the children of one."""
    for tasks in Path(f"/proc/{above}/task").iterdir():
        for child in Path(tasks, "children").read_text().split():
            if "live-end" in Path(f"/proc/{child}/comm").read_text():
                return int(child)
    raise LookupError("no simulated end")


def number(text: str) -> int | float | str:
    """A name of a file stays one."""
    if text.startswith("/"):
        return text
    return float(text) if "." in text else int(text)


MODES = {
    each.__name__: each
    for each in (job, late, telling, behind, lpr, many, together, killed, talk, stopping)
}

if __name__ == "__main__":
    mode, *numbers = sys.argv[1:]
    MODES[mode](*map(number, numbers))
