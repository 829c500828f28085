# SPDX-License-Identifier: GPL-2.0-only
"""Line rate as a level with its name, where a scenario knows it and all jobs of a figure have
the same line."""

from collections.abc import Iterable

from study.drawing import marks, style
from study.drawing.style import Axes
from study.drawing.system_facts import said
from study.kit.scenario import about
from study.system.system import System

TALLEST = {"log": 20.0, "linear": 2.0}  # times the highest of the jobs: a level there is no help


def ceiling(systems: Iterable[System]) -> tuple[float, str] | None:
    """In B/s, and the line's own name: "10 Mbit/s Ethernet"."""
    found = set()
    for system in systems:
        plan = about(system.scenario).plan
        told = plan.ceiling(system.parameters()) if plan else None
        found.add(told and (told[0], f"{said(system, told[1])} {told[2]}"))
    return found.pop() if len(found) == 1 else None


def level(axes: Axes, systems: Iterable[System], per: float, unit: str) -> None:
    """Over the curves, with its name where they are lower."""
    told = ceiling(systems)
    data = [each for line in axes.lines if len(each := line.get_xydata())]
    ends = [(x, y) for each in data for x, y in each[[0, -1]] if y == y]
    if told is None or not ends:
        return
    rate, name = told[0] / per, told[1]
    high = max(y for _, y in ends)
    if rate > TALLEST[axes.get_yscale()] * high:
        return
    left, right = min(x for x, _ in ends), max(x for x, _ in ends)
    low_at = min(ends, key=lambda end: end[1])[0]
    back = "" if style.narrow() else ", full frames back to back"
    text = f"{name}{back}: {rate:{',.0f' if rate >= 100 else '.3g'}} {unit}"
    side = "left" if low_at - left < right - low_at else "right"
    marks.level(axes, rate, text, left if side == "left" else right, ha=side)
