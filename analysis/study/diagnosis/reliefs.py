# SPDX-License-Identifier: GPL-2.0-only
"""Reliefs: for each limit the change of a system that eases it by half, tried on the system that
was found. The limit whose relief speeds the transfer up is its cause."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from study.base.units import for_programs
from study.diagnosis.bench import Bench
from study.diagnosis.curves import View
from study.programs.declaration import declaration
from study.programs.values import smallest

SHARE = 0.05  # of the time; a limit with less is not tried
GAIN = 0.02  # of the rate; less is no relief
HELPS = 0.2  # of the best relief's gain; a limit whose relief brings less is not the cause
STEEPLY = 4.0  # a first window: twice as large, it saves one round trip or none
EASED = 2.0  # times as much, or as short
FACTORS = {"x": EASED, "X": STEEPLY, "/": 1 / EASED}
# Of each limit the numbers to change, and how: by a factor, or a text in their place.
TABLE: dict[str, tuple[tuple[str, str], ...]] = {
    "receive_window": (("receive_window", "x"), ("server_window", "x"), ("client_window", "x")),
    "link": (("path_rate", "x"),),
    "path_queue": (("path_rate", "x"),),
    "send_buffer": (
        ("send_buffer", "x"),
        ("client_send_buffer", "x"),
        ("server_send_buffer", "x"),
    ),
    "congestion_window": (
        ("path_lost_packets", ""),
        ("path_lost_packets_back", ""),
        ("initial_window", "X"),
        ("client_initial_window", "X"),
        ("server_initial_window", "X"),
    ),
    "loss_recovery": (("path_lost_packets", ""), ("path_lost_packets_back", "")),
    "drain": (("port_rate", "x"), ("drain_pause", "/")),
    "window_update": (("drain_latency", "/"),),
    "delayed_ack": (
        ("ack_latency", "/"),
        ("ack_frequency", "1"),
        ("server_delayed_ack", "1ms"),
        ("client_delayed_ack", "1ms"),
    ),
    "nagle": (("nagle", "false"), ("client_nagle", "false"), ("server_nagle", "false")),
    "application": (("write_time", "/"),),
    "client_application": (("client_time", "/"), ("turns", "c")),
    "server_application": (("server_time", "/"), ("turns", "s")),
    "round_trip": (("rtt", "/"),),
}
WINDOWS = ("receive_window", "server_window", "client_window")
FIRST_WINDOWS = ("device_first_window", "server_first_window", "client_first_window")


@dataclass(frozen=True)
class Relief:
    """A change, and what it brings."""

    limit: str
    change: Mapping[str, str]
    gain: float  # of the rate, as a fraction


def reliefs(
    bench: Bench, scenario: str, settings: Mapping[str, str], limits_s: Mapping[str, float]
) -> list[Relief]:
    """Try one change of each limit that has a part of the time; the largest gain is first."""
    whole = sum(limits_s.values()) or 1.0
    limits = [name for name, seconds in limits_s.items() if seconds >= SHARE * whole]
    tried = [(limit, change) for limit in limits if (change := relief(settings, scenario, limit))]
    points = [settings, *(dict(settings) | dict(change) for _, change in tried)]
    runs = bench.run(scenario, points, View(False, True, True))
    if runs[0] is None:
        return []
    before_s = runs[0].record["duration_s"]
    found = []
    for (limit, change), run in zip(tried, runs[1:], strict=True):
        if run is not None:
            gain = before_s / run.record["duration_s"] - 1
            found.append(Relief(limit, change, _gain(limit, gain, limits_s, whole)))
    return sorted(found, key=lambda each: -each.gain)


def _gain(limit: str, gain: float, limits_s: Mapping[str, float], whole_s: float) -> float:
    """Half the delay shortens every wait for an answer: of it counts what was charged to the
    way."""
    if limit != "round_trip":
        return gain
    part = limits_s[limit] / whole_s / EASED
    return min(gain, part / (1 - part))


def main_limit(found: list[Relief], limits_s: Mapping[str, float]) -> str:
    """The limit with most of the time among those whose relief brings something, which is a part of
    what the best one brings; with most of the time of all where none brings much."""
    limits_s = dict(limits_s)
    if "drain" in limits_s:  # a wait for a window update waits for the reader, too
        limits_s["drain"] += limits_s.pop("window_update", 0.0)
    best = max((each.gain for each in found), default=0.0)
    helps = {each.limit for each in found if best >= GAIN and each.gain >= HELPS * best}
    return max(limits_s, key=lambda name: (name in helps, limits_s[name]))


def relief(settings: Mapping[str, str], scenario: str, limit: str) -> dict[str, str]:
    """Return the change that eases a limit; empty where the system has no number for it."""
    changed: dict[str, str] = {}
    for key, how in TABLE.get(limit, ()):
        if key not in settings:
            continue
        new = _eased(settings, scenario, key, how)
        if new is not None and new != settings[key]:
            changed[key] = new
    if any(map(changed.get, WINDOWS)):
        changed |= {first: "0" for first in FIRST_WINDOWS if first in settings}
        changed |= {each: "auto" for each in settings if each.endswith("window_scale")}
    return changed


def _eased(settings: Mapping[str, str], scenario: str, key: str, how: str) -> str | None:
    text = settings[key]
    if key == "turns":
        return scaled_turns(text, how, 1 / EASED)
    if how not in FACTORS:
        return how
    parameter = declaration(scenario).parameter(key)
    number = smallest(parameter, for_programs(text))
    eased = number * FACTORS[how]
    unit = {"time": "ns", "data-rate": "bps"}.get(parameter.type, "")
    return f"{max(round(eased), 1)}{unit}"


def scaled_turns(turns: str, end: str, ratio: float) -> str:
    """Return a list of turns with the waits of one end ("c" or "s") longer by a factor."""
    return re.sub(rf"{end}(\d+):", lambda found: f"{end}{round(int(found[1]) * ratio)}:", turns)
