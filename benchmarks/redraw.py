# SPDX-License-Identifier: GPL-2.0-only
"""How long the explorer's page takes to follow a slider, in Chromium, over the native programs."""

import statistics
from importlib.util import find_spec
from typing import Any

from benchmarks.measuring import Benchmark, Figure, NotMeasured

# One of each scenario, and two more whose jobs are simulated packet by packet.
SYSTEMS = ("hawking-hps1u", "netware", "telnet-xp", "relook-400s")
SYSTEMS += ("linksys-ppsx1", "tcp-frame-relay")
# Of each step another job, by a byte or a command, so that no answer is a kept one.
ANOTHER = """() => {
    const { size } = studyFront.scenario;
    studyFront.values[size] = String(Number(studyFront.valueOf(size)) - 1);
}"""


def redraw(steps: int) -> Benchmark:
    """Of the slowest system, the median of its steps."""
    figure = Figure(
        "redraw of the explorer, by wall",
        "time from a slider's step, by keyboard, until number and pictures of that job are drawn in"
        f" Chromium: the median of {steps} steps, of the slowest of {len(SYSTEMS)} systems",
        "ms",
        "wall",
        at_most=300,
    )
    return Benchmark((figure,), lambda: [slowest_ms(steps)])


def slowest_ms(steps: int) -> float:
    """The median of so many steps, for each system on one page."""
    chromium, pages = _browser()
    with chromium() as browser, pages.served(browser) as seen:
        medians = []
        for system in SYSTEMS:
            pages.take(seen, system)
            page = pages.front(seen)
            axis = page.locator("#front-axis").input_value()
            slider = page.locator(f"[data-slider={axis}]")
            if not slider.is_visible():
                page.locator(".front-more > summary").click()
            times_ms = []
            there_and_back = ["ArrowLeft", "ArrowRight"]
            if slider.input_value() == "0":
                there_and_back.reverse()
            for number in range(steps):
                key = there_and_back[number % 2]
                page.evaluate(ANOTHER)
                pages.change(seen, lambda slider=slider, key=key: slider.press(key))
                drawn = page.locator("#front")
                times_ms.append(float(drawn.get_attribute("data-redraw-ms")))
            medians.append(statistics.median(times_ms))
        return max(medians)


def _browser() -> tuple[Any, Any]:
    """What the tests have for it; they are skipped where there is none."""
    if find_spec("playwright") is None:
        raise NotMeasured("Playwright is not installed: ./waf test fetches it")
    import pytest

    try:
        from tests.browser import chromium
        from tests.explorer import pages
    except pytest.skip.Exception:
        raise NotMeasured("Chromium is not installed") from None
    return chromium, pages
