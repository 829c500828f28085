# SPDX-License-Identifier: GPL-2.0-only
"""Closed form beside a run: whether the two agree, and a sentence if they do not. Every page, text
or figure that shows both uses this module, so that none shows a wrong form without a warning."""

from collections.abc import Sequence

# A formula that is never further off than this needs no explanation.
CLOSE_PCT = 2.0
A_FACTOR = 10.0  # from here on a multiple says more than a percentage


def off_pct(on_paper: float, simulated: float) -> float:
    """How far the formula is from the run, in percent of the run."""
    return (on_paper - simulated) / simulated * 100


def holds(on_paper: float, simulated: float) -> bool:
    """Whether the formula can stand beside the run without a word."""
    return abs(off_pct(on_paper, simulated)) <= CLOSE_PCT


def size(on_paper: float, simulated: float) -> str:
    """How far off: +41 %, -3.2 %, x 41."""
    if on_paper >= A_FACTOR * simulated:
        return f"x {on_paper / simulated:,.0f}"
    off = off_pct(on_paper, simulated)
    return f"{off:+.0f} %" if abs(off) >= 10 else f"{off:+.1f} %"


def remark(on_paper: float, simulated: float) -> str:
    """What stands behind a formula's number; nothing where it holds."""
    return "" if holds(on_paper, simulated) else f"off the run by {size(on_paper, simulated)}"


def remark_on_points(pairs: Sequence[tuple[float, float]]) -> str:
    """The sentence under a figure that has both, point by point; nothing where all hold."""
    wrong = [pair for pair in pairs if not holds(*pair)]
    if not wrong:
        return ""
    worst = max(wrong, key=lambda pair: abs(off_pct(*pair)))
    return (
        f"At {len(wrong)} of the {len(pairs)} points with a closed form it is more than "
        f"{CLOSE_PCT:g} % off, by {size(*worst)} at worst."
    )
