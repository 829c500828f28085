# SPDX-License-Identifier: GPL-2.0-only
"""How a system's parameters and those of its host profile become one set, and a value a flag's
text. wscript needs the same before there is a program to ask, so this file imports nothing else of
the package."""

from collections.abc import Mapping
from typing import TypeVar

T = TypeVar("T")
# The entry of a system file that names a profile, and the part of the scenario that takes it.
ENDS = ("host", "client")


def key_at(end: str, key: str) -> str:
    """A host's parameter, as the part of a scenario that is called `end` has it: where there are
    two hosts, their parameters have a prefix, which takes the place of a leading host."""
    return key if end == "host" else f"{end}_{key.removeprefix('host_')}"


def merged(host: Mapping[str, T], own: Mapping[str, T]) -> dict[str, T]:
    """The host profile's parameters and the system's own, which win."""
    return {**host, **own}


def value_text(value: object, unit: str) -> str:
    """A value in ns-3's notation: a time or rate carries its unit, other numbers
    do not."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if unit in ("B", "bit", "MHz", "1") else f"{text}{unit}"
