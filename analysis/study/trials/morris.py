# SPDX-License-Identifier: GPL-2.0-only
"""Morris's elementary effects (Technometrics 33, 1991, 161): random paths through a grid of values,
along which one number after the other moves, and what each move does. The mean size of an effect is
that of Campolongo et al. (Environmental Modelling & Software 22, 2007, 1509)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

LEVELS = 4  # values of each number; half of them are beginnings of a move
MOVE = LEVELS / (2 * (LEVELS - 1))  # of the range: from any of these to another level


@dataclass(frozen=True)
class Effects:
    """What moving a number over all of its range does: the mean, that of the size, and the standard
    deviation."""

    mean: float
    size: float
    spread: float


def paths(count: int, paths: int, seed: int) -> "np.ndarray":
    """Points of as many paths through `count` numbers, each within 0 and 1."""
    import numpy as np

    random = np.random.default_rng(seed)
    moved = np.tril(np.ones((count + 1, count)), -1)  # at each point those that have moved by then
    points = []
    for _ in range(paths):
        order = np.eye(count)
        random.shuffle(order)
        ways = random.choice([-1, 1], count)
        beginning = random.choice(np.linspace(0, 1 - MOVE, LEVELS // 2), count)
        points.append(beginning + MOVE / 2 * ((2 * moved @ order.T - 1) * ways + 1))
    return np.concatenate(points)


def effects(points: "np.ndarray", results: "np.ndarray") -> list[Effects]:
    """Of each number, from the results at the points."""
    import numpy as np

    count = points.shape[1]
    steps = np.diff(points.reshape(-1, count + 1, count), axis=1)
    changes = np.diff(results.reshape(-1, count + 1), axis=1)
    which = np.abs(steps).argmax(axis=2)
    found = changes / np.take_along_axis(steps, which[..., None], axis=2)[..., 0]
    return [_of(found[which == number]) for number in range(count)]


def _of(found: Sequence[float]) -> Effects:
    return Effects(float(found.mean()), float(abs(found).mean()), float(found.std(ddof=1)))
