# SPDX-License-Identifier: GPL-2.0-only
"""The parameters that a scenario's closed forms use, read from a run's own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Self, TypeVar

from study.base.units import bits_per_second, seconds

# Parameters of the run, not of the job: they do not change the time of one that finishes.
OF_THE_RUN = ("seed", "time_limit", "stall_time")
READERS = {"s": seconds, "B": float, "bps": bits_per_second}


@dataclass(frozen=True)
class Formula:
    """Base class with one field a parameter. A field's name is the parameter's key and the unit to
    read it in ("ack_latency_s"). One without such a unit is a count, a fraction or a choice."""

    LINKS = ("ethernet",)  # the links for which it holds

    @classmethod
    def takes(cls, key: str) -> bool:
        """Return whether the closed forms use this parameter."""
        return any(key == _key_and_unit(name)[0] for name in cls.__dataclass_fields__)

    @classmethod
    def field(cls, key: str, unit: str = "") -> tuple[str, float]:
        """Return a parameter's field, and the size of one `unit` in the field's own unit. Raise
        KeyError if no field has that parameter."""
        for name in cls.__dataclass_fields__:
            own, read_in = _key_and_unit(name)
            if own == key:
                return name, READERS[read_in](f"1{unit.replace('bit/s', 'bps')}") if unit else 1.0
        raise KeyError(key)

    @classmethod
    def lacks(cls, before: Mapping[str, str], after: Mapping[str, str]) -> str:
        """Return a remark that names changed parameters which the formula does not have, empty if
        it has all."""
        changed = [key for key in after if before[key] != after[key]]
        unknown = [key for key in changed if key not in OF_THE_RUN and not cls.takes(key)]
        if after.get("link", "ethernet") not in cls.LINKS:
            unknown = list(dict.fromkeys(["link", *unknown]))  # even if it was not changed
        return f"not in this formula: {', '.join(unknown)}" if unknown else ""

    @classmethod
    def of(cls, parameters: Mapping[str, str]) -> Self:
        """Return the form with a run's parameters, given in ns-3's notation."""
        return cls(**{name: read(parameters[key]) for name, key, read in _fields(cls)})


Form = TypeVar("Form", bound=Formula)


@cache
def _fields(form: type[Formula]) -> list[tuple[str, str, Callable[[str], float | str]]]:
    """Return each field's name, its parameter's key and the function that reads its text."""
    fields = []
    for name, entry in form.__dataclass_fields__.items():
        key, unit = _key_and_unit(name)
        fields.append((name, key, READERS.get(unit, entry.type)))
    return fields


def _key_and_unit(name: str) -> tuple[str, str]:
    key, _, unit = name.rpartition("_")
    return (key, unit) if unit in READERS else (name, "")
