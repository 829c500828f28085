# SPDX-License-Identifier: GPL-2.0-only
"""Which parameters of a system matter: Morris's elementary effects (Technometrics 33, 1991, 161),
with SALib.

The method varies every number that the system's file or its host's profile gives, and every default
that alone changes the rate. Each stays within 20 % of its value. The numbers change one after the
other along a few random paths, so that each is tried from several sides. Choices, zeros and counts
below 3 stay unchanged, and so does the size of the job. The rate of a long job follows from its
beginning. An effect is the change of the rate in % for 1 % of the parameter. A remark replaces the
effect if the rate jumps, or if both neighbours of a value are slower. If 20 % change nothing, the
search for the next step goes up to 64 times and down to a 64th of the value.

```python
from study import systems
from study.trials.sensitivity import sensitivity

ranking = sensitivity(systems["hawking-hps1u"])
ranking.effects[0].key, ranking.effects[0].size
```
"""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from study.base.errors import StudyError
from study.programs import values
from study.programs.declaration import declaration
from study.system.system import System
from study.trials import numbers
from study.trials.job_sizes import counts_commands, draws_losses, of_size, sketched_B
from study.trials.numbers import SHARE, Step

if TYPE_CHECKING:
    import pandas as pd

PATHS = 4
MOST_STEPS = 12  # that the text shows
LEVELS = 4  # values of each parameter; SALib wants an even number
RANDOM_SEED = 1  # of the paths
NONE = 0.005  # a smaller effect changes the rate by less than 0.1 % over the whole 20 %
MORE_IS = {"faster": "faster", "slower": "slower", "both": "faster here, slower there"}
BOTH_WAYS = 0.5  # if the mean is this much smaller than the mean size, the effect has both signs


@dataclass(frozen=True)
class Effect:
    """Change of the rate in % for a change of a parameter by 1 %: its mean over the paths, the mean
    of its absolute value (`size`), and its standard deviation."""

    key: str
    value: str
    basis: str
    mean: float
    size: float
    spread: float

    @property
    def direction(self) -> str:
        """The effect of a larger value: faster, slower, both or nothing."""
        if self.size < NONE:
            return "nothing"
        if abs(self.mean) < BOTH_WAYS * self.size:
            return "both"
        return "faster" if self.mean > 0 else "slower"


@dataclass(frozen=True)
class Sensitivity:
    """The effects of a system's parameters, largest first."""

    system: System
    effects: tuple[Effect, ...]
    runs: int
    without_rate: int  # runs that did not finish; their rate counts as 0
    steps: tuple[Step, ...] = ()  # of parameters without effect within 20 %, nearest first
    no_slope: Mapping[str, str] = field(default_factory=dict)  # without a slope: the effect

    def table(self) -> "pd.DataFrame":
        """Return a data frame with a row for each parameter."""
        import pandas as pd

        made = pd.DataFrame(self.record()["effects"])
        made.insert(0, "system", self.system.name)
        return made

    def record(self) -> dict:
        """Return the ranking for a script."""
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
        headers = ("parameter", "value", "basis", "effect", "spread", "a larger value is")
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
            f"No effect of {NONE} or more, and no nearby step: {others}.",
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
        shown = [f"  {each.text}" for each in self.steps[:MOST_STEPS]]
        if self.steps[MOST_STEPS:]:
            shown.append(f"  and {len(self.steps) - MOST_STEPS} more: --format json lists them")
        within = f"These parameters have no effect within {SHARE * 100:.0f} %."
        return [f"{within} The nearest value with an effect:", *shown]


def sensitivity(system: System, steps: bool = True) -> Sensitivity:
    """Rank the parameters by Morris's method. With `steps`, search a wider range for parameters
    without effect within 20 %. Raise StudyError if the system gives fewer than two numbers."""
    from SALib.analyze import morris as analysis_of
    from SALib.sample import morris as paths

    ranges = _ranges(system, [*system.given, *_deciding_defaults(system)])
    if len(ranges) < 2:
        raise StudyError(f"{system.name} gives fewer than two numbers; there is nothing to rank")
    bounds = list(ranges.values())
    problem = {"num_vars": len(ranges), "names": list(ranges), "bounds": bounds}
    factors = paths.sample(problem, PATHS, num_levels=LEVELS, seed=RANDOM_SEED)
    found = numbers.rates([system, *_moved(system, ranges, factors)])
    if None in found:
        raise StudyError(f"{system.name}: its numbers do not go together where all are moved")
    import numpy as np  # after SALib: its extra has this one, too

    rates = np.array(found)
    if not rates[0]:
        raise StudyError(f"{system.name} has no rate that could change: {system.run().reason}")
    with warnings.catch_warnings():
        # Without any effect, SALib divides 0 by 0 for a confidence interval that is not used here.
        warnings.simplefilter("ignore", RuntimeWarning)
        found = analysis_of.analyze(
            problem, factors, 100 * rates[1:] / rates[0], num_levels=LEVELS, seed=RANDOM_SEED
        )
    effects = []
    for i, (key, (low, high)) in enumerate(ranges.items()):
        moved_pct = 100 * (high - low)  # SALib's effects are per whole range
        basis = system.settings[key].basis if key in system.settings else "default"
        basis = "given" if key in system.changes else basis
        sizes = (float(found[name][i]) / moved_pct for name in ("mu", "mu_star", "sigma"))
        effects.append(Effect(key, _shown(system, key), basis, *sizes))
    effects.sort(key=lambda each: (-each.size, each.key))
    counts = len(rates), int((rates == 0).sum())
    beside = _moved_alone(system, effects) if steps else ((), {})
    return Sensitivity(system, tuple(effects), *counts, *beside)


def _moved_alone(
    system: System, effects: Sequence[Effect]
) -> tuple[tuple[Step, ...], dict[str, str]]:
    """Return the steps of parameters without effect within 20 %, and the remark on each parameter
    without a slope."""
    moving = [each.key for each in effects if each.size >= NONE]
    still = [each.key for each in effects if each.size < NONE]
    found = numbers.next_steps(system, still) if still else []
    near = [each.key for each in found if abs(each.factor - 1) <= SHARE]
    # With random losses a neighbouring value has other losses.
    alone = {} if draws_losses(system) else numbers.islands(system, [*moving, *near])
    slopes = [key for key in moving if key not in alone]
    steps = tuple(each for each in found if each.key not in alone)
    return steps, alone | numbers.not_slopes(system, slopes)


def _deciding_defaults(system: System) -> list[str]:
    """Return the defaults of the program that alone change the rate."""
    declared = declaration(system.scenario).parameters
    left = numbers.movable(system, [key for key in declared if key not in system.given])
    return numbers.deciding(system, left, NONE * SHARE)


def measure(system: System) -> str:
    """Return the name of the rate that the effects refer to."""
    return "commands a second" if counts_commands(system) else "the whole job's throughput"


def _shown(system: System, key: str) -> str:
    """Return the value with its unit."""
    parameter = declaration(system.scenario).parameter(key)
    text = values.read(parameter, system.given.get(key, parameter.default)).text
    return parameter.with_unit(values.readable(parameter, text))


def _ranges(system: System, keys: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Return for each number the lowest and highest factor that the program accepts, given the
    system's other values: an MSS is limited by the MTU."""
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
    short = of_size(system, sketched_B(system))  # only to ask whether the program accepts them
    moved = [each for key, i in ends for each in _moved(short, [key], [[ranges[key][i]]])]
    for (key, i), its in zip(ends, numbers.rates(moved), strict=True):
        if its is None:
            ranges[key] = (1.0, ranges[key][1]) if i == 0 else (ranges[key][0], 1.0)
    return {key: (low, high) for key, (low, high) in ranges.items() if low < high}


def _moved(system: System, ranges: Iterable[str], rows: Iterable[Sequence[float]]) -> list[System]:
    """Return a system for each row of factors, one for each key of `ranges`."""
    declared, own = declaration(system.scenario), system.parameters()

    @cache  # the paths of Morris's method have few levels
    def text(key: str, factor: float) -> str:
        return values.scaled(declared.parameter(key), own[key], factor, own)

    return [
        system.with_(
            **{key: text(key, float(factor)) for key, factor in zip(ranges, row, strict=True)}
        )
        for row in rows
    ]
