# SPDX-License-Identifier: GPL-2.0-only
"""Instructions of a data segment, of the whole program: this TCP's, those of ns-3's own TCP, and
those of the packets alone (plain-packets.cc), over the same links."""

import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from study.base.errors import StudyError
from study.base.project import BUILD, scenario_program

from benchmarks.measuring import Benchmark, Figure, NotMeasured

MSS_B, SMALL_SEGMENTS = 1460, 700
PATH = ("--link=path", "--path-delay=20ms", "--path-rate=10Mbps")
LINKS = {"Ethernet": (), "a path": PATH, "a path with 1 % loss": (*PATH, "--path-loss=0.01")}
FLAGS = (
    "--fast-forward=false",
    "--tell-parameters=false",
    "--protocol=raw",
    "--receive-window=65535",
    "--ack-frequency=2",
)


def per_segment(segments: int) -> list[Benchmark]:
    """Return a benchmark for each link, with `segments` more than in a small job."""
    return [_on_link(name, flags, segments) for name, flags in LINKS.items()]


def _on_link(name: str, link: Sequence[str], segments: int) -> Benchmark:
    what = f"instructions of a data segment on {name}, its ACKs included: of {segments:,} more than"
    what += f" {SMALL_SEGMENTS}, by valgrind; over those of "
    floor = None if "--path-loss=0.01" in link else 1.25
    figures = (
        Figure(f"a segment over its packets alone, {name}", what + "IPv4, queues and devices alone",
               "x", "instructions", at_most=floor),
        Figure(f"a segment over stock TCP's, {name}", what + "ns-3's own TCP",
               "x", "instructions", at_most=1.0),
    )  # fmt: skip

    def sample(_: int) -> list[float]:
        large = SMALL_SEGMENTS + segments
        costs = [_job(link, "study", large), _job(link, "stock", large), _packets(link, large)]
        ours, stock, floor = costs
        return [ours / floor, ours / stock]

    return Benchmark(figures, sample)


def _job(link: Sequence[str], tcp: str, large: int) -> float:
    """Return the instructions of a segment, including retransmitted ones."""

    def run(segments: int) -> tuple[int, int]:
        size = f"--job-size={segments * MSS_B}"
        count, told = _count(scenario_program("print-job"), *FLAGS, *link, f"--tcp={tcp}", size)
        return count, json.loads(told)["segments"]

    (more, most), (less, least) = run(large), run(SMALL_SEGMENTS)
    return (more - less) / (most - least)


def _packets(link: Sequence[str], large: int) -> float:
    more, less = (
        _count(BUILD / "plain-packets", *link, f"--packets={packets}")[0]
        for packets in (large, SMALL_SEGMENTS)
    )
    return (more - less) / (large - SMALL_SEGMENTS)


@cache  # the count is the same in each round
def _count(program: Path, *flags: str) -> tuple[int, str]:
    """Return a run's number of instructions and its output."""
    if not shutil.which("valgrind"):
        raise NotMeasured("valgrind is not installed")
    if not program.is_file():
        raise StudyError(f"there is no program build/{program.name}: run ./waf benchmark")
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, *flags]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if not collected:
        raise StudyError(f"valgrind counted nothing: {done.stderr.strip()}")
    return int(collected[1]), done.stdout
