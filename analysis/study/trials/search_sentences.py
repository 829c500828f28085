# SPDX-License-Identifier: GPL-2.0-only
"""Sentences on a search by trials: the main limit, and the best changes in order."""

from study.programs.labels import spelt
from study.trials.jobs import shares
from study.trials.search import Found
from study.trials.trial import CHANGE_PCT, Trial, gain


def named(found: Found) -> str:
    """Return a sentence on the largest limit and its confirmation, empty without a limit."""
    name = found.named
    if name is None:
        return ""
    text = f"{name.share * 100:.1f} % of the time {name.limit.words}."
    if name.best is None:
        return f"{text} No change that was tried makes the job faster by {CHANGE_PCT:g} %."
    if name.is_confirmed:
        return f"{text} A trial confirms this limit: {told(name.own or name.best)}."
    if name.is_relieved:
        return (
            f"{text} Best for this limit: {told(name.own)}. Another helps more: {told(name.best)}."
        )
    own = f": {told(name.own)}" if name.own else ""
    return f"{text} No change of it helps{own}. Another change does: {told(name.best)}."


def told(each: Trial) -> str:
    """Return a change and its effect as a text."""
    return f"{each.words} ({gain(each.gain_pct) or each.outcome})"


def path(found: Found) -> str:
    """Return the best change, the next one made after it, and the main limit that is left. Empty if
    no change helps."""
    if not found.path:
        return ""
    steps = "; after it, the next best: ".join(told(each) for each in found.path)
    limits_s = found.path[-1].after.limits_s
    then, share = next(iter(shares(limits_s).items()))
    return f"{steps}. Main limit afterwards: {spelt(then)}, {share * 100:.0f} % of the time."
