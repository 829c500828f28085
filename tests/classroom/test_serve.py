# SPDX-License-Identifier: GPL-2.0-only
"""`study classroom --serve` shows the page and nothing else, to this machine unless asked; what
cannot be made is one line."""

import http.client
import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner
from study.base.errors import StudyError
from study.classroom import class_server
from study.commands.teach import classroom_command

PAGE = "<title>a page</title> ½".encode()


@pytest.fixture
def shown(tmp_path: Path) -> Iterator[ThreadingHTTPServer]:
    (tmp_path / "page.html").write_bytes(PAGE)
    (tmp_path / "other.html").write_text("not for others")
    with class_server.server(tmp_path / "page.html", on_network=False, port=0) as made:
        thread = threading.Thread(target=made.serve_forever, daemon=True)
        thread.start()
        yield made
        made.shutdown()


def asked(shown: ThreadingHTTPServer, method: str, path: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(*shown.server_address[:2])
    connection.request(method, path)
    answer = connection.getresponse()
    return answer.status, answer.read()


def test_the_page_is_there_and_nothing_else(shown: ThreadingHTTPServer):
    assert asked(shown, "GET", "/") == (200, PAGE)
    assert asked(shown, "HEAD", "/") == (200, b"")
    for path in ("/other.html", "/page.html", "/../page.html", "/?x", "/%2e%2e/"):
        assert asked(shown, "GET", path)[0] == 404, path
    for method in ("POST", "PUT", "DELETE"):
        assert asked(shown, method, "/")[0] == 501


def test_it_is_on_the_loopback_unless_asked(shown: ThreadingHTTPServer, tmp_path: Path):
    host, port = shown.server_address[:2]
    assert host == "127.0.0.1" and class_server.address(shown) == f"http://127.0.0.1:{port}/"
    with class_server.server(tmp_path / "page.html", on_network=True, port=0) as other:
        assert other.server_address[0] == "0.0.0.0"
        assert class_server.address(other).startswith(f"http://{class_server.own_address()}:")


def test_a_port_that_is_taken_is_one_sentence(shown: ThreadingHTTPServer, tmp_path: Path):
    port = shown.server_address[1]
    with pytest.raises(StudyError, match=f"--port {port} cannot be taken: address already in use"):
        class_server.server(tmp_path / "page.html", on_network=False, port=port)


def test_a_qr_code_is_a_square_of_half_blocks():
    pytest.importorskip("segno")
    lines = class_server.code("http://192.0.2.1:8000/").splitlines()
    assert len(lines) > 10 and len({len(line) for line in lines if "▄" in line}) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["worksheet", "--serve"], "a worksheet is the same for every system, and is not served"),
        (["worksheet", "mine.toml"], "a worksheet is the same for every system"),
        (["--network"], "add --serve"),
        (["pages"], "'pages' is none of page, player, worksheet, answers, captures"),
        (["page", "hawking-hps1u"], "no system's file (NAME.toml)"),
        (["page", "--lesson", "45"], "worksheet and answers"),
        (["worksheet", "--lesson", "40"], "45, 60 and 90"),
        (["worksheet", "--locale", "fr"], "no locale 'fr'"),
    ],
)
def test_what_cannot_be_made_is_one_line(arguments: list[str], said: str):
    with pytest.raises(StudyError) as refused:
        CliRunner().invoke(classroom_command, arguments, catch_exceptions=False)
    assert said in str(refused.value) and "\n" not in str(refused.value)
