# SPDX-License-Identifier: GPL-2.0-only
"""What limits every system: its job's time split by what the sender waited for."""

from analysis import style
from analysis.drawing.flow import name_of
from analysis.drawing.limit_bars import HOW_TO_READ, bars
from analysis.system import systems

CAPTION = (
    f"What limits the job of each system, simulated as measured. {HOW_TO_READ} At the right the "
    "job's duration. For the Troy and the JetDirect the drain is all that is known of them."
)


def draw() -> style.Drawing:
    """One bar a system."""
    jobs = {name_of(system): system.run() for system in systems.values()}
    return bars(jobs, CAPTION)
