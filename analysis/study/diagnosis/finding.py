# SPDX-License-Identifier: GPL-2.0-only
"""One number of a fitted system, as its file has it: the value, its basis and its source."""

from collections.abc import Mapping
from dataclasses import dataclass

from study.base.units import UNITS, for_programs
from study.programs.declaration import Declaration
from study.programs.values import smallest


@dataclass(frozen=True)
class Finding:
    """A parameter of the model."""

    key: str
    value: object
    unit: str
    basis: str  # "measured", "derived", "fitted" or "assumed"
    source: str

    @property
    def text(self) -> str:
        """The value with its unit, as a reader has it."""
        shown = str(self.value).lower() if isinstance(self.value, bool) else str(self.value)
        return shown if self.unit in ("", "1") else f"{shown} {self.unit}"


def finding(declared: Declaration, key: str, text: str, basis: str, source: str) -> Finding:
    """Return a setting, which is a text as a flag takes it, as a finding."""
    parameter = declared.parameter(key)
    if text == parameter.word and text:
        return Finding(key, text, "", basis, source)
    if parameter.type == "time":
        return Finding(key, *in_time(smallest(parameter, for_programs(text)) / 1e9), basis, source)
    if parameter.type == "data-rate":
        return Finding(key, *in_rate(smallest(parameter, for_programs(text))), basis, source)
    if parameter.type == "boolean":
        return Finding(key, text == "true", "", basis, source)
    if parameter.type == "integer":
        return Finding(key, int(text), parameter.unit, basis, source)
    if parameter.type == "real":
        return Finding(key, float(text), parameter.unit, basis, source)
    return Finding(key, text, "", basis, source)


def in_time(seconds: float) -> tuple[float, str]:
    """Return a time in the unit that leaves it between 1 and 1000, to six digits."""
    sizes = UNITS["time"]
    ns = max(seconds * sizes["s"], 1.0)
    unit = next((each for each in ("s", "ms", "us") if ns >= sizes[each]), "ns")
    return _short(float(f"{ns / sizes[unit]:.6g}")), unit


def in_rate(bits_per_second: float) -> tuple[float, str]:
    """Return a data rate in its usual unit, to six digits."""
    sizes = UNITS["data-rate"]
    unit = next((each for each, size in sizes.items() if bits_per_second >= size), "bps")
    return _short(float(f"{bits_per_second / sizes[unit]:.6g}")), unit


def _short(number: float) -> float:
    return int(number) if number == int(number) else number


def share(limits_s: Mapping[str, float], name: str) -> float:
    """Return which part of all the time went to a limit."""
    total_s = sum(limits_s.values())
    return limits_s.get(name, 0.0) / total_s if total_s else 0.0
