# SPDX-License-Identifier: GPL-2.0-only
"""Parameters of a system and of its host profile as one set, and values as texts of flags. wscript
needs this before any program is built, so this file imports nothing else of the package."""

from collections.abc import Mapping
from typing import TypeVar

T = TypeVar("T")
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


def value_text(value: object, unit: str = "") -> str:
    """A value and its unit as a flag takes them, in one text."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if unit == "1" else f"{text}{unit}"
