# SPDX-License-Identifier: GPL-2.0-only
"""Clients that a simulated one is not like: they ask ahead, say that they have no more to ask, or
ask at length."""

import sys
from collections.abc import Sequence

import pytest
from live_run import heard
from study import systems
from study.live.outcome import Outcome

REQUEST = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
BODY = b"--x\r\nContent-Type: a\r\n\r\none\r\n--x\r\n\r\ntwo\r\n--x--\r\n"
FORM = b"POST / HTTP/1.1\r\nContent-LENGTH: %d\r\n\r\n%s" % (len(BODY), BODY)
CHUNKED = b"PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n0\r\n\r\n"
LONG = b"GET / HTTP/1.1\r\nX: " + b"x" * 700 + b"\r\n\r\n"
# Connect, send each part by itself, close the own side if asked, and read to the end or that often.
CLIENT = """
import socket, sys, time
replies, half, *parts = sys.argv[1:]
with socket.create_connection(("10.0.0.2", 23), timeout=20) as peer:
    peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for part in parts:
        peer.sendall(bytes.fromhex(part))
        time.sleep(0.03)
    if half == "half":
        peer.shutdown(socket.SHUT_WR)
    heard = b""
    while heard.count(b"HTTP/1.1 200") < int(replies) or half == "half":
        more = peer.recv(65536)
        if not more:
            break
        heard += more
    time.sleep(0.3)
    peer.setblocking(False)
    try:
        heard += peer.recv(65536)
    except BlockingIOError:
        pass
sys.exit(heard.count(b"HTTP/1.1 200") != int(replies))
"""

BEGIN, _, _ = CLIENT.partition("    if half")
KILLED = (
    BEGIN
    + """
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, bytes([1, 0, 0, 0, 0, 0, 0, 0]))
time.sleep(0.3)
"""
)


def asked(replies: int, how: str, parts: Sequence[bytes]) -> Outcome:
    """A server that thinks for 100 ms; status 0 if the client had just so many replies."""
    system = systems["uhttpd-keep-alive"].with_(server_time="100ms")
    command = [sys.executable, "-c", CLIENT, str(replies), how, *(part.hex() for part in parts)]
    return heard(system, command)


@pytest.mark.parametrize(
    ("replies", "how", "parts"),
    [
        pytest.param(3, "whole", [REQUEST] * 3, id="three requests ahead of their replies"),
        pytest.param(2, "half", [REQUEST] * 2, id="no more to ask while replies are due"),
        pytest.param(3, "whole", [REQUEST * 3], id="three requests in one segment"),
        pytest.param(2, "half", [REQUEST + REQUEST[:9], REQUEST[9:]], id="one and a part of one"),
        pytest.param(
            2, "whole", [FORM + REQUEST], id="a body with empty lines in it, and a request"
        ),
        pytest.param(2, "half", [FORM[:50], FORM[50:], REQUEST], id="a body in two segments"),
        pytest.param(2, "whole", [CHUNKED + REQUEST], id="a body in chunks, and a request"),
        pytest.param(1, "whole", [LONG[:600], LONG[600:]], id="a request in two segments"),
    ],
)
def test_each_request_has_one_reply(replies: int, how: str, parts: Sequence[bytes]):
    found = asked(replies, how, parts)
    assert found.status == 0
    assert [job.heard.replies for job in found.jobs] == [replies]


def test_a_command_that_is_no_text_ends_after_its_size():
    """As those of the kernel's points are; its replies are no HTTP either, and end in a newline."""
    sized = bytes(int(systems["uhttpd-keep-alive"].settings["command_text"].value))
    command = [sys.executable, "-c", CLIENT.replace("HTTP/1.1 200", r"\n"), "3", "whole"]
    parts = [sized, sized[:50], sized[50:] + sized]
    found = heard(systems["uhttpd-keep-alive"], [*command, *(part.hex() for part in parts)])
    assert (found.status, [job.heard.replies for job in found.jobs]) == (0, [3])


# Send each part by itself; status 0 if what comes is what was expected.
TYPIST = """
import socket, sys, time
expected, *parts = sys.argv[1:]
with socket.create_connection(("10.0.0.2", 23), timeout=20) as peer:
    peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for part in parts:
        peer.sendall(bytes.fromhex(part))
        time.sleep(0.3)
    heard = b""
    while len(heard) < len(bytes.fromhex(expected)):
        heard += peer.recv(65536)
sys.exit(heard != bytes.fromhex(expected))
"""


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        pytest.param(
            [b"one\ntw", b"o\n"], b"one\ntw{}o\n{}", id="two lines, not cut at their ends"
        ),
        pytest.param([b"one\ntwo\n"], b"one\ntwo\n{}{}", id="two lines at once"),
        pytest.param([b"\x1bE", b"\x03\n"], b"\x1bE\x03\n{}", id="a line of control characters"),
        pytest.param(
            [b"a" * 20 + b"\n"], b"a" * 10 + b"{}", id="a line longer than what is echoed"
        ),
    ],
)
def test_a_line_is_echoed_and_answered_once(parts: Sequence[bytes], expected: bytes):
    system = systems["telnet-ubuntu"].with_(reply_writes=1, reply_write=30)
    text = expected.replace(b"{}", b"." * 29 + b"\n")
    command = [sys.executable, "-c", TYPIST, text.hex(), *(part.hex() for part in parts)]
    found = heard(system, command)
    assert (found.status, [job.heard.replies for job in found.jobs]) == (0, [expected.count(b"{}")])


def test_a_client_that_goes_without_its_replies_leaves_the_server_alive():
    """Two requests outstanding, and the connection reset: nothing is written to nobody."""
    system = systems["uhttpd-keep-alive"].with_(server_time="100ms")
    found = heard(system, [sys.executable, "-c", KILLED, "0", "", REQUEST.hex(), REQUEST.hex()])
    assert (found.status, [job.heard.replies for job in found.jobs]) == (0, [0])
