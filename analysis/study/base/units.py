# SPDX-License-Identifier: GPL-2.0-only
"""Units, and ns-3's notation of times and data rates: what it knows of "117ms" is here alone."""

import math
import re
from functools import lru_cache

from study.base.errors import StudyError

# Largest first: a value is written in the largest unit that divides it.
UNITS = {
    "time": {"h": 3600e9, "min": 60e9, "s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1.0},
    "data-rate": {"Gbps": 1e9, "Mbps": 1e6, "kbps": 1e3, "bps": 1.0},
}
NO_LIMIT = "none"  # a rate's text without a limit
NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
# Units of measured values, by base unit, each with its size in that base unit.
MEASURED_BY_BASE = {
    "s": {"us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0},
    "B/s": {"B/s": 1.0, "kB/s": 1e3, "kbit/s": 125.0},
    "B": {"B": 1.0},
    "1": {"1": 1.0, "%": 0.01},
}
MEASURED = {unit: size for units in MEASURED_BY_BASE.values() for unit, size in units.items()}


def seconds(text: str) -> float:
    """Return a time in seconds: "117ms" is 0.117."""
    number, size = parts("time", text)
    return number * (size / UNITS["time"]["s"])


def bits_per_second(text: str) -> float:
    """Return a data rate in bit/s: "10Mbps" is 1e7, and "none" is infinity."""
    if text == NO_LIMIT:
        return math.inf
    number, size = parts("data-rate", text)
    return number * size


@lru_cache(maxsize=10_000)  # a formula's curve reads the same twenty texts at each of its points
def parts(kind: str, text: str) -> tuple[float, float]:
    """Return the number and the size of its unit in ns or bit/s. Raise StudyError if the text is no
    number with a unit of that kind."""
    match = re.fullmatch(rf"({NUMBER})([A-Za-z]+)", for_programs(text))
    if not match or match[2] not in UNITS[kind]:
        *names, last = reversed(UNITS[kind])
        what = f"a {kind.replace('-', ' ')}: a number and {', '.join(names)} or {last}"
        raise StudyError(f"{text[:80]!r} is not {what}")
    return float(match[1]), UNITS[kind][match[2]]


def bound_text(unit: str, low: float | None, high: float | None) -> str:
    """Return the text of a known range, each end in a fitting unit: at least 0.1 us and at most
    4.093 ms. None is an unknown end."""
    ends = (("at least", low), ("at most", high))
    return " and ".join(f"{word} {_fitting(end, unit)}" for word, end in ends if end is not None)


def _fitting(number: float, unit: str) -> str:
    """Return a time with four digits in the unit that makes it 1 to 1000; other numbers
    unchanged."""
    sizes = UNITS["time"]
    if unit not in sizes or number <= 0:
        return f"{number} {unit}" if unit not in ("", "1") else f"{number}"
    ns = number * sizes[unit]
    shown = next((each for each in ("s", "ms") if ns >= sizes[each]), "us")
    return f"{ns / sizes[shown]:.4g} {shown}"


def for_readers(text: str) -> str:
    """Return the text with µs for us, for people."""
    return re.sub(r"(?<![A-Za-z])us\b", "µs", text)


def for_programs(text: str) -> str:
    """Return the text with us for µs, for programs. Unicode has two signs for micro."""
    return re.sub("[\u00b5\u03bc]s", "us", text)
