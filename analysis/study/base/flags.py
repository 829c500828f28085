# SPDX-License-Identifier: GPL-2.0-only
"""How a system's parameters and those of its host profile become one set, and a value a flag's
text. wscript needs the same before there is a program to ask, so this file imports nothing else of
the package."""

from collections.abc import Mapping
from decimal import Decimal
from typing import TypeVar

T = TypeVar("T")
# What people have on their data sheets, as programs take it: so much of which unit.
PLAIN = {
    "kB": (Decimal(1000), "B"),
    "MB": (Decimal(1_000_000), "B"),
    "GB": (Decimal(1_000_000_000), "B"),
    "%": (Decimal("0.01"), "1"),
    "B/s": (Decimal(8), "bps"),
    "kB/s": (Decimal(8), "kbps"),
    "MB/s": (Decimal(8), "Mbps"),
}
FAR = 30  # powers of ten, out of any range; a whole number has as many digits
# The entry of a system file that names a profile, and the part of the scenario that takes it.
ENDS = ("host", "client", "server", "device")
# A print server's TCP has words of its own, for it only receives.
OF_DEVICE = {
    "mss": "device_mss",
    "reply_time": "ack_latency",
    "host_window": "receive_window",
    "host_delayed_ack": "delayed_ack_timeout",
    "host_ack_frequency": "ack_frequency",
    "host_ack_timer": "delayed_ack_timer",
    "host_ack_rule": "device_ack_rule",
    "host_first_window": "device_first_window",
    "host_window_scale": "device_window_scale",
    "host_sack": "device_sack",
    "host_timestamps": "device_timestamps",
    "quick_acks": "device_quick_acks",
}


def key_at(end: str, key: str) -> str:
    """A host's parameter, as the part of a scenario that is called `end` has it: where there are
    two hosts, their parameters have a prefix, which takes the place of a leading host."""
    if end == "device" and key in OF_DEVICE:
        return OF_DEVICE[key]
    return key if end == "host" else f"{end}_{key.removeprefix('host_')}"


def takes(end: str, key: str) -> bool:
    """Whether that part has this parameter of a host at all: a device sends no data."""
    return end != "device" or key in OF_DEVICE


def in_the_words_of(end: str, entry: T) -> T:
    """A profile's entry with the word that the part of a scenario has for its value."""
    if end != "device" or not isinstance(entry, dict) or entry.get("value") != "heartbeat":
        return entry
    return {**entry, "value": "free-running"}


def merged(host: Mapping[str, T], own: Mapping[str, T]) -> dict[str, T]:
    """The host profile's parameters and the system's own, which win."""
    return {**host, **own}


def plain(value: object, unit: str) -> tuple[object, str]:
    """A value and its unit as a program takes them: 300 kB is 300000 B, 60 kB/s is 480 kbps."""
    if unit not in PLAIN or isinstance(value, bool):
        return value, unit
    size, plainly = PLAIN[unit]
    try:
        number = Decimal(str(value)) * size
        if not number.is_finite() or abs(number.adjusted()) > FAR:
            return value, unit
        whole = number == number.to_integral_value()
    except ArithmeticError:
        return value, unit
    return (int(number) if whole else float(number)), plainly


def value_text(value: object, unit: str) -> str:
    """A value in ns-3's notation: a time or rate carries its unit, other numbers
    do not."""
    value, unit = plain(value, unit)
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if unit in ("B", "bit", "MHz", "1") else f"{text}{unit}"
