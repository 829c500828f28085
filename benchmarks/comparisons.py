# SPDX-License-Identifier: GPL-2.0-only
"""What is measured. The transfer is the same in all of them: plain-transfer.toml here, and
stock-transfer.cc, which uses ns-3 and nothing of the study. The two put the same data segments on
the wire."""

import os
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from study import systems
from study.base.errors import StudyError
from study.base.machine import cores
from study.base.project import BUILD, scenario_program
from study.programs.declaration import declaration
from study.programs.identity import identity
from study.runs.records import key_of, row_of
from study.runs.store import Store
from study.runs.sweep import prepare
from study.runs.workers import FAST_MALLOC
from study.system.system import System

from benchmarks import instructions, with_sem
from benchmarks.capture import reading
from benchmarks.command import FIRST_WINDOW_B, PLAIN, Build
from benchmarks.in_page import in_page
from benchmarks.measuring import Benchmark, Figure, NotMeasured, cost, in_turns
from benchmarks.redraw import redraw

SMALL_B, MIDDLE_B, LARGE_B = 65_536, 1_000_000, 22_000_000
ONE_SEGMENT_B = 1460


@dataclass(frozen=True)
class Scale:
    """Sizes of the benchmarks."""

    many: int = 10_000  # points of 64 kB, for Python's cost
    ours: int = 2000  # points of one sweep beside plain ns-3
    stock: int = 24  # programs of plain ns-3, each of equal cost
    sem: int = 100
    kept: int = 10_000  # points that are looked up in a store
    runs: int = 2000  # of one program, for its memory
    large_B: int = LARGE_B
    segments: int = 2000  # segments whose instructions are counted
    steps: int = 16  # of a slider of the explorer
    capture_B: int = 1_000_000_000


def benchmarks(scale: Scale = Scale(), also: Sequence[Build] = ()) -> list[Benchmark]:
    """Return all benchmarks in the table's order; sweeps also with other builds."""
    # Targets: with the wheel's ns-3, and with one that `./waf ns3` built.
    against_stock = [
        (SMALL_B, scale.ours, True, (12, 25), "64 kB"),
        (MIDDLE_B, scale.ours, False, (2.6, 6), "1 MB in full"),
        (scale.large_B, scale.ours, True, (60, 100), "22 MB with fast-forward"),
    ]
    builds = (Build(), *also)
    return [
        *(_sweeps_against_stock(scale, builds, *case) for case in against_stock),
        _start(),
        _python_against_loops(scale),
        _workers(scale),
        _against_sem(scale),
        _per_segment(scale),
        *instructions.per_segment(scale.segments),
        _memory(scale),
        _look_up(scale),
        redraw(scale.steps),
        *in_page(scale.steps, scale.runs),
        *reading(scale.capture_B),
    ]


def plain(size_B: int) -> System:
    return systems[str(PLAIN)].with_(job_size=size_B)


def windows(count: int) -> range:
    return range(FIRST_WINDOW_B, FIRST_WINDOW_B + count)


def sweep(size_B: int, count: int, fast_forward: bool = True) -> None:
    """Run a sweep as a user does, into a new store and a table."""
    with tempfile.TemporaryDirectory(prefix="study-benchmark-") as folder:
        made = plain(size_B).sweep(
            receive_window=windows(count), store=folder, fast_forward=fast_forward, progress=False
        )
    if len(made) != count or set(made.outcome) != {"finished"}:
        raise StudyError(f"of {count} points of {size_B} B not all finished")


def stock_program() -> Path:
    program = BUILD / "stock-transfer"
    if not program.is_file():
        raise StudyError("there is no program build/stock-transfer: run ./waf benchmark")
    return program


def stock(size_B: int, count: int) -> None:
    """Run one program for each point, as many at a time as there are cores."""
    program = stock_program()

    def run(window_B: int) -> None:
        flags = [f"--size={size_B}", f"--window={window_B}"]
        subprocess.run([program, *flags], stdout=subprocess.PIPE, check=True)

    with ThreadPoolExecutor(cores()) as pool:
        list(pool.map(run, windows(count)))


def _sweeps_against_stock(
    scale: Scale,
    builds: Sequence[Build],
    size_B: int,
    count: int,
    fast_forward: bool,
    targets: tuple[float, float],
    name: str,
) -> Benchmark:
    what = f"points a second of a sweep of {count:,}, the whole command from its start to the"
    what += " table's file, over those of one plain ns-3 program a point,"
    what += f" {cores()} at once"
    figures = tuple(
        Figure(
            f"sweep of {name}, by {clock}{build.words}",
            what,
            "x",
            clock,
            at_least=targets[build.is_own],
        )
        for build in builds
        for clock in ("wall", "CPU")
    )

    def sample(turn: int) -> list[float]:
        works = [partial(build.sweep, size_B, count, fast_forward) for build in builds]
        *ours, theirs = in_turns([*works, partial(stock, size_B, scale.stock)], turn)
        share = count / scale.stock
        return [
            ratio * share
            for each in ours
            for ratio in (theirs.wall_s / each.wall_s, theirs.cpu_s / each.cpu_s)
        ]

    return Benchmark(figures, sample)


def _start() -> Benchmark:
    """Return the benchmark of a sweep's fixed cost, which matters most with few points."""
    what = "a sweep of one point of 64 kB, the whole command from its start to the table's file"
    figures = tuple(
        Figure(f"a sweep of one point, by {clock}", what, "ms", clock) for clock in ("wall", "CPU")
    )

    def sample(_: int) -> list[float]:
        spent = cost(partial(Build().sweep, SMALL_B, 1))
        return [spent.wall_s * 1e3, spent.cpu_s * 1e3]

    return Benchmark(figures, sample)


def _python_against_loops(scale: Scale) -> Benchmark:
    what = (
        f"a sweep of {scale.many:,} points of 64 kB, the whole command from its start to the"
        " table's file, over as many"
    )
    what += " C++ loops as there are cores that read the points and write records to nowhere, with"
    what += " the settings that ours have; at this size nothing is fast-forwarded, and so"
    what += " nothing is run twice to check it"
    figures = tuple(
        Figure(f"Python over bare C++, by {clock}", what, "x", clock, at_most=1.05)
        for clock in ("wall", "CPU")
    )

    def sample(turn: int) -> list[float]:
        works = [partial(Build().sweep, SMALL_B, scale.many), partial(_loops, scale.many)]
        ours, bare = in_turns(works, turn)
        return [ours.wall_s / bare.wall_s, ours.cpu_s / bare.cpu_s]

    return Benchmark(figures, sample)


def _loops(count: int) -> None:
    """Run the same points through the same programs, without Python in between."""
    lines = prepare(plain(SMALL_B), receive_window=windows(count)).lines()
    with tempfile.TemporaryDirectory(prefix="study-benchmark-") as folder:
        processes = []
        for core in range(cores()):
            points = Path(folder, str(core))
            points.write_text("".join(line + "\n" for line in lines[core :: cores()]))
            with points.open() as given:
                command = [scenario_program("print-job"), "--batch", "--tell-parameters=false"]
                streams = {"stdin": given, "stdout": subprocess.DEVNULL}
                processes.append(subprocess.Popen(command, **streams, env=FAST_MALLOC | os.environ))
        if any([process.wait() for process in processes]):
            raise StudyError("a bare loop failed")


def _workers(scale: Scale) -> Benchmark:
    count = scale.many // 4
    figure = Figure(
        "two workers over one, by CPU",
        f"CPU time of a sweep of {count:,} points of 64 kB on two cores over that on one",
        "x",
        "CPU",
        at_most=1.10,
    )

    def sample(turn: int) -> list[float]:
        if cores() < 2:
            raise NotMeasured("there is one core")
        works = [partial(_on_cores, used, partial(sweep, SMALL_B, count)) for used in (2, 1)]
        two, one = in_turns(works, turn)
        return [two.cpu_s / one.cpu_s]

    return Benchmark((figure,), sample)


def _on_cores(count: int, work: Callable[[], object]) -> None:
    all_of_them = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(sorted(all_of_them)[:count]))
    try:
        work()
    finally:
        os.sched_setaffinity(0, all_of_them)


def _against_sem(scale: Scale) -> Benchmark:
    figure = Figure(
        "sweep against sem, by wall",
        f"time of a script with sem, its start and imports included, from {scale.sem} points of"
        " 64 kB to the DataFrame, running the plain ns-3 program, over that of our whole command"
        " for the same points",
        "x",
        "wall",
        at_least=1,
    )

    def sample(turn: int) -> list[float]:
        with_sem.packages()  # first, for it may fetch them
        given = list(windows(scale.sem))
        campaign = partial(with_sem.campaign, stock_program(), SMALL_B, given, cores())
        ours, sems = in_turns([partial(Build().sweep, SMALL_B, scale.sem), campaign], turn)
        return [sems.wall_s / ours.wall_s]

    return Benchmark((figure,), sample)


def _per_segment(scale: Scale) -> Benchmark:
    segments = -(-scale.large_B // ONE_SEGMENT_B) - 1  # the rest belongs to the first one
    what = f"CPU time of {segments:,} data segments of 1460 B and an ACK for every second one"
    what += ", net of a program that sends one"
    figures = (
        Figure("a segment over plain ns-3's, by CPU", what + ", over plain ns-3's", "x", "CPU",
               at_most=1.0),
        Figure("a segment of a full run, by CPU", what, "ns", "CPU"),
    )  # fmt: skip
    full = [scenario_program("print-job"), *plain(ONE_SEGMENT_B).flags(), "--fast-forward=false"]

    def ours(size_B: int) -> None:
        subprocess.run([*full, f"--job-size={size_B}"], stdout=subprocess.PIPE, check=True)

    def theirs(size_B: int) -> None:
        subprocess.run([stock_program(), f"--size={size_B}"], stdout=subprocess.PIPE, check=True)

    def sample(turn: int) -> list[float]:
        large, small = (
            in_turns([partial(ours, size_B), partial(theirs, size_B)], turn)
            for size_B in (scale.large_B, ONE_SEGMENT_B)
        )
        ours_s, theirs_s = (
            one.cpu_s - other.cpu_s for one, other in zip(large, small, strict=True)
        )
        return [ours_s / theirs_s, ours_s / segments * 1e9]

    return Benchmark(figures, sample)


def _memory(scale: Scale) -> Benchmark:
    figure = Figure(
        "memory that a run leaves behind",
        f"growth of one program over {scale.runs:,} points of 64 kB, after as many",
        "B",
    )

    def sample(_: int) -> list[float]:
        lines = prepare(plain(SMALL_B), receive_window=windows(scale.runs)).lines()
        given = "".join(line + "\n" for line in lines).encode()
        command = [scenario_program("print-job"), "--batch"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as batch:
            sizes_B = []
            for _ in range(2):
                with ThreadPoolExecutor(1) as writer:
                    writer.submit(lambda: (batch.stdin.write(given), batch.stdin.flush()))
                    for _ in lines:
                        batch.stdout.readline()
                sizes_B.append(_resident_B(batch.pid))
            batch.stdin.close()
        return [(sizes_B[1] - sizes_B[0]) / scale.runs]

    return Benchmark((figure,), sample)


def _resident_B(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _look_up(scale: Scale) -> Benchmark:
    what = f"{scale.kept:,} points that are there, of {5 * scale.kept:,}"
    figures = tuple(
        Figure(f"store look-up, by {clock}", what, "s", clock, at_most=0.1)
        for clock in ("wall", "CPU")
    )
    program, declared = identity("print-job"), declaration("print-job")
    points = [f"--seed={number}" for number in range(2, 5 * scale.kept + 2)]
    keys = [key_of(program.digest, point) for point in points]
    folder = tempfile.TemporaryDirectory(prefix="study-benchmark-")  # as long as the benchmark

    def sample(_: int) -> list[float]:
        with Store(folder.name) as store:
            if not store.get(keys[:1]):
                record = b'{"outcome": "finished", "filler": "%s"}' % (b"x" * 900)
                rows = (row_of(*both_, record) for both_ in zip(keys, points, strict=True))
                store.put(program, declared.ns3, declared.text, rows)
        with Store(folder.name) as store:
            took = cost(lambda: store.get(keys[::5]))
        return [took.wall_s, took.cpu_s]

    return Benchmark(figures, sample)
