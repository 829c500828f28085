# SPDX-License-Identifier: GPL-2.0-only
"""Parameters of a system and of its host profile as one set, and values as texts of flags. wscript
needs this before any program is built, so this file imports nothing else of the package."""

from collections.abc import Mapping
from typing import TypeVar

T = TypeVar("T")
# Keys of a system file that name a host profile. Each is also the prefix of that host's parameters
# in the scenario.
ENDS = ("host", "client", "server", "device")
# Names of a print server's TCP parameters that differ: it only receives.
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
    """Return the scenario's name for a host profile's parameter. A scenario with two hosts has a
    prefix for each, which replaces a leading `host_`."""
    if end == "device" and key in OF_DEVICE:
        return OF_DEVICE[key]
    return key if end == "host" else f"{end}_{key.removeprefix('host_')}"


def takes(end: str, key: str) -> bool:
    """Return whether that end has this host parameter. A device sends no data."""
    return end != "device" or key in OF_DEVICE


def in_the_words_of(end: str, entry: T) -> T:
    """Return a profile's entry with the value's name as the scenario's end writes it."""
    if end != "device" or not isinstance(entry, dict) or entry.get("value") != "heartbeat":
        return entry
    return {**entry, "value": "free-running"}


def merged(host: Mapping[str, T], own: Mapping[str, T]) -> dict[str, T]:
    """Return the host profile's parameters, overridden by the system's own."""
    return {**host, **own}


def value_text(value: object, unit: str = "") -> str:
    """Return a value and its unit as one text, as a flag takes it."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if unit == "1" else f"{text}{unit}"
