# SPDX-License-Identifier: GPL-2.0-only
"""Transfers of known cause, each before and after one change: kernel-wire/captures.toml."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from study.base.errors import StudyError
from study.base.toml_file import TomlFile
from study.kernel import CASES
from study.kernel.transfers import CASE_HOST_KEYS, EXCHANGE_KEYS, PACE_KEYS, PATH_KEYS, Point

MADE = ("before the rules", "after the rules")


@dataclass(frozen=True)
class Case:
    """A transfer, the causes of its slowness, and the same transfer after one change."""

    name: str
    made: str
    before: Point
    after: Point
    change: dict[str, Any]
    causes: tuple[str, ...]
    causes_then: tuple[str, ...]
    is_kept: bool = False  # whether its captures are in git
    why: str = ""  # reason for a wrong result, found by a person

    @property
    def slug(self) -> str:
        """The case's name for files."""
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower())


@cache
def cases() -> tuple[Case, ...]:
    """Return all cases in the order of the file. Raise StudyError if a key is unknown or a name
    repeated."""
    file = TomlFile(CASES)
    known = {*PATH_KEYS, *EXCHANGE_KEYS, *CASE_HOST_KEYS, *PACE_KEYS}
    found: dict[str, Case] = {}
    for each in file.content["case"]:
        for key in sorted({*each["before"], *each["change"]} - known):
            raise file.error(f"a case has no {key!r}", key)
        if each["name"] in found:
            raise StudyError(f"{file.shown}: two cases are called {each['name']!r}")
        made = each.get("made", MADE[0])
        if made not in MADE:
            raise file.error(f"{made!r} is none of {', '.join(MADE)}", "made")
        before = {**file.content["defaults"], **each["before"]}
        found[each["name"]] = Case(
            name=each["name"],
            made=made,
            before=Point(f"{each['name']}, before", made, before, ""),
            after=Point(f"{each['name']}, after", made, before | each["change"], ""),
            change=each["change"],
            causes=_words(each["cause"]),
            causes_then=_words(each.get("then", each["cause"])),
            is_kept=each.get("kept", False),
            why=each.get("why", ""),
        )
    return tuple(found.values())


def _words(given: str | list[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)
