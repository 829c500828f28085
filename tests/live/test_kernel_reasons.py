# SPDX-License-Identifier: GPL-2.0-only
"""Why live, kernel and simulation part at some of the kernel's points: each reason is one thing
changed in the simulated run, which then is where the other two are, or moves by as much."""

import csv
from functools import cache

import pytest
from study.kernel import COMPARISON, simulated
from study.kernel.measure import read_table
from study.kernel.transfers import points
from study.live.kernel_points import TABLE
from study.programs.run import run_point
from study.publishing.tables import WITHIN_PCT

# First flights of up to two segments less or more show how much hangs on a packet.
OTHER_FLIGHTS = tuple({"client-initial-window": text} for text in ("8", "9", "11", "12"))


def of_table(file, name: str) -> dict[str, str]:
    return next(
        row for row in csv.DictReader(file.read_text().splitlines()) if row["point"] == name
    )


def live_s(name: str) -> float:
    return float(of_table(TABLE, name)["live_s"])


@cache
def flags(name: str) -> tuple[str, ...]:
    point = next(each for each in points() if each.name == name)
    return tuple(simulated.flags(point, next(r for r in read_table() if r["point"] == name)))


def simulated_s(name: str, **changes: str) -> float:
    kept = [each for each in flags(name) if each[2:].partition("=")[0] not in changes]
    changed = [f"--{flag}={text}" for flag, text in changes.items()]
    return run_point(simulated.SCENARIO, kept + changed)["duration_s"]


def test_every_point_that_parts_has_its_reason_here():
    """By more than the page lists them for."""
    apart = set()
    for row in csv.DictReader(TABLE.read_text().splitlines()):
        if row["live_s"]:
            both = of_table(COMPARISON, row["point"])
            off = (float(row["live_s"]) / float(both[key]) for key in ("measured_s", "simulated_s"))
            if max(abs(each - 1) for each in off) * 100 > WITHIN_PCT:
                apart.add(row["point"])
    assert apart == {*EDGES, *AS_THE_KERNEL}


AS_THE_KERNEL = ("queue 10, reno", "no SACK, 1 % lost by chance, cubic, 1")


@pytest.mark.parametrize("name", AS_THE_KERNEL)
def test_live_is_where_the_kernel_is_and_the_comparison_says_why_the_simulation_is_not(name: str):
    row = of_table(COMPARISON, name)
    assert live_s(name) == pytest.approx(float(row["measured_s"]), rel=WITHIN_PCT / 100)
    assert row["within"] == "no" and row["reason"]


EDGES = (
    "first segment lost",
    "no SACK, 5 % lost by chance, cubic, 1",
    "queue 2, cubic",
    "queue 2, reno",
)


@pytest.mark.parametrize("name", EDGES)
def test_where_packets_are_dropped_by_place_a_few_more_or_less_move_it_by_as_much(name: str):
    """A queue of one place less, a first flight of up to two segments more or less: none is another
    sender or receiver, and live is no further from the simulation than these from one another."""
    places = next(each for each in flags(name) if each.startswith("--path-queue="))
    fewer = {"path-queue": f"{int(places.partition('=')[2].rstrip('p')) - 1}p"}
    found = [simulated_s(name, **changes) for changes in ({}, fewer, *OTHER_FLIGHTS)]
    spread_s = max(found) - min(found)
    assert spread_s > abs(live_s(name) - found[0])
    assert spread_s > found[0] * WITHIN_PCT / 100
