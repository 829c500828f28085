# SPDX-License-Identifier: GPL-2.0-only
"""The two programs at the ends of the wire: what the scenario request-reply does, on sockets.

A client sends commands, each of one or two writes, and waits for the whole reply; the server
replies to a whole command in so many writes.
"""

import contextlib
import os
import socket
import struct
import time

from study.base.units import bits_per_second
from study.kernel.namespaces import family

PORT = 5001
SO_MAX_PACING_RATE = 47  # asm-generic/socket.h; Python has no name for it
READ_B = 1 << 20
# Window for a byte of the receive buffer: the kernel doubles SO_RCVBUF and counts memory, of which
# 160/256 are data in a packet of 1500 B. (TCP_WINDOW_CLAMP does not last: the kernel resets it when
# it has learnt that fraction.)
WINDOW_PER_BUFFER = 2 * 160 / 256


def so_rcvbuf(window: int) -> int:
    """Return the SO_RCVBUF for a window in bytes."""
    return round(window / WINDOW_PER_BUFFER)


def prepare(sock: socket.socket, options: dict) -> None:
    """Set a socket's options for a point's host."""
    if window := options.get("window"):
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, so_rcvbuf(window))
    if buffer := options.get("so_sndbuf"):
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, buffer)
    if mss := options.get("mss"):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, mss)
    name = options.get("congestion_control", "cubic").encode()
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, name)
    if pacing := options.get("pacing"):
        rate_Bps = round(bits_per_second(pacing) / 8)
        sock.setsockopt(socket.SOL_SOCKET, SO_MAX_PACING_RATE, rate_Bps)
    if not options.get("nagle", True):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def serve(address: str, exchange: dict, options: dict, is_listening) -> dict[str, int]:
    """Reply to each command of one connection, and return the kernel's counters of it at its
    end."""
    with socket.socket(family(address)) as listener:
        prepare(listener, options)
        listener.bind((address, PORT))
        listener.listen(1)
        is_listening()
        connection, _ = listener.accept()
    with connection:
        if not options.get("nagle", True):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        command_size = exchange["command_text"] + exchange["command_end"]
        for command in range(exchange["commands"]):
            read_slowly(connection, command_size, exchange)
            pause(exchange["server_time"])
            for number, size in enumerate(reply_to(command, exchange)):
                if number:
                    pause(exchange["reply_write_time"])
                connection.sendall(bytes(size))
        read_exactly(connection, 1)  # until the client closes
        return clocks(connection)


def ask(address: str, exchange: dict, options: dict) -> dict[str, int]:
    """Send all commands and read their replies, and return the kernel's counters of the
    connection."""
    with socket.socket(family(address)) as sock:
        prepare(sock, options)
        sock.connect((address, PORT))
        asked, commands = 0, exchange["commands"]
        for command in range(commands):
            while asked < min(command + exchange["ahead"], commands):
                command_of(sock, exchange)
                asked += 1
            read_exactly(sock, sum(reply_to(command, exchange)))
        return clocks(sock)


def command_of(sock: socket.socket, exchange: dict) -> None:
    """Send one command, in one or two writes."""
    pause(exchange["client_time"])
    write(sock, bytes(exchange["command_text"]), exchange)
    if exchange["command_end"]:
        pause(exchange["command_write_time"])
        sock.sendall(bytes(exchange["command_end"]))


def reply_to(command: int, exchange: dict) -> list[int]:
    """Return the sizes of a reply's writes: all equal, or one of several sizes in turn."""
    if sizes := exchange["replies"]:
        return [sizes[command % len(sizes)]]
    return [exchange["reply_write"]] * exchange["reply_writes"]


def write(sock: socket.socket, text: bytes, exchange: dict) -> None:
    """Write a text at once, or in several writes with a pause in between."""
    size = exchange["write"] or len(text)
    for begin in range(0, len(text), size):
        if begin:
            pause(exchange["write_pause"])
        sock.sendall(text[begin : begin + size])


# Fields of struct tcp_info (linux/tcp.h): name, offset and format. Times are in us; the three times
# that a sender waited advance with the kernel's tick.
TCP_INFO = {
    "least_rtt_us": (148, "I"),
    "busy_us": (168, "Q"),
    "rwnd_limited_us": (176, "Q"),
    "sndbuf_limited_us": (184, "Q"),
}


def clocks(sock: socket.socket) -> dict[str, int]:
    """Return the kernel's counters of this connection, as far as its version has them."""
    given = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
    return {
        name: struct.unpack_from(form, given, place)[0]
        for name, (place, form) in TCP_INFO.items()
        if place + struct.calcsize(form) <= len(given)
    }


def read_exactly(sock: socket.socket, size: int) -> None:
    """Read `size` bytes, or until the peer closes."""
    while size > 0 and (got := len(sock.recv(min(size, READ_B)))):
        size -= got


def read_slowly(sock: socket.socket, size: int, exchange: dict) -> None:
    """Read `size` bytes as they come, or in timed reads with pauses."""
    each = exchange["read"]
    if not each:
        read_exactly(sock, size)
        return
    for begin in range(0, size, each):
        read_exactly(sock, min(each, size - begin))
        pause(exchange["read_time"])
        every = exchange["read_pause_every"]
        if every and (begin + each) // every > begin // every:
            pause(exchange["read_pause"])


def pause(seconds: float) -> None:
    """Wait: asleep, but at the end in a loop, since a sleep ends late."""
    end = time.monotonic() + seconds
    if seconds > 0.0003:
        time.sleep(seconds - 0.0003)
    while time.monotonic() < end:
        pass


def become_urgent(priority: int) -> None:
    """Take a real-time priority if permitted, so that a busy machine does not disturb the times."""
    with contextlib.suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(priority))
