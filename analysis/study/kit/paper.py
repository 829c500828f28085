# SPDX-License-Identifier: GPL-2.0-only
"""Closed form beside a run: whether the two agree, and a sentence if they do not. Every page, text
or figure that shows both uses this module, so that none shows a wrong form without a warning."""

from collections.abc import Sequence

# A formula within this difference needs no remark.
CLOSE_PCT = 2.0
A_FACTOR = 10.0  # from this factor on it is shown as a multiple, not as a percentage


def off_pct(on_paper: float, simulated: float) -> float:
    """Return the formula's deviation from the run, in percent of the run."""
    return (on_paper - simulated) / simulated * 100


def holds(on_paper: float, simulated: float) -> bool:
    """Return whether the formula is within CLOSE_PCT of the run."""
    return abs(off_pct(on_paper, simulated)) <= CLOSE_PCT


def size(on_paper: float, simulated: float) -> str:
    """Return the deviation as a text: +41 %, -3.2 %, x 41."""
    if on_paper >= A_FACTOR * simulated:
        return f"x {on_paper / simulated:,.0f}"
    off = off_pct(on_paper, simulated)
    return f"{off:+.0f} %" if abs(off) >= 10 else f"{off:+.1f} %"


def remark(on_paper: float, simulated: float) -> str:
    """Return how a formula's rate differs from the run's, empty if the formula holds."""
    if holds(on_paper, simulated):
        return ""
    told = size(on_paper, simulated)
    if told.startswith("x "):
        return f"{told.removeprefix('x ')} times the run's rate"
    return f"{told[1:]} {'below' if told.startswith('-') else 'above'} the run's rate"


def remark_on_points(pairs: Sequence[tuple[float, float]]) -> str:
    """Return the sentence under a figure with both, empty if the formula holds everywhere."""
    wrong = [pair for pair in pairs if not holds(*pair)]
    if not wrong:
        return ""
    worst = max(wrong, key=lambda pair: abs(off_pct(*pair)))
    return (
        f"At {len(wrong)} of the {len(pairs)} points with a closed form it is more than "
        f"{CLOSE_PCT:g} % off, by {size(*worst)} at worst."
    )
