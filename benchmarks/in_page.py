# SPDX-License-Identifier: GPL-2.0-only
"""What the page costs that has the simulation inside: its size by part, and the time until it
answers, in Chromium and Firefox."""

import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE
from typing import Any

from study import engine
from study.base.project import scenario_program
from study.classroom import engine_data
from study.classroom.page import document
from study.engine.packing import squeezed, written

from benchmarks import redraw
from benchmarks.measuring import Benchmark, Figure, NotMeasured

# By the page's own clock. The job size differs each time, so that no answer is cached.
OPENED = """
  const find = () => document.querySelector("#bench .number:not(:empty)");
  while (!find()) await new Promise((go) => setTimeout(go, 2));
  return performance.now();
"""
STEPS = """
  const times = [];
  for (let n = 0; n < steps; n++) {
    const begun = performance.now();
    await studyEngine.run("print-job", ["--system=hawking-hps1u", `--receive-window=${3000 + n}`]);
    times.push(performance.now() - begun);
  }
  return times;
"""
MEMORY = """
  for (let n = 0; n < runs; n++) {
    await studyEngine.run("print-job", ["--system=hawking-hps1u", `--job-size=${10000 + n}`]);
  }
  return studyEngine.memory_B;
"""
Run = Callable[..., Any]


def in_page(steps: int, runs: int) -> list[Benchmark]:
    """Return the benchmarks of the page's size and of each browser."""
    parts = ("the page without its units", "the module, packed", "its source, packed")
    sizes = tuple(
        Figure(f"page with ns-3 inside: {part}", f"size of {part}, as it is in the file", "kB")
        for part in parts
    )
    return [
        Benchmark(sizes, lambda _: sizes_kB()),
        Benchmark(_native_figures(steps), lambda _: [native_ms(steps)]),
        Benchmark(_figures("Chromium", steps, runs), lambda _: _measured(_chromium, steps, runs)),
        Benchmark(_figures("Firefox", steps, runs), lambda _: _measured(_firefox, steps, runs)),
    ]


def _native_figures(steps: int) -> tuple[Figure, ...]:
    """Return the figures of the native program, for comparison with the browsers'."""
    name = "the same runs as in the page, native program"
    about = f"from giving the flags of a job of 22 MB to its record: the median of {steps} windows"
    return (Figure(name, about, "ms", "wall"),)


def native_ms(steps: int) -> float:
    """Return the median time of a run in ms, of one program that stays open like the page's
    instance."""
    times_ms = []
    command = [str(scenario_program("print-job")), "--batch"]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True, bufsize=1) as program:
        assert program.stdin and program.stdout
        for n in range(steps + 1):
            begun = time.perf_counter()
            program.stdin.write(f"--system=hawking-hps1u --receive-window={2999 + n}\n")
            program.stdin.flush()
            answer = program.stdout.readline()
            times_ms.append(1000 * (time.perf_counter() - begun))
            assert '"finished"' in answer
        program.stdin.close()
    return statistics.median(times_ms[1:])  # the first waited for the program to start


def _figures(browser: str, steps: int, runs: int) -> tuple[Figure, ...]:
    return (
        Figure(
            f"page with ns-3 inside: opening, {browser}",
            "from the beginning of the page to its first number",
            "ms",
            "wall",
        ),
        Figure(
            f"page with ns-3 inside: a run, {browser}",
            f"from asking for a job of 22 MB to its record: the median of {steps} windows",
            "ms",
            "wall",
        ),
        Figure(
            f"page with ns-3 inside: memory, {browser}",
            f"of the instance after {runs} runs more",
            "MB",
        ),
    )


def sizes_kB() -> list[float]:
    module = _module()
    with _page() as path:
        whole = path.stat().st_size
    return [
        size / 1000 for size in (whole, len(squeezed(module.wasm)), len(written(module.sources)))
    ]


def _module() -> engine.Module:
    module = engine.built()
    if module is None:
        raise NotMeasured(f"the WebAssembly module: {engine.why_not()}")
    return module


@contextmanager
def _page() -> Iterator[Path]:
    module = _module()
    with tempfile.TemporaryDirectory(prefix="study-benchmark-") as folder:
        path = Path(folder, "page.html")
        made = document([], [], engine_data.bench(module, []), module)
        path.write_text(made, encoding="utf-8")
        yield path


@contextmanager
def _chromium(path: Path) -> Iterator[Run]:
    chromium, _, visit = redraw.browser_of_tests()
    with chromium() as opened, visit(opened, path.as_uri()) as seen:
        yield lambda script, given: seen.page.evaluate(f"async (given) => {{ {script} }}", given)


@contextmanager
def _firefox(path: Path) -> Iterator[Run]:
    from tests.firefox import FIREFOX, firefox

    if not FIREFOX:
        raise NotMeasured("Firefox is not installed")
    with firefox(path.parent) as opened:
        opened.open(path.as_uri())
        own = "const { document, performance, studyEngine } = page; [given] = given;"
        yield lambda script, given: opened.run(f"{own} {script}", given)


def _measured(browser: Callable[[Path], Any], steps: int, runs: int) -> list[float]:
    with _page() as path, browser(path) as run:
        opened_ms = run(OPENED, {})
        time.sleep(2)  # so that the first curve is drawn
        times_ms = run(f"const {{ steps }} = given; {STEPS}", {"steps": steps})
        memory_B = run(f"const {{ runs }} = given; {MEMORY}", {"runs": runs})
    return [opened_ms, statistics.median(times_ms), memory_B / 1e6]
