# SPDX-License-Identifier: GPL-2.0-only
"""Which parameters of a system matter: Morris's elementary effects (Technometrics 33, 1991, 161),
with SALib.

Every number that the system's file or its host's profile gives is moved within 20 % of its value,
one after the other along a few random paths through all of them, so that each is tried from several
sides. Choices and zeros have no 20 %, and a count below 3 cannot move by it: they stay. So does the
size of the job, of which the first 2 MB are run (two stalls, where one comes each megabyte). An
effect is given in % of the rate for 1 % of the parameter: 1 is in proportion, 0 is none.

```python
from study import systems
from study.runs.sensitivity import sensitivity

ranking = sensitivity(systems["hawking-hps1u"])
ranking.effects[0].key, ranking.effects[0].size
```
"""

import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from study.base.errors import StudyError
from study.programs import values
from study.programs.declaration import declaration
from study.runs.batch import run_batch
from study.system.system import System

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

SHARE = 0.2  # how far each value is moved, of itself
PATHS = 4
LEVELS = 4  # values of each parameter; SALib wants an even number
RANDOM_SEED = 1  # of the paths
SIZES = ("job_size", "file_size")  # of the job itself
LONGEST_B = 2_000_000  # hundreds of windows
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
        }

    def __str__(self) -> str:
        from tabulate import tabulate

        rows = [
            (e.key, e.value, e.basis, f"{e.size:.3f}", f"{e.spread:.3f}", MORE_IS[e.direction])
            for e in self.effects
            if e.size >= NONE
        ]
        headers = ("parameter", "value", "basis", "effect", "spread", "more of it is")
        others = ", ".join(each.key for each in self.effects if each.size < NONE) or "none"
        lines = [
            f"{self.system.name}: {self.system.title}",
            "",
            tabulate(rows, headers=headers, disable_numparse=True),
            "",
            f"Effect: % of {measure(self.system)} for 1 % of the parameter, each within"
            f" {SHARE:.0%} of its value ({self.runs} runs).",
            f"Below {NONE}: {others}.",
        ]
        if self.without_rate:
            lines.append(f"{self.without_rate} of the runs did not finish: a rate of none.")
        return "\n".join(lines)


def sensitivity(system: System) -> Sensitivity:
    """Move the system's numbers along Morris's paths and see what the rate does."""
    import numpy as np
    from SALib.analyze import morris as analysis_of
    from SALib.sample import morris as paths

    asked, system = system, _shortened(system)
    ranges = _ranges(system)
    if len(ranges) < 2:
        raise StudyError(f"{system.name} gives fewer than two numbers; there is nothing to rank")
    bounds = list(ranges.values())
    problem = {"num_vars": len(ranges), "names": list(ranges), "bounds": bounds}
    factors = paths.sample(problem, PATHS, num_levels=LEVELS, seed=RANDOM_SEED)
    flags = [system.with_(**_values(system, ranges, row)).flags() for row in factors]
    records = run_batch(system.scenario, [system.flags(), *flags], "what matters")
    rates = np.array([_rate(system, record) for record in records])
    if not rates[0]:
        raise StudyError(f"{system.name} has no rate that could change: {records[0]['reason']}")
    with warnings.catch_warnings():
        # Where nothing matters, SALib divides zero by zero for an interval that is not used here.
        warnings.simplefilter("ignore", RuntimeWarning)
        found = analysis_of.analyze(
            problem, factors, 100 * rates[1:] / rates[0], num_levels=LEVELS, seed=RANDOM_SEED
        )
    effects = []
    for i, (key, (low, high)) in enumerate(ranges.items()):
        moved_pct = 100 * (high - low)  # SALib's effects are for the whole range
        given = key in system.changes or key not in system.settings
        basis = "given" if given else system.settings[key].basis
        sizes = (float(found[name][i]) / moved_pct for name in ("mu", "mu_star", "sigma"))
        effects.append(Effect(key, _shown(system, key), basis, *sizes))
    effects.sort(key=lambda each: (-each.size, each.key))
    return Sensitivity(asked, tuple(effects), len(records), int((rates == 0).sum()))


def measure(system: System) -> str:
    """What the effects are effects on."""
    return "commands a second" if _counts_commands(system) else "the throughput"


def _counts_commands(system: System) -> bool:
    return "commands" in declaration(system.scenario).parameters


def _rate(system: System, record: Mapping) -> float:
    """Bytes a second; or, where more bytes a command are no gain, commands a second."""
    if record["outcome"] != "finished":
        return 0.0
    if _counts_commands(system):
        return float(record["parameters"]["commands"]) / record["duration_s"]
    return record["throughput_Bps"]


def _shortened(system: System) -> System:
    """With no more of the job than is needed: all that repeats itself has its rate by then."""
    long = [key for key in SIZES if key in system.settings]
    long = [key for key in long if float(system.given[key]) > LONGEST_B]
    return system.with_(**dict.fromkeys(long, LONGEST_B))


def _shown(system: System, key: str) -> str:
    """With its unit, which the text of a time or a data rate has already."""
    parameter = declaration(system.scenario).parameter(key)
    unit = parameter.unit if parameter.type in ("integer", "real") else ""
    return f"{system.given[key]} {unit}".removesuffix(" 1").rstrip()


def _ranges(system: System) -> dict[str, tuple[float, float]]:
    """Of each number, the lowest and highest factor on it, within what the program allows."""
    ranges = {}
    declared = declaration(system.scenario)
    for key in system.given:
        parameter = declared.parameter(key)
        if not values.is_number(parameter) or key in ("seed", *SIZES):
            continue
        value = values.smallest(parameter, system.given[key])
        if not value or (parameter.type == "integer" and abs(value) * SHARE < 0.5):
            continue
        least, most = values.limits(parameter)
        low, high = max(1 - SHARE, least / value), min(1 + SHARE, most / value)
        if low < high:
            ranges[key] = (low, high)
    return ranges


def _values(system: System, ranges: Mapping, factors: "np.ndarray") -> dict[str, str]:
    declared = declaration(system.scenario)
    return {
        key: values.scaled(declared.parameter(key), system.given[key], float(factor))
        for key, factor in zip(ranges, factors, strict=True)
    }
