# SPDX-License-Identifier: GPL-2.0-only
"""How a system's parameters and those of its host profile become one set, and a value a flag's
text. wscript needs the same before there is a program to ask, so this file imports nothing else of
the package."""

from collections.abc import Mapping
from typing import TypeVar

T = TypeVar("T")


def merged(host: Mapping[str, T], own: Mapping[str, T]) -> dict[str, T]:
    """The host profile's parameters and the system's own, which win."""
    return {**host, **own}


def value_text(value: object, unit: str) -> str:
    """A value in ns-3's notation: a time or rate carries its unit, a count of
    bytes or bits does not."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if unit in ("B", "bit", "1") else f"{text}{unit}"
