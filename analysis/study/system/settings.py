# SPDX-License-Identifier: GPL-2.0-only
"""The [parameters] of a system or host file: each value with its unit and where it comes from,
read by the scenario's program. A bare value is an assumed one."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from study.base.errors import Refused, StudyError
from study.base.flags import key_at, value_text
from study.base.toml_file import TomlFile
from study.base.units import bound_text
from study.programs.declaration import Declaration
from study.programs.values import read_many

BOUND = "bound"  # a capture shows that the value is at least `low`, or at most `high`
BASES = ("measured", "derived", "fitted", "assumed", BOUND)
UNCERTAIN = ("assumed", "fitted", BOUND)
NUMBERS = ("low", "high")
ENTRIES = dict.fromkeys(("unit", "basis", "source", "stands_for"), (str,))
ENTRIES |= dict.fromkeys(NUMBERS, (int, float, str))
VALUES = (int, float, str, bool)
NOT_GIVEN = "not given"  # the source of a bare value


@dataclass(frozen=True)
class Setting:
    """A parameter's value and its origin. An assumed or fitted value may have a range of
    uncertainty in the same unit. A bound has its known ends."""

    value: str
    unit: str
    basis: str
    source: str
    place: str = ""  # file and line, for an error message
    range: tuple[float, float] | None = None
    low: float | str | None = None  # ends of a bound, if known
    high: float | str | None = None
    # What the parameter stands for, if the model has none for that. Then no answer advises to
    # change it, and readers are told.
    stands_for: str = ""
    text: str = ""  # canonical, for a flag
    before: "Setting | None" = None  # the file's own, in whose place it is

    @property
    def bound(self) -> str:
        """The known range of a bound as a text, empty for any other setting."""
        return bound_text(self.unit, self.low, self.high) if self.basis == BOUND else ""


def read_settings(
    file: TomlFile, table: dict, declared: Declaration, end: str = "host"
) -> dict[str, Setting]:
    """Read a [parameters] table as settings. `end` is the end that a profile is for. Raise
    StudyError if an entry is unknown, contradictory or out of range."""
    read = {}
    for key in table:
        try:
            parameter = declared.parameter(key_at(end, key))
        except StudyError as error:
            raise file.error(str(error), key) from error
        read[key] = parameter, _setting(file, key, file.typed(table, key, dict, *VALUES))
    given = [(each, value_text(setting.value, setting.unit)) for each, setting in read.values()]
    try:
        canonical = read_many(given)
    except Refused as error:
        key = next(key for key, (each, _) in read.items() if each.flag == error.flag)
        raise error.at(key, file.place(key)) from error
    return {
        parameter.key: replace(setting, text=value.text)
        for (parameter, setting), value in zip(read.values(), canonical, strict=True)
    }


def _setting(file: TomlFile, key: str, entry: object) -> Setting:
    place = file.place(key)
    if not isinstance(entry, dict):
        return Setting(value_text(entry), "", "assumed", NOT_GIVEN, place)
    file.check(entry, ENTRIES | {"value": VALUES}, key)
    if "value" not in entry:
        raise file.error(f"{key} has no value", key)
    check_basis(file, key, entry, BASES)
    basis, stands_for = entry["basis"], entry.get("stands_for", "")
    about = value_text(entry["value"]), entry.get("unit", ""), basis, entry["source"], place
    if basis == BOUND:
        ends = _check_bound(file, key, entry)
        both = tuple(ends) if all(isinstance(end, (int, float)) for end in ends) else None
        return Setting(*about, both, *ends, stands_for)
    check_range(file, key, entry, key)
    bounds = (entry["low"], entry["high"]) if "low" in entry else None
    if bounds and basis not in UNCERTAIN:
        raise file.error(
            f"{key} is {basis}; only an assumed or fitted value has a range, and a bound", key
        )
    return Setting(*about, bounds, stands_for=stands_for)


def _check_bound(file: TomlFile, key: str, entry: Mapping[str, Any]) -> list[float | str | None]:
    """Return both ends of a bound. Raise StudyError if both are missing, or if they do not enclose
    the value. A value that is a text is not compared."""
    value, ends = entry["value"], [entry.get(name) for name in NUMBERS]
    low, high = ends
    if low is None and high is None:
        raise file.error(f"{key} is a bound; give its low, its high or both", key)
    if isinstance(value, str):
        return ends
    for name, end in zip(NUMBERS, ends, strict=True):
        if isinstance(end, str) or (end is not None and isinstance(value, bool)):
            raise file.error(f"{key}: {name} = {end!r} has to be a number", key)
    if (low is not None and value < low) or (high is not None and value > high):
        told = " and ".join(f"{name} = {entry[name]}" for name in NUMBERS if name in entry)
        raise file.error(f"{key} = {value} has to lie within {told}", key)
    return ends


def check_range(file: TomlFile, key: str, entry: Mapping[str, Any], shown: str) -> None:
    """Raise StudyError unless a range has both ends, around the value, or none."""
    missing = [name for name in NUMBERS if name not in entry]
    if len(missing) == 1:
        raise file.error(f"{key} has no {missing[0]}; a range has both ends", key)
    if missing:
        return
    for name in NUMBERS:
        if isinstance(entry[name], str):
            raise file.error(f"{key}: {name} = {entry[name]!r} has to be a number", key)
    value, low, high = entry["value"], entry["low"], entry["high"]
    if (
        any(isinstance(each, (bool, str)) for each in (value, low, high))
        or not low <= value <= high
    ):
        between = f"low = {low} and high = {high}"
        raise file.error(f"{shown} = {value} has to lie between {between}", key)


def check_basis(
    file: TomlFile, key: str, entry: Mapping[str, object], bases: tuple[str, ...]
) -> None:
    """Raise StudyError if a figure has no known basis or no source."""
    if entry.get("basis") not in bases:
        given = f"basis {entry['basis']!r}" if "basis" in entry else "no basis"
        raise file.error(
            f"{key} has {given}; it has to be {', '.join(bases[:-1])} or {bases[-1]}", key
        )
    if not entry.get("source"):
        raise file.error(f"{key} has no source; say where the value comes from", key)
