# SPDX-License-Identifier: GPL-2.0-only
"""Systems that give a capture's packets nearly as well as the nearest one: what a change brings is
told as an interval over all of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from study.base.errors import StudyError
from study.diagnosis.bench import Bench
from study.diagnosis.fit import STEPS, Fitted, Target, simulated
from study.diagnosis.tried_reliefs import Relief, reliefs
from study.programs import values
from study.programs.declaration import declaration

NEAR = 2.0  # times the least distance: what lies farther is hardly ever the right one
NOISE = 0.005  # the same, added: a kernel's own runs lie as far apart
TELLS = 1.5  # largest over least predicted rate; an interval that is wider says nothing
MOST = 12  # systems: each is a run, and one more a change
FURTHER = (3.0, 10.0, 100.0, 2000.0)  # as STEPS, of what may be next to nothing
# Numbers that a transfer may leave open, as another limit hides them; the widest open ones first.
HIDDEN = dict.fromkeys(("command_write_time", "reply_write_time"), FURTHER) | dict.fromkeys(
    ("path_rate", "rtt", "port_rate", "send_buffer", "server_time", "client_time"), STEPS
)


@dataclass(frozen=True)
class Nearby:
    """Near systems and their gains, simulated on first use: the sentence of a phase and a figure of
    its limits do not need them."""

    bench: Bench
    target: Target
    found: tuple[Fitted, ...]  # that run, the nearest first
    tried: tuple[Fitted, ...]
    eased: tuple[Relief, ...]  # of the nearest

    @cached_property
    def systems(self) -> tuple[Fitted, ...]:
        """The nearest system, and all that fit nearly as well."""
        with self.bench:
            return tuple(near_systems(self.bench, self.target, self.found, self.tried))

    @cached_property
    def ranges(self) -> dict[str, tuple[float, float]]:
        """The least and the largest gain over the near systems, by limit. The gain is 0 in a system
        that has next to no time of that limit, or only in the other direction of the path."""
        others, ranges = self.systems[1:], {}
        with self.bench:
            gains_of = [self._gains(each) for each in others]
        for each in self.eased:
            gains = [each.gain, *(gains.get(each.place, 0.0) for gains in gains_of)]
            low, high = interval(self.found[0], [1 + gain for gain in gains])
            ranges[each.limit] = low - 1, high - 1
        return ranges

    @property
    def runs(self) -> int:
        """The number of simulations so far, of the fit and of the near systems."""
        return self.bench.runs

    def _gains(self, fitted: Fitted) -> dict[tuple[str, bool], float]:
        scenario, limits_s = fitted.candidate.scenario, fitted.run.limits_s
        eased = reliefs(self.bench, scenario, fitted.settings, limits_s)
        return {each.place: each.gain for each in eased}


def agree(*rates: float) -> bool:
    """Return whether rates that systems predict lie close enough together to say anything."""
    return max(rates) <= TELLS * min(rates)


def near_systems(
    bench: Bench, target: Target, found: Sequence[Fitted], tried: Sequence[Fitted]
) -> list[Fitted]:
    """Return the nearest system and those that fit nearly as well: other candidates, and the
    nearest system with the least and the largest value of each of its hidden numbers."""
    best = found[0]
    reach = max(NEAR * best.distance, best.distance + NOISE)
    chosen = [best, *(each for each in found[1:] if each.distance <= reach)]
    own = [each for each in tried if each.candidate is best.candidate]
    own = [each for each in (*own, *_moved(bench, target, best)) if each.distance <= reach]
    for key in (key for key in HIDDEN if key in best.settings):
        ordered = sorted(own, key=lambda each: _number(each, key))
        chosen += [ordered[-1], ordered[0]]
    different: dict[tuple, Fitted] = {}
    for each in chosen:
        different.setdefault(tuple(sorted(each.settings.items())), each)
    return list(different.values())[:MOST]


def interval(best: Fitted, rates: Sequence[float]) -> tuple[float, float]:
    """Return the least and the largest prediction, widened by the distance of the best system."""
    return min(rates) * (1 - best.distance), max(rates) * (1 + best.distance)


def _moved(bench: Bench, target: Target, best: Fitted) -> Iterator[Fitted]:
    """Yield the nearest system with one number some times as large or small."""
    candidate = best.candidate
    declared = declaration(candidate.scenario)
    for key in (key for key in HIDDEN if key in best.settings):
        parameter = declared.parameter(key)
        for factor in (*HIDDEN[key], *(1 / step for step in HIDDEN[key])):
            try:
                text = values.scaled(parameter, best.settings[key], factor, best.settings)
            except StudyError:
                continue  # beyond what the program takes
            fixed = tuple(each for each in candidate.free if each.key != key)
            other = replace(candidate, settings=best.settings | {key: text}, free=fixed)
            yield from simulated(bench, target, other, [best.values])


def _number(fitted: Fitted, key: str) -> float:
    parameter = declaration(fitted.candidate.scenario).parameter(key)
    return values.read(parameter, fitted.settings[key]).number
