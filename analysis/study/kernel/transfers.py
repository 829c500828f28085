# SPDX-License-Identifier: GPL-2.0-only
"""Transfers that both the kernel and the simulation make: kernel-wire/points.toml."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from study.base.errors import StudyError
from study.base.toml_file import TomlFile
from study.base.units import bits_per_second, seconds
from study.kernel import POINTS

# Keys of a point, with the default for those that neither it nor [defaults] has.
PATH_KEYS: dict[str, Any] = {
    "rtt": "0ms",
    "rate": "100Mbps",
    "rate_back": None,
    "queue": 1000,
    "mtu": 1500,
    "losses": [],
    "losses_back": [],
}
EXCHANGE_KEYS: dict[str, Any] = {
    "commands": 1,
    "command_text": 1,
    "command_end": 0,
    "command_write_time": "0ms",
    "client_time": "0ms",
    "server_time": "0ms",
    "read": 0,
    "read_time": "0ms",
    "reply_writes": 1,
    "reply_write": 1,
    "reply_write_time": "0ms",
}
# Keys that only the transfers of known cause have.
PACE_KEYS: dict[str, Any] = {
    "write": 0,
    "write_pause": "0ms",
    "read_pause_every": 0,
    "read_pause": "0ms",
    "ahead": 1,
    "replies": [],
}
# Options in a host's SYN, unless a point disables them by a setting of its network namespace.
OFFERS = ("sack", "timestamps")
HOST_KEYS = ("window", "so_sndbuf", "mss", "congestion_control", "nagle", *OFFERS)
CASE_HOST_KEYS = (*HOST_KEYS, "offload", "pacing", "ipv6")


@dataclass(frozen=True)
class Point:
    """One transfer; `given` is its line in the file, with the defaults."""

    name: str
    family: str
    given: dict[str, Any]
    reason: str  # reason for the simulation's deviation, found by a person; empty without one

    @property
    def exchange(self) -> dict[str, Any]:
        """The applications' behaviour, times in seconds."""
        keys = EXCHANGE_KEYS | PACE_KEYS
        chosen = {key: self.given.get(key, default) for key, default in keys.items()}
        times = [key for key in keys if isinstance(keys[key], str)]
        return chosen | {key: seconds(chosen[key]) for key in times}

    @property
    def path(self) -> dict[str, Any]:
        """The wire: rates in bit/s, one-way delay in ns."""
        value = {key: self.given.get(key, default) for key, default in PATH_KEYS.items()}
        there = bits_per_second(value["rate"])
        back = bits_per_second(value["rate_back"]) if value["rate_back"] else there
        return {
            "delay_ns": round(seconds(value["rtt"]) / 2 * 1e9),
            "rate_to_server": there,
            "rate_to_client": back,
            "queue_to_server": value["queue"],
            "queue_to_client": value["queue"],
            "losses_to_server": value["losses"],
            "losses_to_client": value["losses_back"],
            "mtu": value["mtu"],
        }

    @property
    def host(self) -> dict[str, Any]:
        """The socket options of both ends, and their interfaces."""
        return {key: self.given[key] for key in CASE_HOST_KEYS if key in self.given}

    @property
    def is_from_client(self) -> bool:
        """Whether most data goes to the server."""
        of = self.exchange
        sizes = of["replies"] or [of["reply_writes"] * of["reply_write"]]
        return of["command_text"] + of["command_end"] > sum(sizes) / len(sizes)


@cache
def points() -> tuple[Point, ...]:
    """Return all points in the order of the file. Raise StudyError if a key is unknown or a name
    repeated."""
    file = TomlFile(POINTS)
    known = {"name", "why", *PATH_KEYS, *EXCHANGE_KEYS, *HOST_KEYS}
    defaults, reasons = file.content["defaults"], file.content.get("reasons", {})
    found = []
    for family in file.content["family"]:
        for each in family["points"]:
            for key in sorted(each.keys() - known):
                raise file.error(f"a point of the kernel has no {key!r}", key)
            given = {**defaults, **each}
            name, why = given.pop("name"), given.pop("why", None)
            if why is not None and why not in reasons:
                raise file.error(f"{why!r} is none of the [reasons]", "why")
            found.append(Point(name, family["name"], given, reasons.get(why, "")))
    names = [each.name for each in found]
    for name in names:
        if names.count(name) > 1:
            raise StudyError(f"{file.shown}: two points are called {name!r}")
    return tuple(found)
