# SPDX-License-Identifier: GPL-2.0-only
"""Changes that have no effect on a job, found several at a time.

Most changes leave a job as it is, to the nanosecond. Those that leave its beginning so are tried
together, a few in one run. If that run equals the job without any of them, they are taken to have
no effect. Two changes that could hide each other never share a run.
"""

from collections.abc import Sequence

from study.system.system import System
from study.trials.jobs import Outcome, needed_B, run_all, sketched_B
from study.trials.reliefs import Change

RUNS = 6
WORTH = 4  # a job not longer than this many of its beginnings is tried with each change


def idle_ones(system: System, own: Outcome, changes: Sequence[Change], bytes_: int) -> set[str]:
    """Return the flags of changes that have no effect on the first `bytes_` of the job, whose
    outcome without them is `own`. 0 is as much of it as its rate needs."""
    start_B = sketched_B(system)
    if (bytes_ or needed_B(system)) <= WORTH * start_B:
        return set()
    short, *found = run_all([system, *(each.system for each in changes)], start_B, is_sketch=True)
    still = [change for change, its in zip(changes, found, strict=True) if _is_same(short, its)]
    shared = shared_runs(still)
    together = [
        system.with_(**{key: text for each in some for key, text in each.values.items()})
        for some in shared
    ]
    runs = run_all(together, bytes_, least_B=needed_B(system))
    return {
        each.flag
        for some, its in zip(shared, runs, strict=True)
        if _is_same(own, its)
        for each in some
    }


def shared_runs(changes: Sequence[Change]) -> list[list[Change]]:
    """Return the changes of each run. A change that fits into no run is left out, and tried
    alone."""
    runs: list[tuple[list[Change], set[str]]] = [([], set()) for _ in range(RUNS)]
    for each in changes:
        own = mechanisms(each)
        free = [run for run in runs if not run[1] & own]
        if free:
            some, taken = min(free, key=lambda run: len(run[0]))
            some.append(each)
            taken |= own
    return [some for some, _ in runs if some]


def mechanisms(change: Change) -> set[str]:
    """Return what a change is of. A longer queue hides the effect of another kind of queue: both
    are of the path, as their names begin. So may two changes that relieve one limit."""
    return {key.split("_")[0] for key in change.values} | set(change.limits)


def _is_same(one: Outcome | None, other: Outcome | None) -> bool:
    """Return whether both jobs carried as much in the same time, and waited as long for
    everything."""
    if one is None or other is None:
        return False
    own, its = ((each.result.bytes, each.duration_s, each.limits_s) for each in (one, other))
    return own == its
