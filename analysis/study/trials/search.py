# SPDX-License-Identifier: GPL-2.0-only
"""The search: which changes are tried around a system, the cure that helps most, and what is then
the limit.

All changes are tried on a sketch of the job, the more promising of them on a longer one, and those
with an effect on a job as long as its rate needs. Where none helps much, those of the two largest
limits are tried together.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from study.base.errors import StudyError
from study.programs.declaration import Limit, declaration
from study.runs.lasting import of_an_answer
from study.system.system import Result, System
from study.trials.cure import SIZE_UNIT, enough, pruned
from study.trials.job_sizes import draws_losses, looked_at_B, needed_B, size_B
from study.trials.jobs import Outcome, largest, outcome_of, run_all, run_B, shares
from study.trials.lengths import at_length, beside, choose_lengths, of_the_whole
from study.trials.reliefs import Change, fits, moves, relief
from study.trials.seeds import over_seeds
from study.trials.trial import CHANGE_PCT, Trial

LEAST_SHARE = 0.01  # of the time: a smaller limit's reliefs are not tried
LARGE_SHARE = 0.1  # of the time: the reliefs of such a limit are tried on a longer job, too
SLIGHT_PCT = 0.1  # an effect on a beginning with other limits than the job's that counts
CLOSE = 2  # trials close enough to be the best
FINALISTS = 4  # of the limit's own reliefs, and of all changes
NEXT_PCT = 10.0  # the gain that a further step of the path, or a change of two limits, must have
STEPS = 2  # steps of the path
LOST = re.compile("retransmissions|.*_drops(_back)?")  # counts of a record
TENTH = 0.9  # of the best rate: a limit whose own relief reaches it is confirmed


@dataclass(frozen=True)
class Named:
    """The limit with most of the time, the best trial of its own reliefs, and the best trial of
    all."""

    limit: Limit
    share: float
    own: Trial | None
    best: Trial | None

    @property
    def is_confirmed(self) -> bool:
        """Whether the limit's own relief is within 10 % of the best rate."""
        if self.best is None or self.own is self.best:
            return True
        return self.own is not None and self.own.factor >= TENTH * self.best.factor

    @property
    def is_relieved(self) -> bool:
        """Whether the limit is confirmed, or a relief of it makes the job faster at all."""
        return self.is_confirmed or (self.own is not None and self.own.effect >= CHANGE_PCT)


@dataclass(frozen=True)
class Found:
    """All trials around a system, the limit that they name, and the path: the cure and the next
    limit's relief."""

    system: System
    before: Outcome
    trials: tuple[Trial, ...]
    named: Named | None
    path: tuple[Trial, ...]
    alike_B: int = 0  # a shorter job has other limits, and shows no change to be without effect

    @property
    def helps(self) -> list[Trial]:
        """Trials that make the job faster, best first."""
        better = [each for each in self.trials if each.effect >= CHANGE_PCT]
        return sorted(better, key=lambda each: -each.effect)

    @property
    def does_nothing(self) -> list[Trial]:
        """Trials without effect in the order of the proposals, single changes first."""
        nothing = [each for each in self._still if self._tells(each)]
        return sorted(nothing, key=lambda each: len(each.change.values))

    @property
    def not_told(self) -> list[Trial]:
        """Trials without effect on a beginning of the job that has other limits than the job."""
        return [each for each in self._still if not self._tells(each)]

    @property
    def _still(self) -> list[Trial]:
        return [each for each in self.trials if abs(each.effect) < CHANGE_PCT]

    def _tells(self, each: Trial) -> bool:
        least_B = min(self.alike_B, run_B(self.system, self.before))
        return run_B(self.system, each.after) >= least_B

    @property
    def makes_worse(self) -> list[Trial]:
        """Trials that make the job slower, worst first."""
        worse = [each for each in self.trials if each.effect <= -CHANGE_PCT]
        return sorted(worse, key=lambda each: each.effect)


@of_an_answer()
def find(system: System, whole: Result | None = None) -> Found:
    """Try the reliefs of the system's limits and single changes, and follow the best. `whole` is a
    run of the whole job, if one exists. Raise StudyError if the program refuses the values."""
    (before,) = run_all([system])
    if before is None:
        raise StudyError(f"{system.name}: these values do not go together")
    limits_s = whole.limits_s if whole else before.limits_s
    name = largest(limits_s)
    changes = [each for each in proposals(system, limits_s) if fits(each)]
    trials: dict[str, Trial] = {}
    large = [each for each, part in shares(limits_s).items() if part >= LARGE_SHARE]
    sizes, alike_B = choose_lengths(system, before)
    for bytes_ in dict.fromkeys(sizes):
        found = beside(system, before, changes, bytes_)
        trials |= {each.flag: each for each in found}
        changes = _worth_more(found, large, _has_queued(before))
    # Short jobs overstate many an effect, and have the sign of some wrong.
    least_pct, anyway = (SLIGHT_PCT, large) if alike_B >= needed_B(system) else (CHANGE_PCT, [])
    longer = [
        each
        for each in trials.values()
        if abs(each.effect) >= least_pct or _may_come_late(each, anyway, before)
    ]
    trials |= {each.flag: each for each in at_length(longer, before)}
    if draws_losses(system):
        trials |= {each.flag: each for each in over_seeds(system, trials.values(), name)}
    elif max((each.effect for each in trials.values()), default=0.0) < NEXT_PCT:
        both = _of_two_limits(system, before, limits_s)
        trials |= {each.flag: each for each in both[:1] if each.effect >= NEXT_PCT}
    best = max(trials.values(), key=lambda each: each.effect, default=None)
    path: tuple[Trial, ...] = ()
    if best is not None and best.effect >= CHANGE_PCT:
        trials[best.flag] = cure = enough(best, before)
        path = (cure, *_further(cure)) if cure.effect >= CHANGE_PCT else ()
        own = _best_of(trials.values(), name)
        if own is not None and own is not cure and own.effect >= CHANGE_PCT:
            trials[own.flag] = pruned(own, before)
    tried = tuple(trials.values())
    if whole and needed_B(system) < size_B(system):
        tried = tuple(of_the_whole(each, before, outcome_of(whole)) for each in tried)
    return Found(system, before, tried, named_of(system, limits_s, tried), path, alike_B)


def proposals(system: System, limits_s: Mapping[str, float]) -> list[Change]:
    """Return the changes to try: reliefs of the limits that take time, and single changes of all
    other parameters, in the form that the table of limits has for them."""
    declared, first = declaration(system.scenario), list(reliefs(system, limits_s))
    known = {each.key for each in first}
    single = [each for each in moves(system) if each.key not in known]
    keys = {each.key for each in single}
    every = dict.fromkeys(declared.limits, 1.0)
    others = [each for each in reliefs(system, every) if each.key in keys]
    alone = {each.key for each in others if " " not in each.relief}
    others = [each for each in others if each.key not in alone or " " not in each.relief]
    told = {each.key for each in others if declared.parameter(each.key).unit != SIZE_UNIT}
    return [*first, *others, *(each for each in single if each.key not in told)]


def reliefs(system: System, limits_s: Mapping[str, float]) -> Iterator[Change]:
    """Yield the reliefs of the limits that take time, and the table's other changes behind the two
    largest limits. Each change comes once, with all limits that it relieves."""
    told = declaration(system.scenario).limits
    found: dict[str, Change] = {}
    for place, (name, share) in enumerate(shares(limits_s).items()):
        if name not in told or (place and share < LEAST_SHARE):
            continue
        own, behind = told[name].reliefs, told[name].behind if place < 2 else ()
        for text in (*own, *behind):
            new = relief(system, text)
            if new:
                change = Change(system, new, (), text)
                known = found.setdefault(change.flag, change)
                limits = (*known.limits, name) if text in own else known.limits
                found[change.flag] = replace(known, limits=limits)
    yield from found.values()


def _has_queued(before: Outcome) -> bool:
    """Return whether packets were lost, or waited in a queue."""
    waited = any("queue" in name.split("_") and before.limits_s[name] for name in before.limits_s)
    return waited or _has_lost(before)


def _has_lost(before: Outcome) -> bool:
    """Return whether packets were lost, in either direction: a lost ACK is not sent again."""
    return any(LOST.fullmatch(name) and count for name, count in before.result.record.items())


def _may_come_late(each: Trial, limits: Sequence[str], before: Outcome) -> bool:
    """Return whether a change may have an effect that a beginning of the job does not show: a
    relief of one of the limits, or of a queue in a job that loses packets."""
    queue = _has_lost(before) and "queue" in each.change.key.split("_")
    return queue or bool({*limits} & {*each.change.limits})


def _worth_more(found: Sequence[Trial], large: Sequence[str], queues: bool) -> list[Change]:
    """Return the changes that are tried on a longer job: the reliefs of the limits with much of the
    time, the changes with the largest effects, and the best change of each limit. A short job shows
    little of losses and queues, so changes of losses are always among them, and changes of queues
    if packets were lost or waited."""
    ranked = sorted(found, key=lambda each: -each.effect)
    most = sorted(found, key=lambda each: -abs(each.effect))[:FINALISTS]
    reliefs_of = {name: [each for each in found if name in each.change.limits] for name in large}
    own = [each for some in reliefs_of.values() for each in some[:FINALISTS]]
    rare = [
        each
        for each in found
        if each.change.is_of_losses or (queues and "queue" in each.change.key.split("_"))
    ]
    best = {name: each for each in reversed(ranked) for name in each.change.limits}.values()
    return list({each.flag: each.change for each in (*own, *rare, *best, *most)}.values())


def _of_two_limits(system: System, before: Outcome, limits_s: Mapping[str, float]) -> list[Trial]:
    """Return trials of a relief of the largest limit together with one of the next, the best first.
    Where two limits allow the same rate, no change of one alone helps."""
    told = declaration(system.scenario).limits
    names = [name for name, part in shares(limits_s).items() if part >= LEAST_SHARE][:2]
    if len(names) < 2 or not told.keys() >= set(names):
        return []
    found: dict[str, Change] = {}
    for text in map(" ".join, product(*(told[name].reliefs for name in names))):
        change = Change(system, relief(system, text), tuple(names), text)
        if change.values and fits(change):
            found.setdefault(change.flag, change)
    sketch = beside(system, before, list(found.values()), looked_at_B(system))
    sketch.sort(key=lambda each: -each.effect)
    return sorted(at_length(sketch[:CLOSE], before), key=lambda each: -each.effect)


def named_of(system: System, limits_s: Mapping[str, float], tried: Sequence[Trial]) -> Named | None:
    """Return the limit with most of the time, with the best of its reliefs and of all trials, or
    None if the limit is not in the table."""
    told = declaration(system.scenario).limits
    name = largest(limits_s)
    if name not in told:
        return None
    mine = _best_of(tried, name)
    best = max(tried, key=lambda each: each.effect, default=None)
    best = best if best is not None and best.effect >= CHANGE_PCT else None
    return Named(told[name], shares(limits_s)[name], mine, best)


def _best_of(tried: Iterable[Trial], name: str) -> Trial | None:
    """Return the best of a limit's own reliefs."""
    own = (each for each in tried if name in each.change.limits)
    return max(own, key=lambda each: each.effect, default=None)


def _further(cure: Trial) -> Iterator[Trial]:
    """Yield the next steps of the path: the best relief of the limit that the cured system has."""
    for _ in range(STEPS - 1):
        system, before = cure.change.system, cure.after
        name = largest(before.limits_s)
        alone = {name: before.limits_s.get(name, 0.0)}
        tried = [
            each
            for each in reliefs(system, alone)
            if name in each.limits and each.key != cure.change.key and fits(each)
        ]
        if not tried:
            return
        sketch = beside(system, before, tried, looked_at_B(system))
        sketch.sort(key=lambda each: -each.effect)
        best = at_length(sketch[:1], before)
        if not best or best[0].effect < NEXT_PCT:
            return
        cure = enough(best[0], before)
        yield cure
