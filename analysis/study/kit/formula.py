# SPDX-License-Identifier: GPL-2.0-only
"""The parameters that a scenario's closed forms use, read from a run's own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Self, TypeVar

from study.base.units import bits_per_second, seconds

# Of a run, not of what is simulated: a job that finished has no other time for them.
OF_THE_RUN = ("seed", "time_limit", "stall_time")
READERS = {"s": seconds, "B": float, "bps": bits_per_second}


@dataclass(frozen=True)
class Formula:
    """Derive, with one field a parameter: its key, and behind it the unit its text is read in
    ("ack_latency_s"); a field without one of these units is a count, a fraction or a choice."""

    LINKS = ("ethernet",)  # over which it holds, where there is a choice

    @classmethod
    def takes(cls, key: str) -> bool:
        """Whether a parameter is one of the fields."""
        return any(key == _key_and_unit(name)[0] for name in cls.__dataclass_fields__)

    @classmethod
    def field(cls, key: str, unit: str = "") -> tuple[str, float]:
        """The field that a parameter is, and how much of it 1 of that unit is."""
        for name in cls.__dataclass_fields__:
            own, read_in = _key_and_unit(name)
            if own == key:
                return name, READERS[read_in](f"1{unit.replace('bit/s', 'bps')}") if unit else 1.0
        raise KeyError(key)

    @classmethod
    def lacks(cls, before: Mapping[str, str], after: Mapping[str, str]) -> str:
        """What a reader is told where parameters were changed that are not among the fields, and a
        number would not change with them; nothing where all are."""
        changed = [key for key in after if before[key] != after[key]]
        unknown = [key for key in changed if key not in OF_THE_RUN and not cls.takes(key)]
        if after.get("link", "ethernet") not in cls.LINKS:
            unknown = list(dict.fromkeys(["link", *unknown]))  # whether changed or the system's own
        return f"not in this formula: {', '.join(unknown)}" if unknown else ""

    @classmethod
    def of(cls, parameters: Mapping[str, str]) -> Self:
        """From a run's parameters in ns-3's notation."""
        return cls(**{name: read(parameters[key]) for name, key, read in _fields(cls)})


Form = TypeVar("Form", bound=Formula)


@cache
def _fields(form: type[Formula]) -> list[tuple[str, str, Callable[[str], float | str]]]:
    """Each field, the parameter that it is read from, and how."""
    fields = []
    for name, entry in form.__dataclass_fields__.items():
        key, unit = _key_and_unit(name)
        fields.append((name, key, READERS.get(unit, entry.type)))
    return fields


def _key_and_unit(name: str) -> tuple[str, str]:
    key, _, unit = name.rpartition("_")
    return (key, unit) if unit in READERS else (name, "")
