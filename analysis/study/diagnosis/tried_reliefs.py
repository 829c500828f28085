# SPDX-License-Identifier: GPL-2.0-only
"""Reliefs: for each limit what the table of limits has for it, tried on the system that was found.
The limit whose relief speeds the transfer up is its cause."""

from collections.abc import Mapping
from dataclasses import dataclass

from study.diagnosis.bench import Bench
from study.diagnosis.byte_curves import View
from study.programs import values
from study.programs.declaration import declaration
from study.system.system import System
from study.trials.reliefs import SMALLER, relief

SHARE = 0.05  # of the time, or of the rate: a limit with less is not tried, and is no cause
SHOWN = 0.01  # of the time, or of the rate; less is not worth a line, and no relief
HELPS = 0.2  # of the time that the best relief saves; one that saves less is not of the cause
WAY = ("rtt", "path_delay")


@dataclass(frozen=True)
class Relief:
    """A change, and what it brings."""

    limit: str
    change: Mapping[str, str]
    gain: float  # of the rate, as a fraction

    @property
    def is_of_return_path(self) -> bool:
        """Whether it is of the return path, which a bulk transfer's ACKs take."""
        return "path_rate_back" in self.change

    @property
    def place(self) -> tuple[str, bool]:
        """The limit that it relieves, and the direction of the path."""
        return self.limit, self.is_of_return_path


def reliefs(
    bench: Bench, scenario: str, settings: Mapping[str, str], limits_s: Mapping[str, float]
) -> list[Relief]:
    """Try the changes of each limit that has a part of the time; of each limit the best, and the
    largest gain first."""
    whole_s = sum(limits_s.values()) or 1.0
    tried = [
        (name, change)
        for name, time_s in limits_s.items()
        if time_s >= SHARE * whole_s
        for change in changes(settings, scenario, name)
    ]
    points = [settings, *(dict(settings) | change for _, change in tried)]
    before, *runs = bench.run(scenario, points, View(False, True, True))
    if before is None:
        return []
    best: dict[str, Relief] = {}
    for (name, change), run in zip(tried, runs, strict=True):
        if run is None:
            continue
        gain = before.record["duration_s"] / run.record["duration_s"] - 1
        if next(iter(change)) in WAY:
            gain = min(gain, _own_part(settings, scenario, change, limits_s[name] / whole_s))
        if name not in best or gain > best[name].gain:
            best[name] = Relief(name, change, gain)
    return sorted(best.values(), key=lambda each: -each.gain)


def changes(settings: Mapping[str, str], scenario: str, limit: str) -> list[dict[str, str]]:
    """Return what relieves a limit of this system, in small steps, which move no further limit into
    its place; none where it has no number for it."""
    told = declaration(scenario).limits
    system = System("", "", scenario, None, {}, ()).with_(**settings)
    texts = told[limit].reliefs if limit in told else ()
    return [new for text in texts if (new := relief(system, text, SMALLER[1]))]


def _own_part(
    settings: Mapping[str, str], scenario: str, change: Mapping[str, str], part: float
) -> float:
    """Return the gain of a shorter delay from the time of one limit alone.

    A shorter delay shortens every wait for an answer. Only the limit's part of the time counts."""
    (key, new), *_ = change.items()
    parameter = declaration(scenario).parameter(key)
    own, shorter = (values.smallest(parameter, text) for text in (settings[key], new))
    saved = part * (1 - shorter / own)
    return saved / (1 - saved)


def main_limit(found: list[Relief], limits_s: Mapping[str, float]) -> str:
    """Return the limit with most of the time among those whose relief brings something, and saves a
    part of the time that the best one saves; with most of the time of all where none brings
    much."""
    limits_s = dict(limits_s)
    if "drain" in limits_s:  # a wait for a window update waits for the reader, too
        limits_s["drain"] += limits_s.pop("window_update", 0.0)
    saved = {each.limit: _saved(each.gain) for each in found}
    best = max(saved.values(), default=0.0)
    helps = {name for name, time in saved.items() if time >= HELPS * best >= HELPS * _saved(SHOWN)}
    return max(limits_s, key=lambda name: (name in helps, limits_s[name]))


def _saved(gain: float) -> float:
    """Return the saved fraction of the time for a gain of the rate."""
    return gain / (1 + gain)
