# SPDX-License-Identifier: GPL-2.0-only
"""Runs of a scenario, fast-forwarded and in full, and what the two tell differently."""

import json
import os
import random
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from study.base.project import scenario_program

ABOUT_THE_RUN = {"method", "cycles_skipped", "simulated_share", "full_because"}


def batch(scenario: str, lines: list[list[str]]) -> list[dict]:
    """Their records, straight from the program: no store may come between."""
    command = [scenario_program(scenario), "--batch"]

    def answer(part: list[list[str]]) -> list[dict]:
        text = "".join(" ".join(flags) + "\n" for flags in part)
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    cores = os.cpu_count() or 1
    with ThreadPoolExecutor(cores) as pool:
        parts = list(pool.map(answer, [lines[core::cores] for core in range(cores)]))
    return [parts[index % cores][index // cores] for index in range(len(lines))]


def both(points: list[list[str]], scenario: str = "print-job") -> list[tuple[dict, dict]]:
    """Each point's record, fast-forwarded if it can be, and in full."""
    flags = ("--fast-forward=true", "--fast-forward=false")
    fast, full = (batch(scenario, [[*point, flag] for point in points]) for flag in flags)
    return list(zip(fast, full, strict=True))


def difference(fast: dict, full: dict) -> dict:
    """What the two say differently; the text of a record has every time to the nanosecond."""
    assert full["method"] == "full" and full["cycles_skipped"] == 0
    assert full["simulated_share"] == 1 >= fast["simulated_share"] > 0
    return {
        key: (fast[key], full[key]) for key in full.keys() - ABOUT_THE_RUN if fast[key] != full[key]
    }


def alike(
    some_point: Callable[[random.Random], list[str]],
    count: int,
    scenario: str = "print-job",
    seed: int = 1,
) -> list[tuple[dict, dict]]:
    """The records of so many points, chosen by a seed, none of which differs from its other."""
    draw = random.Random(seed)
    points = [some_point(draw) for _ in range(count)]
    records = both(points, scenario)
    different = [
        (" ".join(point), difference(fast, full))
        for point, (fast, full) in zip(points, records, strict=True)
        if difference(fast, full)
    ]
    assert not different, different
    return records


def taken(records: list[tuple[dict, dict]]) -> list[dict]:
    """The records that were fast-forwarded."""
    return [fast for fast, _ in records if fast["method"] == "fast-forwarded"]
