# SPDX-License-Identifier: GPL-2.0-only
"""Ratio plots: predicted over measured value, one marker each, with the lines between which the
two agree."""

from collections.abc import Iterable, Sequence

from study.drawing import marks, style
from study.drawing.style import Axes

MARKERS = "osD^v<>pPX*h8"
RATIOS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 5]
RATIOS += [10, 20, 50, 100]
MOST_NAMED = 8  # kinds that a reader can tell apart
TICK_GAP = 1.1  # from one tick to the next

Place = tuple[float, float]


def kinds(axes: Axes, named: Iterable[tuple[str, Sequence[Place]]]) -> None:
    """The largest with a marker and a colour of their own, all others as one."""
    every = [(name, list(points)) for name, points in named if points]
    first = sorted(every, key=lambda each: -len(each[1]))[:MOST_NAMED]
    kept = [each for each in every if each in first]
    others = [point for each in every if each not in first for point in each[1]]
    if others:
        axes.plot(*zip(*others, strict=True), ".", label="other", color="0.5", markersize=3)
    for place, ((name, points), marker) in enumerate(zip(kept, MARKERS, strict=False)):
        look = {"linestyle": "", "marker": marker, "fillstyle": "none"}
        look["color"] = style.CURVES[place % len(style.CURVES)][0]
        axes.plot(*zip(*points, strict=True), label=name, **look)


def within(axes: Axes, pct: float, x: Sequence[float], ratios: Sequence[float]) -> None:
    """Lines at one and so many percent to either side, and ticks as far as the ratios go."""
    for edge in (1 - pct / 100, 1, 1 + pct / 100):
        axes.axhline(edge, color="0.4", linewidth=0.8 if edge == 1 else 0.4)
    low, high = min([0.9, *ratios]), max([1.1, *ratios])
    ticks: list[float] = []
    for tick in (each for each in RATIOS if low <= each <= high):
        far = (high / low) ** (1 / 14)  # so many of them have room, one above the other
        if not ticks or tick == 1 or tick / ticks[-1] >= max(TICK_GAP, far):
            ticks = [each for each in ticks if tick != 1 or 1 / each >= max(TICK_GAP, far)] + [tick]
    marks.scales(axes, log="xy", x=x, y=ticks, grid=False)
