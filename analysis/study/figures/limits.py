# SPDX-License-Identifier: GPL-2.0-only
"""What limits every system: its job's time split by what the sender waited for."""

from study.catalogue import systems
from study.drawing import style
from study.drawing.flow import name_of
from study.drawing.kinds.limits import HOW_TO_READ, bars

CAPTION = (
    f"What limits the job of each system, simulated as measured. {HOW_TO_READ} At the right the "
    "job's duration. For the Troy and the JetDirect the drain is all that is known of them."
)


def draw() -> style.Drawing:
    """One bar a system; only a page has room for whole names."""
    short = style.size() != "page"
    jobs = {each.name if short else name_of(each): each.run() for each in systems.values()}
    return bars(jobs, CAPTION)
