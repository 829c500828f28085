# SPDX-License-Identifier: GPL-2.0-only
"""Which parameters of a system matter: Morris's elementary effects (Technometrics 33, 1991, 161).

Every number that alone changes the rate, given or a default, is moved within 20 % of its value, one
after the other along a few random paths through all of them, so that each is tried from several
sides. Choices and zeros have no 20 %, and a count below 3 cannot move by it: they stay. So does the
size of the job, of which the first 2 MB are run (two stalls, where one comes each megabyte). What
is moved alone and is no slope is told: a jump, and a value that is alone with its rate, as both its
neighbours are slower. An effect is given in % of the rate for 1 % of the parameter: 1 is in
proportion, 0 is none. Where 20 % do nothing the next step is looked for, up to 64 times and down to
a 64th of the value.

```python
from study import systems
from study.trials.sensitivity import sensitivity

ranking = sensitivity(systems["hawking-hps1u"])
ranking.effects[0].key, ranking.effects[0].size
```
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from random import Random
from statistics import mean, stdev
from typing import TYPE_CHECKING

from study.base.errors import StudyError
from study.programs import values
from study.programs.declaration import declaration
from study.runs.workers import lasting
from study.system.system import System
from study.trials import numbers
from study.trials.jobs import counts_commands, draws_losses, of_size, sketched_B
from study.trials.numbers import SHARE, Step

if TYPE_CHECKING:
    import pandas as pd

PATHS = 4
MOST = 12  # steps that the text shows
LEVELS, STEP = 4, 2 / 3  # values of each parameter, and of its range what one move is
RANDOM_SEED = 1  # of the paths
NONE = 0.005  # an effect below this is a change of less than 0.1 % for the whole 20 %
MORE_IS = {"faster": "faster", "slower": "slower", "both": "faster here, slower there"}
BOTH_WAYS = 0.5  # a mean this much smaller than the mean size: it helps here and harms there


@dataclass(frozen=True)
class Effect:
    """What 1 % of a parameter does to the rate, in %: the mean over the paths, of its size too, and
    its standard deviation."""

    key: str
    value: str
    basis: str
    mean: float
    size: float
    spread: float

    @property
    def direction(self) -> str:
        """What more of it does to the rate."""
        if self.size < NONE:
            return "nothing"
        if abs(self.mean) < BOTH_WAYS * self.size:
            return "both"
        return "faster" if self.mean > 0 else "slower"


@dataclass(frozen=True)
class Sensitivity:
    """The effects of a system's parameters, the largest first."""

    system: System
    effects: tuple[Effect, ...]
    runs: int
    without_rate: int  # how many of them did not finish, and count as a rate of none
    steps: tuple[Step, ...] = ()  # of what 20 % do nothing to, the nearest first
    no_slope: Mapping[str, str] = field(default_factory=dict)  # what is moved alone does instead

    def table(self) -> "pd.DataFrame":
        """One row a parameter."""
        import pandas as pd

        made = pd.DataFrame(self.record()["effects"])
        made.insert(0, "system", self.system.name)
        return made

    def record(self) -> dict:
        """For a script."""
        return {
            "system": self.system.name,
            "changes": self.system.changes,
            "effects": [asdict(each) | {"direction": each.direction} for each in self.effects],
            "runs": self.runs,
            "without_rate": self.without_rate,
            "steps": [asdict(each) for each in self.steps],
            "no_slope": dict(self.no_slope),
        }

    def __str__(self) -> str:
        from tabulate import tabulate

        rows = [
            (e.key, e.value, e.basis, f"{e.size:.3f}", f"{e.spread:.3f}", self._more_is(e))
            for e in self.effects
            if e.size >= NONE
        ]
        headers = ("parameter", "value", "basis", "effect", "spread", "more of it is")
        stepped = {*self.no_slope, *(each.key for each in self.steps)}
        little = [e.key for e in self.effects if e.size < NONE and e.key not in stepped]
        others = ", ".join(little) or "none"
        lines = [
            f"{self.system.name}: {self.system.title}",
            "",
            tabulate(rows, headers=headers, disable_numparse=True),
            "",
            f"Effect: % of {measure(self.system)} for 1 % of the parameter, each within"
            f" {SHARE * 100:.0f} % of its value ({self.runs} runs).",
            *(f"No slope, moved alone: {key}: {does}." for key, does in self.no_slope.items()),
            *self._further_away(),
            f"Below {NONE}, and no step near: {others}.",
        ]
        if draws_losses(self.system):
            lines.append("Losses are random, others in each run: some of this is chance.")
        if self.without_rate:
            lines.append(f"{self.without_rate} of the runs did not finish: a rate of none.")
        return "\n".join(lines)

    def _more_is(self, effect: Effect) -> str:
        return "no slope, see below" if effect.key in self.no_slope else MORE_IS[effect.direction]

    def _further_away(self) -> list[str]:
        if not self.steps:
            return []
        shown = [f"  {each.text}" for each in self.steps[:MOST]]
        if self.steps[MOST:]:
            shown.append(f"  and {len(self.steps) - MOST} more: --format json lists them")
        return [f"Nothing within {SHARE * 100:.0f} %, but further away, the nearest first:", *shown]


@lasting()
def sensitivity(system: System, steps: bool = True) -> Sensitivity:
    """Move the system's numbers along Morris's paths and see what the rate does; with `steps`, look
    further away for what that does not move."""
    asked, sketch, system = system, numbers.sketch_of(system), numbers.shortened(system)
    given = numbers.movable(system, system.given)
    if len(given) < 2:
        raise StudyError(f"{system.name} gives fewer than two numbers; there is nothing to rank")
    ranges = _ranges(system, _deciding(system, sketch))
    paths = _paths(len(ranges))
    factors = [_within(ranges, row) for path in paths for row in path]
    moved = [system.with_(**_values(system, ranges, row)) for row in factors]
    found = numbers.rates([system, *moved])
    if None in found:
        raise StudyError(f"{system.name}: its numbers do not go together where all are moved")
    own, *rates = found
    if not own:
        raise StudyError(f"{system.name} has no rate that could change: {system.run().reason}")
    found = _elementary(paths, [100 * rate / own for rate in rates])
    effects = [_effect(system, key, [0.0, 0.0]) for key in given if key not in ranges]
    for (key, (low, high)), each in zip(ranges.items(), found, strict=True):
        each = [effect / (100 * (high - low)) for effect in each]  # they are for the whole range
        effects.append(_effect(system, key, each))
    effects.sort(key=lambda each: (-each.size, each.key))
    # Where losses are random, a neighbour is another seed.
    apart = steps and not draws_losses(system)
    alone = numbers.islands(sketch, ranges) if apart else {}
    effects_beside = [each for each in effects if each.key not in alone and steps]
    still = [each.key for each in effects_beside if each.size < NONE]
    found = tuple(numbers.next_steps(sketch, still)) if still else ()
    moving = [each.key for each in effects_beside if each.size >= NONE]
    no_slope = alone | numbers.not_slopes(sketch, moving)
    counts = len(rates) + 1, rates.count(0)
    return Sensitivity(asked, tuple(effects), *counts, found, no_slope)


def _effect(system: System, key: str, each: Sequence[float]) -> Effect:
    basis = system.settings[key].basis if key in system.settings else "default"
    basis = "given" if key in system.changes else basis
    told = mean(each), mean(map(abs, each)), stdev(each)
    return Effect(key, _shown(system, key), basis, *told)


Path = list[list[float]]  # points from 0 to 1 in each parameter, of which one moves a step


def _paths(count: int) -> list[Path]:
    """Morris's, drawn (Morris: Factorial sampling plans for preliminary computational experiments,
    Technometrics 33(2), 1991): each parameter moves once, by two thirds of its range."""
    drawn = Random(RANDOM_SEED)
    paths = []
    for _ in range(PATHS):
        point = [drawn.randrange(LEVELS) / (LEVELS - 1) for _ in range(count)]
        path = [point]
        for place in drawn.sample(range(count), count):
            path.append(point := [*point])
            point[place] += STEP if point[place] < 0.5 else -STEP
        paths.append(path)
    return paths


def _within(ranges: Mapping[str, tuple[float, float]], row: Sequence[float]) -> list[float]:
    return [low + at * (high - low) for (low, high), at in zip(ranges.values(), row, strict=True)]


def _elementary(paths: Sequence[Path], rates: Iterable[float]) -> list[list[float]]:
    """Of each parameter what its whole range would do, once for each path."""
    found: list[list[float]] = [[] for _ in paths[0][0]]
    left = iter(rates)
    for path in paths:
        rated = [(row, next(left)) for row in path]
        for (row, rate), (moved, then) in pairwise(rated):
            both = enumerate(zip(row, moved, strict=True))
            place = next(at for at, (before, after) in both if before != after)
            found[place].append((then - rate) / (moved[place] - row[place]))
    return found


def _deciding(system: System, sketch: System) -> list[str]:
    """Numbers that alone change the rate: whoever gave them that of a sketch, those that somebody
    gave that of the longer job, too, which may have a pause that the sketch has not."""
    keys = numbers.movable(system, declaration(system.scenario).parameters)
    found = numbers.effects(sketch, keys)
    left = [key for key in keys if key in system.given and abs(found[key]) < NONE * SHARE]
    longer = numbers.ratios(system, dict.fromkeys(left, (1 + SHARE,)))
    found |= {key: its - 1 for key, there in longer.items() for its in there.values()}
    return [key for key in keys if abs(found[key]) >= NONE * SHARE]


def measure(system: System) -> str:
    """What the effects are effects on."""
    return "commands a second" if counts_commands(system) else "the throughput"


def _shown(system: System, key: str) -> str:
    """With its unit, which the text of a time or a data rate has already."""
    parameter = declaration(system.scenario).parameter(key)
    unit = parameter.unit if parameter.type in ("integer", "real") else ""
    text = system.given.get(key, parameter.default)
    return f"{text} {unit}".removesuffix(" 1").rstrip()


def _ranges(system: System, keys: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Of each number, the lowest and highest factor on it, within what the program allows: beside
    the system's other values, too, as an MSS is bounded by the MTU."""
    ranges = {}
    declared, own = declaration(system.scenario), system.parameters()
    for key in numbers.movable(system, keys):
        parameter = declared.parameter(key)
        value = values.smallest(parameter, own[key])
        least, most = values.limits(parameter)
        low, high = max(1 - SHARE, least / value), min(1 + SHARE, most / value)
        if low < high:
            ranges[key] = (low, high)
    ends = [(key, i) for key in ranges for i in (0, 1)]
    short = of_size(system, sketched_B(system))  # only whether the program takes them is asked
    moved = [short.with_(**_values(system, {key: ()}, [ranges[key][i]])) for key, i in ends]
    for (key, i), its in zip(ends, numbers.rates(moved), strict=True):
        if its is None:
            ranges[key] = (1.0, ranges[key][1]) if i == 0 else (ranges[key][0], 1.0)
    return {key: (low, high) for key, (low, high) in ranges.items() if low < high}


def _values(system: System, ranges: Mapping, factors: Sequence[float]) -> dict[str, str]:
    declared, own = declaration(system.scenario), system.parameters()
    return {
        key: values.scaled(declared.parameter(key), own[key], float(factor), own)
        for key, factor in zip(ranges, factors, strict=True)
    }
