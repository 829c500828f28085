# SPDX-License-Identifier: GPL-2.0-only
"""The explorer as a page of its own server: what claims.py says, who may ask, and what it looks
like."""

import http.client
import json
import shutil
import socket
import struct
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from study.base.project import ROOT
from study.explorer import runner, serve

from tests.browser import PICTURES, SCREENS, Visit, visit
from tests.explorer.claims import *  # noqa: F403
from tests.explorer.claims import command, rate_Bps
from tests.explorer.pages import begin, fill, served, serving, settle
from tests.waiting import HANG_S, until

HAWKING = ["--system=hawking-hps1u"]
RUN = {"kind": "run", "program": "print-job", "flags": HAWKING, "files": []}


@pytest.fixture(scope="module", autouse=True)
def patience() -> Iterator[None]:
    """On a busy machine any job may take longer than a user would wait."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "LONGEST_S", HANG_S)
        yield


@pytest.fixture(scope="module")
def shown(browser: Any, program: Path) -> Iterator[Visit]:
    with served(browser) as seen:
        seen.name = "page"
        yield seen
        assert not seen.errors  # on the console, in all tests


@pytest.fixture
def seen(shown: Visit) -> Visit:
    """Each test begins with the Hawking as it was measured."""
    begin(shown)
    return shown


@pytest.fixture(scope="module")
def server(program: Path) -> Iterator[serve.Server]:
    with serving() as opened:
        yield opened


def test_the_copied_link_is_the_published_page_s_with_the_same_state(
    browser: Any, program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The class page reads its address by the same script."""
    monkeypatch.setenv("STUDY_SITE", "https://site.example/study/")
    with served(browser) as seen:
        fill(seen, "ack_latency", "47ms")
        seen.page.evaluate("document.querySelector('.link-more').open = true")
        seen.page.locator(".link-text", has_text="47ms").wait_for()
        seen.page.click(".link-copy")
        seen.page.locator(".link-said:not(:empty)").wait_for()
        page, _, state = seen.page.evaluate("navigator.clipboard.readText()").partition("#")
    assert page == "https://site.example/study/classroom/classroom.html"
    with serving() as opened, visit(browser, f"{opened.address}#{state}") as seen:
        settle(seen)
        assert command(seen) == ".venv/bin/study run hawking-hps1u --ack-latency 47ms"


def test_the_readme_shows_it(seen: Visit, request: pytest.FixtureRequest) -> None:
    """The picture is written with --screenshots only: no two browsers draw the same letters."""
    fill(seen, "receive_window", "8760")
    settle(seen)
    seen.picture("explorer-page")
    shown = "docs/explorer-page.png"
    assert f"]({shown})" in (ROOT / "README.md").read_text()
    if request.config.getoption("--screenshots"):
        shutil.copy(PICTURES / "explorer-page.png", ROOT / shown)


def ask(server: serve.Server, method: str, path: str, body: object = None, **headers: str):
    """A request as anybody might send it; the status and the text of its answer."""
    asked = http.client.HTTPConnection("127.0.0.1", server.port, timeout=HANG_S)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    asked.request(method, path, None if body is None else json.dumps(body), named)
    answer = asked.getresponse()
    text = answer.read().decode()
    asked.close()
    return answer.status, text


def test_who_has_the_token_gets_the_page_and_its_answers(server: serve.Server):
    status, text = ask(server, "GET", f"/?token={server.token}")
    assert status == 200 and '<section id="front"' in text
    status, text = ask(server, "POST", "/ask", RUN, Authorization=f"token {server.token}")
    assert status == 200 and json.loads(json.loads(text)["printed"])["outcome"] == "finished"


@pytest.mark.parametrize("token", ["", "guessed"])
def test_who_has_not_gets_a_sentence(server: serve.Server, token: str):
    assert ask(server, "GET", f"/?token={token}")[0] == 403
    status, text = ask(server, "POST", "/ask", RUN, Authorization=f"token {token}")
    assert status == 403 and "token" in text and "finished" not in text


@pytest.mark.parametrize("name", ["study.example", "study.example:80", "", "127.0.0.1"])
def test_another_host_s_name_is_refused(server: serve.Server, name: str):
    """Even with the token: a name that was bound anew to this machine is another page's."""
    status, text = ask(server, "GET", f"/?token={server.token}", Host=name)
    assert (status, text) == (403, "this server has another name\n")
    right = {"Authorization": f"token {server.token}", "Host": name}
    assert ask(server, "POST", "/ask", RUN, **right)[0] == 403


@pytest.mark.parametrize("origin", ["http://study.example", "null", "http://127.0.0.1:1"])
def test_another_page_may_not_ask(server: serve.Server, origin: str):
    right = {"Authorization": f"token {server.token}", "Origin": origin}
    status, text = ask(server, "POST", "/ask", RUN, **right)
    assert (status, text) == (403, "another page may not ask\n")


def test_it_answers_nothing_else(server: serve.Server):
    right = {"Authorization": f"token {server.token}"}
    assert ask(server, "GET", "/etc/passwd")[0] == 404
    assert ask(server, "POST", "/", RUN, **right)[0] == 404
    assert ask(server, "PUT", "/ask", RUN, **right)[0] == 501
    assert ask(server, "POST", "/ask", "x" * 200_000, **right)[0] == 413
    status, text = ask(server, "POST", "/ask", [], **right)
    assert (status, text) == (400, f"{NO_QUESTION}\n")
    assert server.server_address[0] == "127.0.0.1"


NO_QUESTION = "this is no question that a page asks"


def test_an_answer_does_not_wait_for_the_browser_s_delayed_ack(
    server: serve.Server, monkeypatch: pytest.MonkeyPatch
):
    """Nagle's algorithm would hold its second write until then."""
    seen, true = [], serve._Handler._answer

    def note(self: serve._Handler, *said: Any) -> None:
        seen.append(self.connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        true(self, *said)

    monkeypatch.setattr(serve._Handler, "_answer", note)
    assert ask(server, "POST", "/ask", RUN, Authorization=f"token {server.token}")[0] == 200
    assert seen and all(seen)  # an open page may ask meanwhile


def test_a_page_that_is_reloaded_leaves_no_traceback(
    server: serve.Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
):
    """It has asked, and is gone before the answer; any other error is told as before."""
    gone, answered = threading.Event(), []

    def late(question: object) -> dict:
        assert gone.wait(HANG_S)
        answered.append(question)
        return {"status": 0, "said": "x" * 20_000_000}  # more than its socket takes

    monkeypatch.setattr(server.backend, "answer", late)
    told = server.handle_error
    errors: list[type] = []

    def note(*of: Any) -> None:
        told(*of)
        errors.append(type(sys.exception()))

    monkeypatch.setattr(server, "handle_error", note)
    asked = http.client.HTTPConnection("127.0.0.1", server.port, timeout=HANG_S)
    asked.request("POST", "/ask", json.dumps(RUN), {"Authorization": f"token {server.token}"})
    asked.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    asked.close()
    gone.set()
    until(lambda: errors)
    assert answered and issubclass(errors[0], ConnectionError)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(server.backend, "answer", lambda question: 1 / 0)
    with pytest.raises(http.client.HTTPException):
        ask(server, "POST", "/ask", RUN, Authorization=f"token {server.token}")
    until(lambda: len(errors) == 2)
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_what_closed_pages_have_asked_holds_up_nobody(server: serve.Server):
    """One of them is being simulated, and would be for as long as a test may take; the others wait
    behind it."""
    flags = [*HAWKING, "--loss-to-host=0.01", "--job-size=2000000000"]
    pages = []
    for seed in (1, 2, 3):
        pages.append(http.client.HTTPConnection("127.0.0.1", server.port, timeout=HANG_S))
        question = json.dumps(RUN | {"flags": [*flags, f"--seed={seed}"]})
        pages[-1].request("POST", "/ask", question, {"Authorization": f"token {server.token}"})
    until(lambda: server.backend.runner._thread._work_queue.qsize() == 2)
    for page in pages:
        page.close()
    next_one = RUN | {"flags": [*HAWKING, "--mss=1000"]}
    status, text = ask(server, "POST", "/ask", next_one, Authorization=f"token {server.token}")
    assert status == 200 and json.loads(text)["status"] == 0


def test_what_cannot_be_served_is_told_in_one_line(server: serve.Server):
    for options, said in (
        (["--port", str(server.port)], f"explore: --port {server.port} cannot be taken"),
        (["nothing"], "explore: "),
    ):
        with pytest.raises(SystemExit) as ended:
            serve.main([*options, "--no-browser"])
        assert str(ended.value).startswith(said) and "\n" not in str(ended.value)


@pytest.mark.parametrize("screen", SCREENS)
def test_it_is_one_screen(server: serve.Server, browser: Any, screen: str) -> None:
    """Number, bar, curve and the first sliders, with nothing to scroll to on a computer."""
    wide, high = SCREENS[screen]
    with visit(browser, server.address, (wide, high)) as seen:
        settle(seen)
        for scheme in ("light", "dark"):
            seen.page.emulate_media(color_scheme=scheme)
            seen.picture(f"explorer-{screen}-{scheme}")
            whole = seen.page.evaluate(
                "() => { const { scrollWidth, scrollHeight } = document.documentElement;"
                " return [scrollWidth, scrollHeight]; }"
            )
            assert whole[0] <= wide
            assert screen == "phone" or whole[1] <= high
            for selector in (".number", ".front-bar", "#front-curve svg", *SLIDERS):
                box = seen.page.locator(f"#front {selector}").bounding_box()
                assert box["y"] >= 0 and box["y"] + box["height"] <= high, selector
        assert not seen.errors


SLIDERS = [f"[data-slider={key}]" for key in ("receive_window", "ack_latency")]


def test_a_server_that_is_gone_is_told_and_the_setting_kept(browser: Any, program: Path) -> None:
    with serving() as opened, visit(browser, opened.address) as seen:
        settle(seen)
        opened.shutdown()
        opened.socket.close()
        seen.page.route("**/ask", lambda route: route.abort())
        seen.page.locator("[data-slider=receive_window]").press("ArrowRight")
        told = seen.page.locator(".front-general", has_text="start ./waf explore again")
        told.wait_for(state="visible")
        assert "--receive-window" in command(seen)
        seen.page.unroute("**/ask")
        with serving() as again:
            seen.page.route("**/ask", lambda route: _through(route, again))
            seen.page.locator("[data-slider=receive_window]").press("ArrowRight")
            seen.page.wait_for_selector("#front:not(.stale)")
            assert rate_Bps(seen) > 0


def _through(route: Any, server: serve.Server) -> None:
    """The same question to another server, as if it were the one that the page came from."""
    asked = {"Authorization": f"token {server.token}"}
    status, text = ask(server, "POST", "/ask", json.loads(route.request.post_data), **asked)
    route.fulfill(status=status, content_type="application/json", body=text)
