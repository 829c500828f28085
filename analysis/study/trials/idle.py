# SPDX-License-Identifier: GPL-2.0-only
"""Changes that have no effect on a job, found several at a time.

Most changes leave a job as it is, to the nanosecond. Those that leave its beginning so are tried
together, a few in one run. If that run equals the job without any of them, none has an effect.
"""

from collections.abc import Iterator, Sequence

from study.system.system import System
from study.trials.jobs import Outcome, needed_B, run_all, sketched_B
from study.trials.reliefs import Change

# Changes of one mechanism stand beside each other in the table and may hide each other's effect, as
# another rule of Nagle's algorithm does without the algorithm. Neighbours do not share a run.
RUNS = 6
WORTH = 4  # a job that is shorter than this many of its beginnings is tried with each change


def idle_ones(system: System, own: Outcome, changes: Sequence[Change], bytes_: int) -> set[str]:
    """Return the flags of changes that have no effect on the first `bytes_` of the job, whose
    outcome without them is `own`. 0 is as much of it as its rate needs."""
    start_B = sketched_B(system)
    if (bytes_ or needed_B(system)) < WORTH * start_B:
        return set()
    short, *found = run_all([system, *(each.system for each in changes)], start_B, is_sketch=True)
    still = [change for change, its in zip(changes, found, strict=True) if _is_same(short, its)]
    shared = list(shared_runs(still))
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


def shared_runs(changes: Sequence[Change]) -> Iterator[list[Change]]:
    """Yield the changes of each run. Those of a parameter that the run already changes are in
    none."""
    for start in range(min(RUNS, len(changes))):
        some: list[Change] = []
        taken: set[str] = set()
        for each in changes[start::RUNS]:
            if not taken & each.values.keys():
                some.append(each)
                taken |= each.values.keys()
        yield some


def _is_same(one: Outcome | None, other: Outcome | None) -> bool:
    """Return whether both jobs carried as much in the same time, and waited as long for
    everything."""
    if one is None or other is None:
        return False
    own, its = ((each.result.bytes, each.duration_s, each.limits_s) for each in (one, other))
    return own == its
