# SPDX-License-Identifier: GPL-2.0-only
"""Web server of the explorer: `python -m study.explorer.serve`. It listens on this machine alone
and answers only requests with the token of its address, as JupyterLab does. It refuses another
host name (DNS rebinding) and requests from other pages (Origin)."""

import argparse
import json
import re
import secrets
import socket
import sys
import webbrowser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from study.base.errors import StudyError
from study.explorer.backend import NO_QUESTION, Backend
from study.front.front_page import page
from study.runs.feed import is_wanted

LOOPBACK = "127.0.0.1"
NAMES = (LOOPBACK, "localhost")
BEGIN = "hawking-hps1u"
MOST_B = 100_000  # of a question
MOST_DIGITS = 9  # of its length


class Server(ThreadingHTTPServer):
    """One page and what stands behind it."""

    daemon_threads = True

    def __init__(self, port: int, system: str = BEGIN) -> None:
        self.backend, self.system = Backend(), system
        self.backend.begin_with(system)
        self.token = secrets.token_urlsafe(24)
        try:
            super().__init__((LOOPBACK, port), _Handler)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise StudyError(f"--port {port} cannot be taken: {why}") from None

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @property
    def address(self) -> str:
        """With its token: who has it may ask."""
        return f"http://{LOOPBACK}:{self.port}/?token={self.token}"

    @property
    def hosts(self) -> list[str]:
        return [f"{name}:{self.port}" for name in NAMES]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A page that is reloaded, or closed, does not wait for its answers: nothing went wrong."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    def server_close(self) -> None:
        super().server_close()
        self.backend.close()


class _Handler(BaseHTTPRequestHandler):
    server: Server
    server_version = "study"
    sys_version = ""
    protocol_version = "HTTP/1.1"
    # Head and body are two writes, and the second would wait for the browser's delayed ACK: 40 ms
    # of each answer, which is what this study is about.
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        if not self._is_ours():
            return
        try:
            asked = urlsplit(self.path)
        except ValueError:
            self._say(400, "this is no address of a page")
            return
        if asked.path != "/":
            self._say(404, "there is one page here: /")
        elif not self._knows(parse_qs(asked.query).get("token", [""])[0]):
            self._say(403, "this address needs the token that ./waf explore has printed")
        else:
            self._answer(200, "text/html; charset=utf-8", page("native", self.server.system))

    def do_POST(self) -> None:
        if not self._is_ours():
            return
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch("[0-9]+", length):
            self._say(400, NO_QUESTION)
            return
        if len(length) > MOST_DIGITS or int(length) > MOST_B:
            self._say(413, NO_QUESTION)
            return
        body = self.rfile.read(int(length))
        if not self._knows(self.headers.get("Authorization", "").removeprefix("token ")):
            self._say(403, "the token is not that of this server: take the address it printed")
            return
        if self.path != "/ask":
            self._say(404, "questions go to /ask")
            return
        try:
            question = json.loads(body)
        except (ValueError, RecursionError):
            self._say(400, NO_QUESTION)
            return
        answer = self.server.backend.answer(question)
        if answer.get("said") == NO_QUESTION:
            self._say(400, NO_QUESTION)
        else:
            self._answer(200, "application/json", json.dumps(answer))

    def _is_ours(self) -> bool:
        """Asked by this server's name, and not from another's page."""
        origin = self.headers.get("Origin")
        if self.headers.get("Host") not in self.server.hosts:
            self._say(403, "this server has another name")
            return False
        if origin and origin not in [f"http://{name}" for name in self.server.hosts]:
            self._say(403, "another page may not ask")
            return False
        return True

    def _knows(self, token: str) -> bool:
        return secrets.compare_digest(token.encode(), self.server.token.encode())

    def _say(self, status: int, words: str) -> None:
        self.close_connection = True  # what was sent along is not read
        self._answer(status, "text/plain; charset=utf-8", words + "\n")

    def _answer(self, status: int, kind: str, text: str) -> None:
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Frame-Options", "DENY")
        self.end_headers()
        self.wfile.write(data)

    def handle(self) -> None:
        """In the thread that this connection has to itself."""
        is_wanted.set(self._is_awaited)
        super().handle()

    def _is_awaited(self) -> bool:
        """Return whether the page is still there: it closes its connection where it is closed."""
        try:
            return self.connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) != b""
        except BlockingIOError:
            return True  # it says nothing, and listens
        except OSError:
            return False

    def log_message(self, *_: object) -> None:
        """The token would be written down."""


def main(options: list[str]) -> None:
    """Until Ctrl-C."""
    parser = argparse.ArgumentParser(prog="./waf explore", description="The what-if explorer.")
    parser.add_argument("system", nargs="?", default=BEGIN, help="a name, or a path to a .toml")
    parser.add_argument("--port", type=int, default=0, help="[default: any that is free]")
    parser.add_argument("--no-browser", action="store_true", help="print the address only")
    given = parser.parse_args(options)
    try:
        server = Server(given.port, given.system)
    except StudyError as error:
        sys.exit(f"explore: {error}")
    with server:
        print(f"{server.address} (Ctrl-C ends it)", flush=True)
        if not given.no_browser:
            webbrowser.open(server.address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main(sys.argv[1:])
