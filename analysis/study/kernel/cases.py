# SPDX-License-Identifier: GPL-2.0-only
"""Transfers of known cause, each before and after one change: kernel-wire/captures.toml."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from study.base.errors import StudyError
from study.base.toml_file import TomlFile
from study.base.units import seconds
from study.kernel import CASES
from study.kernel.transfers import EXCHANGE_KEYS, HOST_KEYS, PATH_KEYS, Point

# Keys of a case's applications that a point does not have.
PACE_KEYS: dict[str, Any] = {
    "write": 0,
    "write_pause": "0ms",
    "read_pause_every": 0,
    "read_pause": "0ms",
    "ahead": 1,
    "replies": [],
}
PACE_TIMES = ("write_pause", "read_pause")
CASE_HOST_KEYS = (*HOST_KEYS, "offload", "pacing", "ipv6")
MADE = ("before the rules", "after the rules")


class Transfer(Point):
    """One transfer of a case."""

    @property
    def exchange(self) -> dict[str, Any]:
        """The applications' behaviour, times in seconds."""
        pace = {key: self.given.get(key, default) for key, default in PACE_KEYS.items()}
        return super().exchange | pace | {key: seconds(pace[key]) for key in PACE_TIMES}

    @property
    def host(self) -> dict[str, Any]:
        """The socket options of both ends, and their interfaces."""
        return {key: self.given[key] for key in CASE_HOST_KEYS if key in self.given}

    @property
    def is_from_client(self) -> bool:
        """Whether most data goes to the server, also for replies of several sizes."""
        sizes = self.exchange["replies"]
        if not sizes:
            return super().is_from_client
        return self.exchange["command_text"] > sum(sizes) / len(sizes)


@dataclass(frozen=True)
class Case:
    """A transfer, the causes of its slowness, and the same transfer after one change."""

    name: str
    made: str
    before: Transfer
    after: Transfer
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
            before=Transfer(f"{each['name']}, before", made, before, ""),
            after=Transfer(f"{each['name']}, after", made, before | each["change"], ""),
            change=each["change"],
            causes=_words(each["cause"]),
            causes_then=_words(each.get("then", each["cause"])),
            is_kept=each.get("kept", False),
            why=each.get("why", ""),
        )
    return tuple(found.values())


def _words(given: str | list[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)
