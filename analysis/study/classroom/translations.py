# SPDX-License-Identifier: GPL-2.0-only
"""Translations of units.toml: one file a language, units.de.toml for German, with the same keys.
translated.js puts them into the page."""

import tomllib
from collections.abc import Sequence
from typing import Any

from study.base.errors import StudyError
from study.classroom.page_units import FILE, Unit


def translations(units: Sequence[Unit]) -> dict[str, dict[str, Any]]:
    """Return the texts of each unit in each language other than English."""
    found: dict[str, dict[str, Any]] = {unit.id: {} for unit in units}
    for file in sorted(FILE.parent.glob("units.*.toml")):
        said = tomllib.loads(file.read_text(encoding="utf-8"))
        if strange := set(said) - set(found):
            raise StudyError(
                f"{file.name} has units that {FILE.name} has not: {', '.join(strange)}"
            )
        for unit in units:
            if unit.id in said:
                found[unit.id][file.name.split(".")[1]] = _listed(unit, said[unit.id])
    return found


def _listed(unit: Unit, said: dict[str, Any]) -> dict[str, Any]:
    """Return the unit's texts, with each question's choices in the page's order."""
    asks = []
    for data, ask in zip(unit.data["ask"], said.get("ask", []), strict=False):
        choices = [ask.get("choices", {}).get(each["id"], {}) for each in data.get("choices", [])]
        asks.append(ask | {"choices": choices})
    return said | {"ask": asks}
