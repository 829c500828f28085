# SPDX-License-Identifier: GPL-2.0-only
"""What limits every system: its job's time split by what the sender waited for."""

from study.catalogue import systems
from study.drawing import style
from study.drawing.flow import name_of
from study.drawing.kinds.limits import HOW_TO_READ, bars
from study.programs.declaration import all_limits
from study.system.system import Result, System

TITLE = (
    "{waiting} of {count} systems wait most for a receive window or a delayed ACK, {line} for the "
    "line, {rest} for what an end does"
)
RECEIVER, BOTH, PATH = "the receiver's TCP", "both TCPs together", "the path"
CAPTION = (
    "What limits the job of each system, simulated as its file has it; who waits most for the "
    f"same stands together. {HOW_TO_READ} At the right the job's duration. For the Troy and the "
    "JetDirect the drain is all that is known of them."
)


def draw() -> style.Drawing:
    """Draw one bar a system; only a page has room for whole names."""
    short = style.size() != "page"
    found = [(each, each.run()) for each in systems.values()]
    found.sort(key=_place)
    jobs = {each.name if short else name_of(each): result for each, result in found}
    told = all_limits()
    largest = [max(each.limits_s, key=each.limits_s.__getitem__) for _, each in found]
    who = [told[limit].who for limit in largest]
    waiting, line = (sum(each in of for each in who) for of in ((RECEIVER, BOTH), (PATH,)))
    counts = {"waiting": waiting, "line": line, "rest": len(largest) - waiting - line}
    return bars(jobs, CAPTION, TITLE.format(count=len(largest), **counts))


def _place(of: tuple[System, Result]) -> tuple[int, float]:
    """By what is slow: those with the same largest part stand together, the largest part first."""
    limits_s = of[1].limits_s
    largest = max(limits_s, key=limits_s.__getitem__)
    known = list(all_limits())
    place = known.index(largest) if largest in known else len(known)
    return place, -limits_s[largest] / (sum(limits_s.values()) or 1.0)
