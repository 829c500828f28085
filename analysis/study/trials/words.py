# SPDX-License-Identifier: GPL-2.0-only
"""The sentences of an answer by trial."""

from study.programs.declaration import declaration
from study.programs.labels import spelt
from study.trials.reliefs import Change
from study.trials.search import Found
from study.trials.trial import Trial, gain


def named(found: Found) -> str:
    """What the sender waited for, and by trial what makes it so."""
    name = found.named
    if name is None:
        return ""
    text = f"{name.share:.1%} of the time {name.limit.words}"
    if name.best is None:
        return f"{text}; no change that was tried makes it faster by 1 %"
    if name.is_confirmed:
        return f"{text}; by trial it is the limit: {told(name.best)}"
    own = f", {told(name.own)}" if name.own is not None else ", which nothing tried relieves"
    return f"{text}; by trial another change helps more: {told(name.best)}{own}"


def told(each: Trial) -> str:
    """A change and what it does."""
    became = gain(each.gain_pct) or each.outcome
    return f"{each.words}: {became}"


def path(found: Found) -> str:
    """The cure, and what is then the limit, step by step."""
    steps = [told(each) for each in found.path]
    if not steps:
        return ""
    limits = declaration(found.system.scenario).limits
    then = found.then
    share = found.path[-1].after.limits_s.get(then, 0.0)
    total_s = sum(found.path[-1].after.limits_s.values()) or 1.0
    words = f"then the limit is: {spelt(then)}" if then in limits else ""
    return "; then ".join(steps) + (f"; {words} ({share / total_s:.0%})" if words else "")


def without(change: Change, key: str, lesser: Trial) -> str:
    """What becomes of a cure without one of its parts."""
    return f"without {spelt(key)} {change.values[key]}: {gain(lesser.gain_pct) or lesser.outcome}"
