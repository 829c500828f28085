# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the site in a real browser: it finds things, whether it is served or opened from
disk, it fits its window, and it asks the network for nothing."""

import contextlib
import functools
import re
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path

import pytest
from browser import visit

SIZES = {"desktop": (1280, 800), "phone": (390, 844)}
# Of each table its own width and that of what it stands in; that may scroll, on a phone.
WIDTHS = """() => [...document.querySelectorAll('.md-content table')].map(table => {
  const around = table.closest('.md-typeset__scrollwrap');
  const column = document.querySelector('.md-content__inner').getBoundingClientRect();
  const box = (around || table).getBoundingClientRect();
  return {table: table.offsetWidth, around: around ? around.clientWidth : table.offsetWidth,
          scrolls: around ? getComputedStyle(around).overflowX == 'auto' : false,
          outside: Math.max(0, box.right - column.right - 16)};
})"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    handler = functools.partial(Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.mark.parametrize("how", ["opened from disk", "served"])
def test_a_search_finds_what_the_pages_say(browser, site: Path, how: str):
    with served(site) as address:
        root = site.as_uri() if how == "opened from disk" else address
        with visit(browser, f"{root}/how-to/ask.html", SIZES["desktop"]) as seen:
            first = seen.page.locator(".md-search-result__item a").first
            # With keys, as a reader types: the page reads its field when it is ready and when a
            # key is let go, not whenever its text is another.
            seen.page.locator(".md-search__input").press_sequentially("persist")
            first.wait_for()
            found = seen.page.locator(".md-search-result__list").inner_text()
            assert "persist" in found
            seen.picture(f"docs-search-{how.split()[0]}")
            first.click()
            seen.page.wait_for_url(re.compile(r"/(reference|upstream)/[\w-]+\.html"))
            assert "persist" in seen.page.locator(".md-content").inner_text()
            assert seen.errors == []
            assert [each for each in seen.asked if not each.startswith((root, "data:"))] == []


def test_a_search_finds_notebooks_and_how_to_pages_before_functions(browser, site: Path):
    with visit(browser, f"{site.as_uri()}/index.html", SIZES["desktop"]) as seen:
        seen.page.locator(".md-search__input").press_sequentially("delayed ack")
        results = seen.page.locator(".md-search-result__item > a")
        results.first.wait_for()
        found = [each.get_attribute("href") for each in results.all()]
        seen.picture("docs-search-question")
    assert not [each for each in found[:3] if "/api/" in each], found


def test_every_page_fits_its_window(browser, site: Path):
    """And so does every table its column: on a desktop as it is, on a phone where it scrolls."""
    names = [path.relative_to(site) for path in site.rglob("*.html")]
    own = sorted(str(name) for name in names if name.parts[0] not in ("classroom", "404.html"))
    with visit(browser, (site / "index.html").as_uri()) as seen:
        for name, size in product(own, SIZES):
            width, height = SIZES[size]
            seen.page.set_viewport_size({"width": width, "height": height})
            if size == next(iter(SIZES)):
                seen.page.goto((site / name).as_uri(), wait_until="load")
            wide = seen.page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, (name, size)
            for table in seen.page.evaluate(WIDTHS):
                assert table["outside"] == 0, (name, size, table)
                fits = table["table"] <= table["around"] + 1
                assert fits or (size == "phone" and table["scrolls"]), (name, size, table)
            if name in ("index.html", "gallery.html", "reference/parameters.html"):
                seen.picture(f"docs-{name.replace('/', '-')}-{size}")
        assert seen.errors == []
        assert [each for each in seen.asked if not each.startswith(("file:", "data:"))] == []


@pytest.mark.parametrize("size", SIZES)
def test_the_first_screen_of_home_has_a_picture(browser, site: Path, size: str):
    with visit(browser, (site / "index.html").as_uri(), SIZES[size]) as seen:
        seen.page.wait_for_load_state("load")
        box = seen.page.locator(".md-content img").first.bounding_box()
        assert box["width"] > 300
        assert box["y"] + box["height"] <= SIZES[size][1], "all of it is to be seen"
