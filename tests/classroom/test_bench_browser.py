# SPDX-License-Identifier: GPL-2.0-only
"""The part of the classroom page that simulates by itself: opened as a file in Chromium at three
sizes and in Firefox, and over HTTP; offline, with the page's content security policy."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from study import engine
from study.catalogue import systems
from study.classroom import class_server, engine_data
from study.classroom import page as whole
from study.front import leading
from study.front.words import number
from study.programs.run import run_point

from tests.firefox import FIREFOX, Firefox, firefox

if reason := engine.why_not():
    pytest.skip(f"the WebAssembly module: {reason}", allow_module_level=True)

SCREENS = {"phone": (390, 844), "laptop": (1366, 768), "desktop": (1920, 1080)}
MINE = """# SPDX-License-Identifier: GPL-2.0-only
title = "A device of one's own"
scenario = "print-job"

[parameters]
receive_window = { value = 4096, unit = "B", basis = "assumed", source = "a test" }
job_size = { value = 100000, unit = "B", basis = "assumed", source = "a test" }
"""
NUMBER = "#bench .number:not(:empty)"
# What a user does, without a pointer: set a field, and wait for what comes of it.
SET = """
  const field = document.getElementById(`front-${key}`);
  const shown = () => document.querySelector("#bench .number").textContent;
  const said = () => document.getElementById(`front-${key}-wrong`).textContent;
  const before = [shown(), said()].join();
  field.value = text;
  field.dispatchEvent(new Event("change"));
  while ([shown(), said()].join() === before) await new Promise((go) => setTimeout(go, 20));
  return [shown(), said()];
"""


@pytest.fixture(scope="module")
def page(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page without its units, whose runs are made elsewhere."""
    module = engine.built()
    assert module
    folder = tmp_path_factory.mktemp("page")
    (folder / "mine.toml").write_text(MINE)
    inside = engine_data.bench(module, [str(folder / "mine.toml")])
    path = folder / "page.html"
    path.write_text(whole.document([], [], inside, module), encoding="utf-8")
    return path


@pytest.fixture(params=SCREENS)
def seen(request: pytest.FixtureRequest, page: Path, browser: Any) -> Iterator[Any]:
    from tests.browser import visit

    address = page.as_uri()
    with visit(browser, address, SCREENS[request.param]) as visited:
        visited.page.wait_for_selector(NUMBER)
        yield visited
        visited.picture(f"bench-{request.param}", visited.page.locator("#bench"))
    assert visited.said == []
    assert {each.partition(":")[0] for each in visited.asked} <= {"file", "blob"}


def native(system: str, *flags: str) -> str:
    """The number that the page shows, by the native program."""
    own = [*systems[system].flags(), *flags]
    record = run_point(systems[system].scenario, own)
    return number(record["throughput_Bps"] / 1000)


def test_one_s_own_system_comes_first_and_its_number_is_the_native_one(seen: Any, page: Path):
    shown = seen.page.inner_text(NUMBER)
    assert seen.page.input_value("#front-system") == "mine"
    assert shown == native(str(page.with_name("mine.toml")))
    assert seen.page.text_content("#bench .front-command").startswith(".venv/bin/study run mine")


def test_any_value_can_be_given_and_one_that_is_refused_has_its_sentence(seen: Any):
    page = seen.page
    page.select_option("#front-system", "hawking-hps1u")
    page.locator(NUMBER, has_text="24.8").wait_for()
    set_it = f"async ([key, text]) => {{ {SET} }}"
    shown, said = page.evaluate(set_it, ["ack_latency", "47ms"])
    assert (shown, said) == (native("hawking-hps1u", "--ack-latency=47ms"), "")
    assert "--ack-latency 47ms" in page.text_content("#bench .front-command")
    shown, said = page.evaluate(set_it, ["receive_window", "0"])
    assert said == "0 is out of range; give 1 to 1073725440 B"
    shown, said = page.evaluate(set_it, ["receive_window", "1460"])
    flags = ("--ack-latency=47ms", "--receive-window=1460")
    assert (shown, said) == (native("hawking-hps1u", *flags), "")
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


def test_the_capture_and_the_source_can_be_saved(seen: Any, tmp_path: Path):
    page = seen.page
    page.click("#front-tab-take")
    with page.expect_download() as begun:
        page.click("#front-pcap")
    begun.value.save_as(tmp_path / "saved.pcap")
    assert begun.value.suggested_filename == "mine.pcap"
    assert (tmp_path / "saved.pcap").read_bytes()[:4] == b"\xd4\xc3\xb2\xa1"
    page.click(".licence > summary")
    with page.expect_download() as begun:
        page.click(".save-sources")
    begun.value.save_as(tmp_path / "sources.tar.xz")
    module = engine.built()
    assert module and (tmp_path / "sources.tar.xz").read_bytes() == module.sources


def test_the_command_can_be_copied_where_there_is_no_network(seen: Any):
    page = seen.page
    page.context.set_offline(True)
    page.select_option("#front-system", "hawking-hps1u")
    page.locator(NUMBER, has_text="24.8").wait_for()
    page.click("#front-tab-take")
    page.click("#front-copy")
    page.locator("#bench .front-copied:not(:empty)").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.inner_text("#bench .front-command").strip()
    assert copied.startswith(".venv/bin/study run hawking-hps1u")


def test_the_page_that_a_teacher_sends_is_below_2_5_MB(class_runs: dict):
    """With units, player, languages, module and source: what `study classroom` writes."""
    with (
        mock.patch.object(whole, "_runs", lambda unit: class_runs[unit.id]),  # made once is enough
        # Whichever controls stand first, they weigh the same.
        mock.patch.object(leading, "leading", leading.planned),
    ):
        made = whole.page(lambda _: None)
    for part in ('id="print-server"', 'id="bench-data"', 'class="licence"', '"wasm":'):
        assert part in made, part
    assert len(made.encode()) < 2_500_000


@pytest.fixture
def fox(tmp_path: Path) -> Iterator[Firefox]:
    if not FIREFOX:
        pytest.skip("Firefox is not installed")
    with firefox(tmp_path) as opened:
        yield opened


@pytest.mark.parametrize("way", ["file", "http"])
def test_the_main_path_in_firefox(fox: Firefox, page: Path, way: str):
    with class_server.server(page, on_network=False, port=0) as made:
        threading.Thread(target=made.serve_forever, daemon=True).start()
        fox.open(page.as_uri() if way == "file" else class_server.address(made))
        script = f"const document = page.document; const [key, text] = given; {SET}"
        wait = """
          const find = () => page.document.querySelector("#bench .number:not(:empty)");
          while (!find()) await new Promise((go) => setTimeout(go, 20));
          return find().textContent;
        """
        assert fox.run(wait) == native(str(page.with_name("mine.toml")))
        shown, said = fox.run(script, "ack_latency", "47ms")
        changed = native(str(page.with_name("mine.toml")), "--ack-latency=47ms")
        assert (shown, said) == (changed, ""), json.dumps([shown, said])
        _, said = fox.run(script, "receive_window", "0")
        assert said == "0 is out of range; give 1 to 1073725440 B"
        fox.picture(f"bench-firefox-{way}")
        made.shutdown()
