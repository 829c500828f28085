# SPDX-License-Identifier: GPL-2.0-only
"""Trials where packets are lost by chance: each change, and the job without it, under a few seeds.

The result of one seed with some dozen losses is off by more than most changes bring.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from study.kit.chance import draws
from study.system.system import System
from study.trials.job_sizes import needed_B
from study.trials.jobs import run_all
from study.trials.trial import CHANGE_PCT, Trial

SEED = "seed"
SEEDS = 3
CLOSE = 3  # trials close enough to be the best


def over_seeds(system: System, trials: Iterable[Trial], name: str) -> list[Trial]:
    """Return all trials. Those that may be the best of all, or of the named limit, have their gain
    over several seeds of both jobs; their outcome stays that of the first seed."""
    told = {each.flag: each for each in trials}
    tried: set[str] = set()
    while left := [each for each in _best(told.values(), name) if each.flag not in tried]:
        tried |= {each.flag for each in left}
        told |= _of_seeds(system, left)
    return list(told.values())


def _best(trials: Iterable[Trial], name: str) -> list[Trial]:
    """Return the trials that may be the best, of all and of the limit's own reliefs."""
    ranked = sorted(trials, key=lambda each: -each.effect)
    own = [each for each in ranked[CLOSE:] if name in each.change.limits]
    return [each for each in (*ranked[:CLOSE], *own[:1]) if each.effect >= CHANGE_PCT]


def _of_seeds(system: System, left: Sequence[Trial]) -> dict[str, Trial]:
    """Run the changes with several seeds. Stop for a change as soon as its seeds disagree. A
    changed system without chance runs once; its rate stands for every seed."""
    own: list[float] = []
    changed: dict[str, list[float]] = {each.flag: [] for each in left}
    told: dict[str, Trial] = {}
    least_B = needed_B(system)
    for number in range(SEEDS):
        seed = int(system.parameters()[SEED]) + number
        jobs = [system, *(each.change.system for each in left)]
        seeded = [each.with_(seed=seed) if draws(each) else each for each in jobs]
        before, *after = run_all(seeded, least_B=least_B)
        own.append((before and before.rate) or 0.0)
        for each, run in zip(left, after, strict=True):
            changed[each.flag].append((run and run.rate) or 0.0)
            told[each.flag] = _of_all(each, own, changed[each.flag])
        left = [each for each in left if told[each.flag].seeds_agree]
    return told


def _of_all(found: Trial, own: list[float], its: list[float]) -> Trial:
    """Return the trial with the gain of the total time over all seeds, and the least and largest
    gain of one seed."""
    if not all((*own, *its)):
        return found
    alone = [(after / before - 1) * 100 for before, after in zip(own, its, strict=True)]
    gain_pct = (sum(1 / rate for rate in own) / sum(1 / rate for rate in its) - 1) * 100
    return replace(found, gain_pct=gain_pct, of_seeds=(min(alone), max(alone)))
