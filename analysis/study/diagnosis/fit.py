# SPDX-License-Identifier: GPL-2.0-only
"""Fit of candidate systems to a capture: each is simulated, compared by one measure, and its free
numbers are moved until the distance is least."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf, log

import numpy as np
from scipy.optimize import minimize

from study.diagnosis.bench import Bench, Run
from study.diagnosis.byte_curves import Curves, View, distance
from study.diagnosis.candidate import PRINT_JOB, Candidate

STEPS = (1.25, 2.0, 8.0)  # times a number is made larger and smaller; first by the first one
FITTED = 5  # candidates that are fitted, the nearest ones of as many families
RUNS = 16  # of a fit
CLOSE = 1e-3  # a distance below it is not worth more runs, and two so close are alike
ALIKE = 1.02  # times the least distance
STEP = 0.15  # the first of a fit, in logarithms


@dataclass(frozen=True)
class Target:
    """What is to be met: the curves of a capture, and from where they are seen."""

    curves: Curves
    both_ways: bool
    from_client: bool  # whether the captured client is the end that sends most
    at_receiver: bool  # whether it was captured at the other end

    def view(self, scenario: str) -> View:
        """Return the same place in a run: a print job's client always sends."""
        own = self.from_client or scenario == PRINT_JOB
        return View(self.both_ways, own, own != self.at_receiver)


@dataclass(frozen=True)
class Fitted:
    """A candidate at its best numbers."""

    candidate: Candidate
    values: dict[str, float]
    distance: float
    run: Run | None

    @property
    def rank(self) -> float:
        """The distance, times the candidate's weight."""
        return self.distance * self.candidate.weight

    @property
    def settings(self) -> dict[str, str]:
        return self.candidate.at(self.values)


def fit(
    bench: Bench, target: Target, proposed: Sequence[Candidate]
) -> tuple[list[Fitted], list[Fitted]]:
    """Return the candidates, the nearest first, and all points that were simulated for them."""
    tried: list[Fitted] = []
    found = [_first(bench, target, each, tried) for each in proposed]
    found.sort(key=lambda each: each.rank)
    nearest: dict[str, Fitted] = {}
    for each in found:
        nearest.setdefault(each.candidate.family, each)
    chosen = list(nearest.values())[:FITTED]
    better = [_fitted(bench, target, each, tried) if each in chosen else each for each in found]
    better.sort(key=lambda each: each.rank)
    # Of those that fit alike the one that was proposed first: it has the fewest numbers.
    order = {each.name: place for place, each in enumerate(proposed)}
    alike = [each for each in better if each.rank <= ALIKE * better[0].rank]
    first = min(alike, key=lambda each: order[each.candidate.name])
    return [first, *(each for each in better if each is not first)], tried


def _first(bench: Bench, target: Target, candidate: Candidate, tried: list[Fitted]) -> Fitted:
    """Return the best of a few steps of each number."""
    starts = {each.key: each.start for each in candidate.free}
    points = [starts]
    for place, each in enumerate(candidate.free):
        steps = each.steps if place else {1 / STEPS[0], STEPS[0], *each.steps}
        points += [starts | {each.key: each.start * step} for step in steps if step != 1]
    made = simulated(bench, target, candidate, points)
    tried += made
    return min(made, key=lambda each: each.distance)


def simulated(
    bench: Bench, target: Target, candidate: Candidate, points: Sequence[dict[str, float]]
) -> list[Fitted]:
    """Return a candidate at some values of its numbers, each with its run."""
    settings = [candidate.at(values) for values in points]
    runs = bench.run(candidate.scenario, settings, target.view(candidate.scenario))
    return [
        Fitted(candidate, values, apart(target, run), run)
        for values, run in zip(points, runs, strict=True)
    ]


def apart(target: Target, run: Run | None) -> float:
    """Return how far a run is from the target; infinitely where it did not run."""
    return inf if run is None else distance(target.curves, run.curves)


def _fitted(bench: Bench, target: Target, begun: Fitted, tried: list[Fitted]) -> Fitted:
    """Move the free numbers, in ratios, from where they are."""
    candidate, best = begun.candidate, begun
    if not candidate.free or begun.run is None or begun.distance < CLOSE:
        return begun

    def far(logs: np.ndarray) -> float:
        nonlocal best
        values = {each.key: exp(value) for each, value in zip(candidate.free, logs, strict=True)}
        (there,) = simulated(bench, target, candidate, [values])
        tried.append(there)
        if there.distance < best.distance:
            best = there
        return there.distance

    start = np.array([log(begun.values[each.key]) for each in candidate.free])
    simplex = np.vstack([start, start + STEP * np.eye(len(start))])
    options = {"maxfev": RUNS, "initial_simplex": simplex}
    minimize(far, start, method="Nelder-Mead", options=options)
    return best
