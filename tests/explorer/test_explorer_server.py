# SPDX-License-Identifier: GPL-2.0-only
"""What the explorer's server says to requests that no page sends: 400, and no traceback."""

import json
import socket
import threading
from collections.abc import Iterator

import pytest
from study.explorer.serve import Server

from tests.waiting import HANG_S

DEEP = b"[" * 20_000 + b"]" * 20_000
RUN = {"kind": "run", "program": "print-job"}


@pytest.fixture(scope="module")
def server(program) -> Iterator[Server]:
    with Server(port=0) as opened:
        thread = threading.Thread(target=opened.serve_forever, daemon=True)
        thread.start()
        yield opened
        opened.shutdown()
        thread.join()


def status(server: Server, line: str, body: bytes, length: str | None = None) -> int:
    """Of the answer to these bytes, which no library of HTTP would send."""
    head = [
        line,
        f"Host: 127.0.0.1:{server.port}",
        f"Authorization: token {server.token}",
        f"Content-Length: {len(body) if length is None else length}",
    ]
    with socket.create_connection(("127.0.0.1", server.port), timeout=HANG_S) as asked:
        asked.sendall("\r\n".join([*head, "", ""]).encode("latin-1") + body)
        answer = asked.makefile("rb").readline().split()
    assert answer, "the connection was closed without an answer"
    return int(answer[1])


def test_an_address_that_is_none_is_answered_400(server: Server, capsys):
    assert status(server, "GET http://[::1 HTTP/1.1", b"") == 400
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("length", ["²", "-1", "", "1e3", "0x1", "9" * 5000])
def test_a_length_that_is_no_number_is_answered_400_and_not_read_as_one(
    server: Server, length: str, capsys
):
    """str.isdigit takes a superscript for a digit, and int refuses it."""
    wanted = 413 if length.startswith("9") else 400
    assert status(server, "POST /ask HTTP/1.1", b"{}", length) == wanted
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "question",
    [
        DEEP,
        b"[]",
        b"{",
        json.dumps({**RUN, "flags": [5]}).encode(),
        json.dumps({**RUN, "flags": "--system=hawking-hps1u"}).encode(),
        json.dumps({**RUN, "flags": ["--system=hawking-hps1u"], "files": [{}]}).encode(),
        json.dumps({"kind": ["run"]}).encode(),
        json.dumps({"kind": "paper", "flags": ["--system=hawking-hps1u"], "axis": []}).encode(),
    ],
    ids=lambda question: question[:40].decode(),
)
def test_what_is_no_question_is_answered_400(server: Server, question: bytes, capsys):
    assert status(server, "POST /ask HTTP/1.1", question) == 400
    assert capsys.readouterr().err == ""
