# SPDX-License-Identifier: GPL-2.0-only
"""Captures of transfers that were made slow on purpose, whose cause is told after the question.

They are some of those that `study kernel --captures` makes; results/captures/ has them.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from study.base.errors import StudyError, unknown
from study.base.project import shown
from study.drawing import style
from study.drawing.kinds import limits
from study.kernel import KEPT
from study.kernel.cases import Case, cases
from study.notebooks.pictures import Picture
from study.programs.declaration import all_limits
from study.programs.labels import spelt

if TYPE_CHECKING:
    from study.diagnosis.diagnosis import Diagnosis

# Neutral names of the captures in the notebook.
MYSTERIES = {
    "A": "slow reader",
    "B": "small receive window",
    "C": "slow line",
    "D": "commands in two writes",
}


def mystery(name: str, when: str = "before") -> Path:
    """Return the path of a transfer's capture at the sender. `when` is "before", or "after" for the
    run with its cause relieved. Raise StudyError if the name is unknown or the capture missing."""
    found = sorted(KEPT.glob(f"{_case(name).slug}.{when}.*.pcap.gz"))
    if not found:
        raise StudyError(f"{shown(KEPT)} has no capture of {name!r} {when!r}")
    return found[0]


def diagnosed(name: str, when: str = "before") -> "Diagnosis":
    """Return `diagnose` of that capture, under its neutral name."""
    from study.diagnosis.diagnosis import diagnose

    return replace(diagnose(mystery(name, when)), capture=f"{name}.pcap")


def whose(name: str) -> str:
    """Return the true owner of the cause, which is known: it was put there."""
    return all_limits()[_case(name).causes[0]].who


def told(name: str) -> str:
    """Return a text with the cause and with the one change that relieves it."""
    case = _case(name)
    changed = (
        f"{key.replace('_', ' ')} {case.before.given.get(key, 'by default')} to {value}"
        for key, value in case.change.items()
    )
    return f"**{name}**, {case.name}: {spelt(case.causes[0])}. Changed: {', '.join(changed)}."


def show_budgets(found: Mapping[str, "Diagnosis"]) -> Picture:
    """Draw what each of several captured transfers waited for, one bar each."""
    jobs = {name: limits.Budget(each.capture, each.limits_s) for name, each in found.items()}
    with style.house():
        return Picture(limits.bars(jobs, f"What limits each transfer. {limits.HOW_TO_READ}"))


def _case(name: str) -> Case:
    if name not in MYSTERIES:
        raise unknown("capture", name, MYSTERIES)
    return next(each for each in cases() if each.name == MYSTERIES[name])
