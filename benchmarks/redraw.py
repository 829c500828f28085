# SPDX-License-Identifier: GPL-2.0-only
"""How long the explorer's page takes to follow a slider, in Chromium, over the native programs; and
how much of that is its server's, which simulates."""

import statistics
import threading
import time
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

from benchmarks.measuring import Benchmark, Figure, NotMeasured

SERVER_MS = 30
# One system of each scenario, and two more whose jobs are simulated packet by packet.
SYSTEMS = ("hawking-hps1u", "netware", "telnet-xp", "relook-400s")
SYSTEMS += ("linksys-ppsx1", "tcp-frame-relay")
# A different job at each step, by a byte or a command, so that no answer is cached; returns its
# size as the page requests it.
ANOTHER = """() => {
    const { size } = studyFront.scenario;
    studyFront.values[size] = String(Number(studyFront.valueOf(size)) - 1);
    return `--${size.replaceAll("_", "-")}=${studyFront.values[size]}`;
}"""
Times = tuple[float, float]  # of a redraw, and of the server's part, in ms


def redraw(steps: int) -> Benchmark:
    """Return the benchmark: the slowest system's median over its steps."""
    step = f"the median of {steps} steps, of the slowest of {len(SYSTEMS)} systems"
    figures = (
        Figure(
            "redraw of the explorer, by wall",
            "time from a slider's step, by keyboard, until number and pictures of that job are"
            f" drawn in Chromium, its server's time included: {step}",
            "ms",
            "wall",
            at_most=300,
        ),
        Figure(
            "redraw of the explorer: its server, by wall",
            "time that the server has in a redraw, from the questions for the job's record and for"
            f" its packets to their answers, both simulated: {step}",
            "ms",
            "wall",
            at_most=SERVER_MS,
        ),
    )
    return Benchmark(figures, lambda _: slowest_ms(steps))


def slowest_ms(steps: int) -> Times:
    """Return the median of `steps` steps for each system on one page: the slowest of each part."""
    chromium, pages, visit = browser_of_tests()
    with chromium() as browser, pages.serving() as server:
        watch = _Watch(server)  # before the page has a connection
        with visit(browser, server.address, (1366, 768)) as seen:
            pages.settle(seen)
            medians = [_of_one(system, steps, pages, seen, watch) for system in SYSTEMS]
    redraws, answers = zip(*medians, strict=True)
    return max(redraws), max(answers)


def _of_one(system: str, steps: int, pages: Any, seen: Any, watch: "_Watch") -> Times:
    pages.take(seen, system)
    page = pages.front(seen)
    axis = page.locator("#front-axis").input_value()
    slider = page.locator(f"[data-slider={axis}]")
    if not slider.is_visible():
        page.locator(".front-more > summary").click()
    redraws, answers = [], []
    there_and_back = ["ArrowLeft", "ArrowRight"]
    if slider.input_value() == "0":
        there_and_back.reverse()
    for number in range(steps):
        key = there_and_back[number % 2]
        size = page.evaluate(ANOTHER)
        pages.change(seen, lambda key=key: slider.press(key))
        redraws.append(float(page.locator("#front").get_attribute("data-redraw-ms")))
        answers.append(watch.first_ms(size))
    return statistics.median(redraws), statistics.median(answers)


class _Watch:
    """Measures the server's time for each question."""

    def __init__(self, server: Any) -> None:
        self._asked: list[tuple[Mapping[str, Any], float]] = []
        now, answer = threading.local(), server.backend.answer

        def heard(question: Mapping[str, Any]) -> dict[str, Any]:
            now.question = question
            return answer(question)

        class Timed(server.RequestHandlerClass):
            def do_POST(timed) -> None:
                timed.began_s = time.perf_counter()
                super().do_POST()

            def _answer(timed, *given: Any) -> None:
                # Before it is sent: the page may draw the answer before this continues.
                if timed.command == "POST":
                    took_ms = (time.perf_counter() - timed.began_s) * 1e3
                    self._asked.append((now.question, took_ms))
                super()._answer(*given)

        server.backend.answer, server.RequestHandlerClass = heard, Timed

    def first_ms(self, size: str) -> float:
        """Return the server's time in ms for the first run of that size and the first with packets;
        later runs draw the curve."""
        of_it = [each for each in self._asked if size in each[0].get("flags", ())]
        plain = (took_ms for question, took_ms in of_it if not question.get("files"))
        packets = (took_ms for question, took_ms in of_it if question.get("files"))
        return next(plain) + next(packets, 0.0)  # some scenarios show no packets


def browser_of_tests() -> tuple[Any, Any, Any]:
    """Return the tests' helpers for a browser. Raise NotMeasured if no browser is installed."""
    if find_spec("playwright") is None:
        raise NotMeasured("Playwright is not installed: ./waf test fetches it")
    import pytest

    try:
        from tests.browser import chromium, visit
        from tests.explorer import pages
    except pytest.skip.Exception:
        raise NotMeasured("Chromium is not installed") from None
    return chromium, pages, visit
