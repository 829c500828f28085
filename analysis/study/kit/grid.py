# SPDX-License-Identifier: GPL-2.0-only
"""The points at which a formula is held against the simulation: a Latin hypercube without random
numbers, so that it is the same on every machine.

A rank-1 lattice (Korobov 1959): point i has the coordinates frac(i a^j / n), j = 0, 1, ... With a
prime n each of them takes every n-th once, so each parameter takes as many values as there are
points, spread evenly over its range.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

POINTS = 263  # a prime; 509 is another, for a grid where not every run shows the mechanism
MULTIPLIER = 51  # no two of a dozen coordinates correlate by more than 1/6; a test checks it


@dataclass(frozen=True)
class Axis:
    """A parameter and its values: `at` maps a number from 0 to 1 to a value's text."""

    key: str
    at: Callable[[float], str]


def logarithmic(key: str, low: float, high: float, unit: str = "") -> Axis:
    """Return an axis with logarithmic spacing; without a unit its values are whole numbers."""

    def at(share: float) -> str:
        value = low * (high / low) ** share
        return f"{value:.4g}{unit}" if unit else f"{round(value)}"

    return Axis(key, at)


def share(key: str, low: float, high: float) -> Axis:
    """Return an axis with linear spacing from low to high."""
    return Axis(key, lambda at: f"{low + (high - low) * at:.4g}")


def one_of(key: str, *values: str) -> Axis:
    """Return an axis with each value equally often."""
    return Axis(key, lambda share: values[int(share * len(values))])


@dataclass(frozen=True)
class Grid:
    """A system, its parameters fixed at every point, and the axes that vary."""

    system: str
    axes: tuple[Axis, ...]
    fixed: Mapping[str, str] = field(default_factory=dict)
    points: int = POINTS
    # Parameters derived from those of a point.
    also: Callable[[Mapping[str, str]], Mapping[str, str]] = lambda point: {}

    def changes(self) -> Iterator[dict[str, str]]:
        """Yield each point's parameters. The 0.5 keeps coordinates off the ends of a range."""
        factors = [pow(MULTIPLIER, power, self.points) for power in range(1, len(self.axes) + 1)]
        for number in range(self.points):
            shares = [(number * factor % self.points + 0.5) / self.points for factor in factors]
            varied = {axis.key: axis.at(at) for axis, at in zip(self.axes, shares, strict=True)}
            point = {**self.fixed, **varied}
            yield {**point, **self.also(point)}
