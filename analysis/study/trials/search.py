# SPDX-License-Identifier: GPL-2.0-only
"""The search: which changes are tried around a system, the cure that helps most, and what is behind
it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from study.base.errors import StudyError
from study.programs.declaration import Limit, declaration
from study.system.system import System
from study.trials.jobs import Outcome, needed_B, run_all, sketched_B
from study.trials.reliefs import Change, fits, moves, relief
from study.trials.trial import CHANGE_PCT, Trial, trial

LEAST_SHARE = 0.01  # of the time: a limit with less is not relieved
SAME = 0.95  # of the best rate: a smaller change that reaches it is enough
GROWS = (2, 3)  # a larger window or buffer is tried at the second and third power of its factor
SIZE_UNIT = "B"
NEXT_PCT = 10.0  # what a further step of the path has to bring
STEPS = 2  # of the path


@dataclass(frozen=True)
class Named:
    """The limit that has most of the time, the best trial of its own reliefs, and the best of
    all."""

    limit: Limit
    share: float
    own: Trial | None
    best: Trial | None

    @property
    def is_confirmed(self) -> bool:
        """Whether its own relief is within a tenth of the best rate."""
        if self.best is None:
            return True
        return self.own is not None and _factor(self.own) >= 0.9 * _factor(self.best)


@dataclass(frozen=True)
class Found:
    """All that was tried around a system: the name of its limit, and the short path to what is
    then the limit."""

    system: System
    before: Outcome
    trials: tuple[Trial, ...]
    named: Named | None
    path: tuple[Trial, ...]
    then: str  # the limit at its end

    @property
    def helps(self) -> list[Trial]:
        """Best first."""
        better = [each for each in self.trials if each.effect >= CHANGE_PCT]
        return sorted(better, key=lambda each: -each.effect)


def find(system: System, limits_s: Mapping[str, float] | None = None) -> Found:
    """Try what the table of limits has for what this system waits for, and single moves, and
    follow the best. `limits_s` are those of its whole job, where they are known."""
    needed, sketched = needed_B(system), sketched_B(system)
    (before,) = run_all([system])
    if before is None:
        raise StudyError(f"{system.name}: these values do not go together")
    limits_s = limits_s or before.limits_s
    proposed = [each for each in proposals(system, limits_s) if fits(each)]
    if sketched < needed:
        proposed, small = _sketched(system, before, proposed, sketched)
    else:
        small = []
    tried = _tried(proposed, before)
    named = _named(system, limits_s, tried)
    helps = [each for each in tried if each.effect >= CHANGE_PCT]
    path: tuple[Trial, ...] = ()
    if helps:
        best = max(helps, key=lambda each: each.effect)
        cure = enough(best, before)
        tried = [cure if each is best else each for each in tried]
        path = (cure, *_further(cure))
        named = replace(named, own=cure if named.own is best else named.own, best=cure)
    last = path[-1].after if path else before
    return Found(system, before, (*tried, *small), named, path, largest(last.limits_s))


def largest(limits_s: Mapping[str, float]) -> str:
    """The limit with most of the time."""
    return max(limits_s, key=limits_s.__getitem__) if any(limits_s.values()) else ""


def shares(limits_s: Mapping[str, float]) -> dict[str, float]:
    """Of the time, the largest first."""
    total_s = sum(limits_s.values()) or 1.0
    ranked = sorted(limits_s.items(), key=lambda each: -each[1])
    return {name: time_s / total_s for name, time_s in ranked}


def reliefs(system: System, limits_s: Mapping[str, float]) -> Iterator[Change]:
    """Those of the limit with most of the time and what else may be behind it, then those of the
    others that have time; each change once, with all limits whose own relief it is."""
    told = declaration(system.scenario).limits
    found: dict[tuple, Change] = {}
    for place, (name, share) in enumerate(shares(limits_s).items()):
        if name not in told or (place and share < LEAST_SHARE):
            continue
        texts = [(text, (name,)) for text in told[name].reliefs]
        texts += [(text, ()) for text in told[name].behind] if place < 2 else []
        for text, limits in texts:
            new = relief(system, text)
            if not new:
                continue
            key = tuple(sorted(new.items()))
            known = found.get(key)
            of = dict.fromkeys([*(known.limits if known else ()), *limits])
            found[key] = Change(system, new, tuple(of), known.relief if known else text)
    yield from found.values()


def proposals(system: System, limits_s: Mapping[str, float]) -> list[Change]:
    """What is tried: the reliefs, and single moves of what no relief is about."""
    first = list(reliefs(system, limits_s))
    known = {each.key for each in first}
    return [*first, *(each for each in moves(system) if each.key not in known)]


def _tried(changes: Sequence[Change], before: Outcome, bytes_: int = 0) -> list[Trial]:
    """What became of each that the program takes."""
    found = run_all([each.system for each in changes], bytes_)
    return [
        trial(change, before, after)
        for change, after in zip(changes, found, strict=True)
        if after is not None
    ]


def _sketched(
    system: System, before: Outcome, changes: Sequence[Change], bytes_: int
) -> tuple[list[Change], list[Trial]]:
    """Which of them a longer job is worth, by a short one; and the others, which do nothing."""
    (own,) = run_all([system], bytes_)
    moving, still = [], []
    for each in _tried(changes, own, bytes_):
        if each.change.relief or abs(each.effect) >= CHANGE_PCT:
            moving.append(each.change)
        else:
            still.append(replace(each, after=_scaled(each, before)))
    return moving, still


def _scaled(each: Trial, before: Outcome) -> Outcome:
    """Of a trial that did nothing to a short job: the rate of the whole one."""
    if each.gain_pct is None or before.throughput_Bps is None:
        return each.after
    rate = before.throughput_Bps * (1 + each.gain_pct / 100)
    return replace(each.after, throughput_Bps=rate)


def _named(
    system: System, limits_s: Mapping[str, float], tried: Sequence[Trial]
) -> Named | None:
    told = declaration(system.scenario).limits
    name = largest(limits_s)
    if name not in told:
        return None
    own = [each for each in tried if name in each.change.limits]
    best = max(tried, key=lambda each: each.effect, default=None)
    best = best if best is not None and best.effect >= CHANGE_PCT else None
    mine = max(own, key=lambda each: each.effect, default=None)
    return Named(told[name], shares(limits_s)[name], mine, best)


def enough(found: Trial, before: Outcome) -> Trial:
    """The same cure at the size that it needs, and without the parts that do nothing."""
    found = _pruned(_grown(found, before), before)
    return found


def _grown(found: Trial, before: Outcome) -> Trial:
    """Of a larger window or buffer the smallest that has nearly the rate of the largest."""
    change = found.change
    parameter = declaration(change.before.scenario).parameter(change.key)
    if not change.relief or parameter.unit != SIZE_UNIT or not found.after.rate:
        return found
    larger = [each for times in GROWS if fits(each := change.grown(times))]
    tried = [found, *_tried(larger, before)]
    most = max(each.after.rate or 0.0 for each in tried)
    return next(each for each in tried if (each.after.rate or 0.0) >= SAME * most)


def _pruned(found: Trial, before: Outcome) -> Trial:
    """Without the parts that do nothing; of the others, what becomes of it without each."""
    change = found.change
    others = [key for key in change.values if key != change.key]
    if not others or not found.after.rate:
        return found
    lesser = [change.without(key) for key in others]
    after = dict(zip(others, run_all([each.system for each in lesser]), strict=True))
    least = (1 - CHANGE_PCT / 100) * found.after.rate
    idle = [key for key, each in after.items() if each and (each.rate or 0.0) >= least]
    for key in idle:
        change = change.without(key)
    if idle:
        (whole,) = run_all([change.system])
        if whole is None or (whole.rate or 0.0) < least:
            change, idle = found.change, []
        else:
            found = trial(change, before, whole)
    told = [
        _alone(found.change, key, each, before)
        for key, each in after.items()
        if key not in idle and each is not None
    ]
    return replace(found, alone=tuple(told))


def _alone(change: Change, key: str, after: Outcome, before: Outcome) -> str:
    from study.trials.words import without

    return without(change, key, trial(change.without(key), before, after))


def _further(cure: Trial) -> Iterator[Trial]:
    """The steps behind a cure: around the system with it, what its limit is relieved by."""
    for _ in range(STEPS - 1):
        system, before = cure.change.system, cure.after
        name = largest(before.limits_s)
        tried = [
            each
            for each in reliefs(system, {name: before.limits_s.get(name, 0.0)})
            if name in each.limits and each.key != cure.change.key and fits(each)
        ]
        best = max(_tried(tried, before), key=lambda each: each.effect, default=None)
        if best is None or best.effect < NEXT_PCT:
            return
        cure = enough(best, before)
        yield cure


def _factor(each: Trial) -> float:
    return each.effect / 100 + 1
