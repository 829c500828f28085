# SPDX-License-Identifier: GPL-2.0-only
"""Trials of the explorer's server: requests that no page sends."""

import contextlib
import io
import json
import random
import socket
import threading
from pathlib import Path
from typing import Any

from study.explorer.serve import Server

from robustness.trial import Outcome, damaged

HANG_S = 60.0
PATIENCE_S = 3.0  # of a run; a client that waits for the rest of a question is not answered before
FLAGS = ["--system=hawking-hps1u", "--receive-window=2920", "--job-size=20000"]
QUESTIONS: list[dict[str, Any]] = [
    {"kind": "run", "program": "print-job", "flags": FLAGS, "files": []},
    {"kind": "run", "program": "print-job", "flags": FLAGS, "files": ["segments", "waits"]},
    {"kind": "form", "system": "hawking-hps1u"},
    {"kind": "paper", "flags": FLAGS, "axis": "receive-window"},
]
ODD: tuple[Any, ...] = (None, True, 5, -1, 1e300, "", "\0", "²", "x" * 3000, [], {}, [[]], [5])
ODD += ("--system", "../../etc/passwd", "/dev/zero", ["--job-size="], ["--system=hawking-hps1u=="])


def tried_requests(count: int, seed: int, folder: Path) -> Outcome:
    """Send odd requests: no answer is 500 or above, no trace is printed, and the next works."""
    outcome, draw = Outcome(), random.Random(seed)
    said = io.StringIO()
    with Server(port=0) as server, contextlib.redirect_stderr(said):
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        for number in range(count):
            request = _request(server, draw)
            wrong = _wrong(server, request) or _wrong(server, _posted(server, QUESTIONS[2]), "200")
            if not wrong and said.getvalue():
                wrong = said.getvalue()[-300:]
            said.truncate(said.seek(0))
            outcome.add(f"request {seed}/{number} {request[:60]!r}", wrong)
        server.shutdown()
        thread.join()
    return outcome


def _request(server: Server, draw: random.Random) -> bytes:
    """Return a random request: damaged bytes, or a question with an odd value."""
    question = json.loads(json.dumps(draw.choice(QUESTIONS)))
    if draw.random() < 0.3:
        return damaged(_posted(server, question), draw)
    if draw.random() < 0.2:
        return damaged(f"GET /?token={server.token} HTTP/1.1\r\nHost: x\r\n\r\n".encode(), draw)
    key = draw.choice([*question, "more"])
    if isinstance(question.get(key), list) and question[key] and draw.random() < 0.7:
        place = draw.randrange(len(question[key]))
        odd = draw.choice(ODD)
        flag = str(question[key][place]).partition("=")[0]
        question[key][place] = f"{flag}={odd}" if draw.random() < 0.5 else odd
    else:
        question[key] = draw.choice(ODD)
    return _posted(server, question)


def _posted(server: Server, question: Any) -> bytes:
    body = json.dumps(question).encode()
    head = f"POST /ask HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
    head += f"Authorization: token {server.token}\r\nContent-Length: {len(body)}\r\n"
    return head.encode() + b"Connection: close\r\n\r\n" + body


def _read(asked: socket.socket, longest_s: float) -> bytes:
    """Read to the end, or for `longest_s` seconds; with HANG_S or more a time-out is an error."""
    asked.settimeout(longest_s)
    parts = []
    try:
        while part := asked.recv(1 << 16):
            parts.append(part)
    except TimeoutError:
        if longest_s >= HANG_S:
            raise
    return b"".join(parts)


def _wrong(server: Server, request: bytes, wanted: str = "") -> str:
    """Return what is wrong with the answer, or nothing. A partial request has no answer."""
    try:
        with socket.create_connection(("127.0.0.1", server.port), timeout=HANG_S) as asked:
            asked.sendall(request)
            answer = _read(asked, PATIENCE_S)
            asked.shutdown(socket.SHUT_WR)  # only now: before, it would look like a closed page
            answer += _read(asked, HANG_S)
    except ConnectionError:
        return ""  # the server closed the connection without reading
    except TimeoutError:
        return f"no answer in {HANG_S} s"
    if not answer:
        return f"no answer: {wanted} is wanted" if wanted else ""
    status = answer.split(b" ", 2)[1].decode(errors="replace")
    if wanted and status != wanted:
        return f"{status} in the place of {wanted}"
    return f"status {status}" if status.startswith("5") and status != "501" else ""
