# SPDX-License-Identifier: GPL-2.0-only
"""ns-3's notation for times and data rates, read as seconds and bits per second."""

import re

from study.base.errors import StudyError

SECONDS = {
    "fs": 1e-15, "ps": 1e-12, "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0,
    "min": 60.0, "h": 3600.0, "d": 86400.0, "y": 365 * 86400.0,
}  # fmt: skip
BITS_PER_SECOND = {
    f"{prefix}{unit}": factor * bits
    for prefix, factor in {"": 1, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9}.items()
    for unit, bits in {"bps": 1, "b/s": 1, "Bps": 8, "B/s": 8}.items()
}
# What a measured figure may be given in, by its base unit, and how much of that it is.
MEASURED_BY_BASE = {
    "s": {"us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0},
    "B/s": {"B/s": 1.0, "kB/s": 1e3, "kbit/s": 125.0},
    "B": {"B": 1.0},
    "1": {"1": 1.0, "%": 0.01},
}
MEASURED = {unit: size for units in MEASURED_BY_BASE.values() for unit, size in units.items()}


def seconds(text: str) -> float:
    """ "117ms" is 0.117."""
    return _read(text, SECONDS, "time", "117ms")


def bits_per_second(text: str) -> float:
    """ "10Mbps" is 1e7."""
    return _read(text, BITS_PER_SECOND, "data rate", "10Mbps")


def _read(text: str, factors: dict[str, float], what: str, example: str) -> float:
    match = re.fullmatch(r"\+?(-?[0-9.]+(?:[eE][+-]?[0-9]+)?)\s*([A-Za-z/]+)", text.strip())
    if not match or match[2] not in factors:
        raise StudyError(f"{text!r} is not a {what}; write it like {example}")
    return float(match[1]) * factors[match[2]]
