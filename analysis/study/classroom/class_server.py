# SPDX-License-Identifier: GPL-2.0-only
"""HTTP server of the class page for phones, which cannot open a local file. It serves that page
alone, read-only."""

import io
import socket
import sys
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from study.base.errors import StudyError

LOOPBACK, ALL = "127.0.0.1", "0.0.0.0"
UNUSED_ADDRESS = ("192.0.2.1", 9)  # RFC 5737: nobody; asking for the route sends nothing


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    page: bytes

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore connections that a phone closes before it has the page."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    server_version = "study"
    sys_version = ""

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def _answer(self, with_body: bool) -> None:
        if self.path != "/":
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(self.server.page)))
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        if with_body:
            self.wfile.write(self.server.page)

    def log_message(self, *_: object) -> None:
        """Nobody's address is written down."""


def server(page: Path, on_network: bool, port: int) -> ThreadingHTTPServer:
    """Return the page's HTTP server, on the loopback address or on all addresses. Port 0 is any
    free port."""
    try:
        made = _Server((ALL if on_network else LOOPBACK, port), _Handler)
    except OSError as error:
        raise StudyError(f"--port {port} cannot be taken: {error.strerror.lower()}") from None
    made.page = page.read_bytes()
    return made


def address(made: ThreadingHTTPServer) -> str:
    """Return the page's address, with this machine's network address if others may connect."""
    host, port = made.server_address[:2]
    return f"http://{own_address() if host == ALL else host}:{port}/"


def own_address() -> str:
    """Return this machine's address on the local network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(UNUSED_ADDRESS)
        except OSError:
            return LOOPBACK
        return probe.getsockname()[0]


def code(text: str) -> str:
    """Return a QR code, for a terminal."""
    try:
        import segno
    except ImportError:
        raise StudyError("a QR code needs segno: `./waf extras` fetches it") from None
    drawn = io.StringIO()
    segno.make(text, error="m").terminal(drawn, compact=True)
    return drawn.getvalue()


def show(page: Path, on_network: bool, port: int, say: Callable[[str], None]) -> None:
    """Serve the page until Ctrl-C."""
    with server(page, on_network, port) as made:
        where = address(made)
        say(f"{where} (Ctrl-C ends it)")
        if on_network:
            try:
                say(code(where))
            except StudyError as error:
                say(f"without its QR code: {error}")
        try:
            made.serve_forever()
        except KeyboardInterrupt:
            say("")
