# SPDX-License-Identifier: GPL-2.0-only
"""Spread of a figure over random seeds: the same job under other seeds. A run under another seed
shows whether a job uses random numbers, so that no list of random parts can be out of date."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from study.base.units import MEASURED
from study.judging.comparison import Comparison
from study.kit.scenario import judges
from study.programs.declaration import declaration
from study.runs.batch import run_batch
from study.runs.spot_checks import results_of
from study.system.system import Result, System
from study.trials.seeds import SEED, SEEDS

DRAWS = SEEDS  # for a job that is short enough; any other has one
SHORT_B = 300_000_000  # rebbr's CUBIC at 0.01 %: four seconds of processor time


def with_draws(system: System, comparisons: Sequence[Comparison]) -> list[Comparison]:
    """Return the comparisons with `draws`, the figure under other seeds, where the run uses random
    numbers. A figure relative to the unchanged job stays as it is."""
    if SEED not in declaration(system.scenario).parameters:
        return list(comparisons)
    wanted = [each for each in comparisons if not each.measured.compared]
    jobs = {_settings(each): system.with_(**each.measured.with_) for each in wanted}
    draws = _draws(jobs, system.name)
    return [
        replace(each, draws=_figures(each, draws.get(_settings(each), [])))
        if each in wanted
        else each
        for each in comparisons
    ]


Settings = tuple[tuple[str, str], ...]


def _settings(comparison: Comparison) -> Settings:
    return tuple(sorted(comparison.measured.with_.items()))


def _draws(jobs: Mapping[Settings, System], doing: str) -> dict[Settings, list[Result]]:
    """Return for each job that uses random numbers its runs under several seeds, its own first."""
    pairs = _run(jobs, range(2), doing)
    random = {
        key: jobs[key]
        for key, (own, other) in pairs.items()
        if results_of(own.record) != results_of(other.record)
    }
    short = {key: job for key, job in random.items() if pairs[key][0].bytes <= SHORT_B}
    further = _run(short, range(2, DRAWS), doing)
    return {key: [*pairs[key], *further[key]] if key in short else pairs[key][:1] for key in random}


def _run(jobs: Mapping[Settings, System], shifts: range, doing: str) -> dict:
    seeded = [
        job.with_(seed=int(job.parameters()[SEED]) + shift)
        for job in jobs.values()
        for shift in shifts
    ]
    if not seeded:
        return {}
    records = run_batch(seeded[0].scenario, [each.flags() for each in seeded], f"{doing}: seeds")
    results = [each.result(record) for each, record in zip(seeded, records, strict=True)]
    count = len(shifts)
    return {key: results[place * count :][:count] for place, key in enumerate(jobs)}


def _figures(comparison: Comparison, runs: Sequence[Result]) -> tuple[float, ...]:
    """Return the figure of each run in its measured unit. A run without it is left out."""
    row = comparison.measured
    if len(runs) == 1:
        return (comparison.simulated,) if comparison.simulated is not None else ()
    found = (
        judges(result.origin.scenario).quantities[row.kind].simulated(result, row)
        for result in runs
    )
    return tuple(value / MEASURED[row.unit] for value in found if value is not None)
