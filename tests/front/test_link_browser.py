# SPDX-License-Identifier: GPL-2.0-only
"""A page's address has the whole setting, in Chromium: a reload keeps it, a link sets it, a pasted
command line, too; its code and its language."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from study.base.linking import linked
from study.base.templates import inline_json, templates
from study.classroom import class_server
from study.front import words

from tests.browser import Visit, visit

# A front end and units that have nothing but a state.
PAGE = """<!doctype html><meta charset="utf-8"><title>link</title>
<link rel="icon" href="data:,">
<p data-say="link.take">Take it</p><div class="page-link link">%s</div>
<a class="there" href="#telnet">there</a><section id="telnet">here</section>
<script type="application/json" id="words">%s</script>
<script>const { openLink } = %s;
const heard = [];
const front = {
  data: { names: { relook: "", "hawking-hps1u": "" } },
  form: { host: "linux-2.2" },
  state: { system: "relook", host: "linux-2.2", values: {} },
  stateOf() { return this.state; },
  async setState({ system, host, values }) { this.turn({ system, host: host ?? "linux-2.2", values }); },
  turn(state) { this.state = state; heard.forEach((hear) => hear()); },
  onState: (hear) => heard.push(hear),
};
const units = {
  state: { telnet: {}, losses: {} },
  stateOf() { return this.state; },
  setState(state) { Object.assign(this.state, state); },
  onState: (hear) => heard.push(hear),
};
const link = openLink(document.querySelector(".page-link"), units);
const attached = link.attach(front);
</script>
"""  # noqa: E501
RELOOK = {"system": "relook", "host": "linux-2.2", "values": {"receive_window": "4096"}}


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("link") / "page.html"
    environment = templates(words.FOLDER)
    environment.globals |= words.GLOBALS
    inside = environment.get_template("link.html.jinja").render(in_header=True)
    script = linked(words.FOLDER / "link.js")
    path.write_text(PAGE % (inside, inline_json(words.read()), script), encoding="utf-8")
    return path


@pytest.fixture(params=["file", "http"])
def address(request: pytest.FixtureRequest, page: Path) -> Iterator[str]:
    if request.param == "file":
        yield page.as_uri()
        return
    with class_server.server(page, on_network=False, port=0) as made:
        threading.Thread(target=made.serve_forever, daemon=True).start()
        yield class_server.address(made)
        made.shutdown()


@pytest.fixture
def seen(browser: Any, address: str) -> Iterator[Visit]:
    with visit(browser, address) as visited:
        yield visited
    assert visited.said == []


def state(page: Any) -> Any:
    return page.evaluate("attached.then(() => [front.state, units.state])")


def turn(page: Any, front: dict[str, Any], units: dict[str, Any]) -> None:
    page.evaluate("(given) => { units.state = given[1]; front.turn(given[0]); }", [front, units])
    page.wait_for_function("() => location.hash.includes('run=')")


def test_a_reload_keeps_the_setting(seen: Visit):
    page = seen.page
    before = state(page)
    assert before[0]["system"] == "relook" and page.evaluate("location.hash") == ""
    units = {"telnet": {"latency": 3, "window": 0}, "losses": {}}
    turn(page, RELOOK, units)
    page.reload()
    assert state(page) == [RELOOK, units]
    assert page.evaluate("new URLSearchParams(location.hash.slice(1)).get('run')") == (
        "relook --receive-window 4096"
    )


def test_a_link_put_into_the_page_sets_it_and_units_it_does_not_name_begin_anew(seen: Visit):
    page = seen.page
    turn(page, RELOOK, {"telnet": {}, "losses": {"loss": 2}})
    page.evaluate("location.hash = 'run=hawking-hps1u+--host+linux-6+--nagle+true&telnet=window.2'")
    page.wait_for_function("() => front.state.system === 'hawking-hps1u'")
    expected = {"system": "hawking-hps1u", "host": "linux-6", "values": {"nagle": "true"}}
    assert state(page) == [expected, {"telnet": {"window": 2}, "losses": {}}]


def test_an_address_that_is_just_set_is_not_written_over(seen: Visit):
    """A control was turned, so the address is to be written; before that, another is put there,
    of which the page hears only when the script is through."""
    page = seen.page
    page.evaluate("() => { location.hash = 'lang=en&at=telnet'; link.write(); }")
    page.wait_for_function("() => link.at === 'telnet'")
    assert "at=telnet" in page.evaluate("location.hash")
    page.evaluate("link.write()")  # and is written again as soon as it was read
    assert page.evaluate("location.hash").startswith("#run=relook")


def test_a_pasted_command_line_sets_it_and_a_wrong_one_has_its_sentence(seen: Visit):
    page = seen.page
    page.click(".link-more > summary")
    page.fill(".link-paste", "$ .venv/bin/study run hawking-hps1u --ack-latency=47ms")
    page.keyboard.press("Enter")
    page.wait_for_function("() => front.state.values.ack_latency === '47ms'")
    page.fill(".link-paste", "study run no-such-system")
    page.keyboard.press("Enter")
    page.locator(".link-wrong", has_text="no-such-system is no system").wait_for()
    assert state(page)[0]["values"] == {"ack_latency": "47ms"}


def test_the_link_is_copied_and_has_a_code_where_others_can_follow_it(seen: Visit, address: str):
    page = seen.page
    page.click(".link-copy")
    page.locator(".link-said:not(:empty)").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.evaluate("location.href") and "#run=relook" in copied
    page.click(".link-more > summary")
    page.locator(".link-code:not(:empty)").wait_for()
    code = page.locator(".link-code svg")
    assert code.count() == address.startswith("http")
    if code.count():
        seen.picture("link-code", page.locator(".page-link"))
        assert code.get_attribute("aria-label") == "QR code of this setting's link"
    else:
        assert "study classroom --serve" in page.inner_text(".link-code")


def test_a_place_in_the_page_is_kept_beside_the_setting(seen: Visit):
    page = seen.page
    turn(page, RELOOK, {"telnet": {}, "losses": {}})
    page.click(".there")
    assert page.evaluate("document.activeElement.id") == "telnet"
    fragment = page.evaluate("Object.fromEntries(new URLSearchParams(location.hash.slice(1)))")
    assert fragment["at"] == "telnet" and fragment["run"].startswith("relook")


def test_the_language_is_changed_and_kept_with_the_setting(seen: Visit):
    page = seen.page
    turn(page, RELOOK, {"telnet": {}, "losses": {}})
    assert page.inner_text("p[data-say]") == "Take it"
    page.click("[data-language=de]")
    page.locator("p[data-say]", has_text="Übernehmen").wait_for()
    assert page.evaluate("document.documentElement.lang") == "de"
    assert state(page)[0] == RELOOK
    assert page.inner_text(".link-copy") == "Link kopieren"
    page.click("[data-language=en]")
    page.locator("p[data-say]", has_text="Take it").wait_for()
