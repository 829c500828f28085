# SPDX-License-Identifier: GPL-2.0-only
"""Choice of the controls that a system shows first: those that the trials of `study explain`
rank first, helpful changes before harmful ones. The trials run once for each state of system and
program; build/ keeps the result."""

import hashlib
import json
from functools import cache
from pathlib import Path

from study import trials
from study.base.errors import StudyError
from study.base.project import BUILD, write_whole
from study.kit.plan import Plan
from study.programs.identity import identity
from study.system.system import System
from study.trials.search import find

FOLDER = BUILD / "front"
MOST_LEADING, LEAST_LEADING = 4, 3


def leading(system: System, plan: Plan) -> list[str]:
    """Best first: of the job as the page opens it. Found by running it many times, unless it was
    found before."""
    found = kept(system, plan)
    if found is None:
        found = _found(_opened(system, plan), plan)
        FOLDER.mkdir(parents=True, exist_ok=True)
        write_whole({_file(system, plan): json.dumps(found).encode()})
    return found


def kept(system: System, plan: Plan) -> list[str] | None:
    """Return the same, if it was found before: nothing is run."""
    try:
        return json.loads(_file(system, plan).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def planned(system: System, plan: Plan) -> list[str]:
    """As many in the plan's order, what the curve is over before all others."""
    keys = [key for key in dict.fromkeys([plan.axis, *plan.keys]) if _is_there(system, plan, key)]
    return keys[:MOST_LEADING]


def _opened(system: System, plan: Plan) -> System:
    return system.with_(**plan.opening(system.parameters()))


def _file(system: System, plan: Plan) -> Path:
    opened = _opened(system, plan)
    asked = json.dumps([identity(system.scenario).digest, opened.flags(), plan.keys, _ranking()])
    return FOLDER / f"{hashlib.sha256(asked.encode()).hexdigest()[:24]}.json"


@cache
def _ranking() -> str:
    """Return a digest of the code that ranks: other trials may have another order."""
    files = [Path(__file__), *sorted(Path(trials.__file__).parent.glob("*.py"))]
    return hashlib.sha256(b"".join(each.read_bytes() for each in files)).hexdigest()


def _found(system: System, plan: Plan) -> list[str]:
    try:
        found = find(system)
        moved = [*found.helps, *found.makes_worse]  # as explain ranks them
    except StudyError:  # a job that cannot be explained can still be varied
        moved = []
    # What a change is about comes before what it needs beside: the window before its scale.
    turned = [each.change.key for each in moved]
    turned += [key for each in moved for key in each.change.values]
    known = [key for key in dict.fromkeys(turned) if key in plan.keys]
    ranked = [key for key in known if _is_there(system, plan, key)][:MOST_LEADING]
    # Where few move anything: what the plan has first.
    others = [key for key in planned(system, plan) if key not in ranked]
    return [*ranked, *others[: max(LEAST_LEADING - len(ranked), 0)]]


def _is_there(system: System, plan: Plan, key: str) -> bool:
    """Return whether the job as it is takes notice of it."""
    section = next(each for each in plan.sections if key in each.keys)
    return section.when is None or system.parameters()[section.when[0]] == section.when[1]
