# SPDX-License-Identifier: GPL-2.0-only
"""The sentences of an answer by trial."""

from study.programs.labels import spelt
from study.trials.jobs import shares
from study.trials.search import Found
from study.trials.trial import Trial, gain


def named(found: Found) -> str:
    """Return a sentence on the largest limit and its confirmation, empty without a limit."""
    name = found.named
    if name is None:
        return ""
    text = f"{name.share * 100:.1f} % of the time {name.limit.words}"
    if name.best is None:
        return f"{text}; no change that was tried makes it faster by 1 %"
    if name.is_confirmed:
        return f"{text}, and that is the limit: {told(name.own or name.best)}"
    own = told(name.own) if name.own is not None else "nothing that was tried relieves that"
    return f"{text}, but another change helps more: {told(name.best)}; {own}"


def told(each: Trial) -> str:
    """Return a change and its effect as a text."""
    became = gain(each.gain_pct) or each.outcome
    return f"{each.words}: {became}"


def path(found: Found) -> str:
    """Return the cure and the next limit, step by step, empty without a cure."""
    if not found.path:
        return ""
    steps = "; then ".join(told(each) for each in found.path)
    limits_s = found.path[-1].after.limits_s
    then, share = next(iter(shares(limits_s).items()))
    return f"{steps}; then the limit is: {spelt(then)} ({share * 100:.0f} %)"
