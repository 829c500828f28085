# SPDX-License-Identifier: GPL-2.0-only
"""Random systems over the parameters of all scenarios, the n-th the same in every run. Answers are
tested on them as well as on the systems that somebody described."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import isfinite
from random import Random

from study.base.errors import StudyError
from study.base.project import scenarios
from study.kit.link import CHOICE, other_link
from study.kit.systems import systems
from study.programs import values
from study.programs.declaration import Parameter, declaration
from study.runs.batch import try_batch
from study.runs.outcomes import Failure
from study.system.hosts import hosts, profile_ends
from study.system.system import Result, System
from study.trials.reliefs import OF_THE_JOB, is_of_losses, typed

JOBS = {"job_size": (2e4, 2e6), "file_size": (2e4, 2e6), "commands": (3, 100)}  # in B, and a count
PATHS = {"rtt": (1e6, 6e8), "path_rate": (1e6, 1e9)}  # in ns and bit/s
LOSSES = (5e-4, 2e-2)
TIMES_NS = (1e5, 5e7)  # range of a time that the system's file does not give
REACH = 10.0  # range of a number: a tenth of its value to ten times it
MOST_CHANGED = 5
PROFILE, PATH = 0.5, 0.4  # probability of another host profile, and of a path as link
TRIES = 200  # attempts to find values that the program accepts and a job that finishes


@dataclass(frozen=True)
class Drawn:
    """A random system, the run of its whole job, and its flags."""

    number: int
    system: System
    result: Result
    flags: str


def drawn(count: int) -> Iterator[Drawn]:
    """Yield the first `count` systems, equally many of each scenario."""
    programs = sorted(scenarios())
    for number in range(count):
        yield _one(number, programs[number % len(programs)])


def _one(number: int, scenario: str) -> Drawn:
    random = Random(number)
    for _ in range(TRIES):
        system = _draw(random, scenario)
        try:
            (record,) = try_batch(scenario, [system.flags()], "drawn systems")
        except StudyError:  # a value is out of range
            continue
        if not isinstance(record, Failure) and record["outcome"] == "finished":
            return Drawn(number, system, system.result(record), _flags(system))
    raise StudyError(f"none of {TRIES} random {scenario} systems finishes")


def _draw(random: Random, scenario: str) -> System:
    """Return one of the scenario's systems with other host profiles, another path and some other
    parameters changed."""
    names = [name for name in [*systems, *systems.beside] if systems[name].scenario == scenario]
    system = replace(systems[random.choice(sorted(names))], not_modelled=(), measured=())
    declared = declaration(scenario)
    for end in profile_ends(declared):
        if random.random() < PROFILE:
            system = system.with_profile(end, random.choice(sorted(hosts)))
    if CHOICE in declared.parameters and random.random() < PATH:
        system = system.with_(**{CHOICE: "path"})
    own = system.parameters()
    given = {**JOBS, **(PATHS if own.get(CHOICE) == "path" else {})}
    changed = {
        key: _between(random, declared.parameter(key), *ends)
        for key, ends in given.items()
        if key in own
    }
    keys = [
        key
        for key, parameter in declared.parameters.items()
        if key not in (*OF_THE_JOB, *given) and not other_link(parameter, own)
    ]
    for key in random.sample(keys, random.randint(1, MOST_CHANGED)):
        text = _drawn(random, declared.parameter(key), own[key])
        changed |= {} if text is None else {key: text}
    return system.with_(**changed)


def _drawn(random: Random, parameter: Parameter, own: str) -> str | None:
    """Return a random value, or None for a parameter such as a list."""
    if parameter.type == "boolean" or parameter.choices:
        return random.choice(parameter.choices or ("false", "true"))
    if not values.is_number(parameter):
        return None
    if is_of_losses(parameter.key):
        return _between(random, parameter, *LOSSES)
    number = values.smallest(parameter, own)
    if not number and parameter.type == "time":
        return _between(random, parameter, *TIMES_NS)
    if not number or not isfinite(number):
        return None
    return _between(random, parameter, number / REACH, number * REACH)


def _between(random: Random, parameter: Parameter, least: float, most: float) -> str:
    """Return a random value on a logarithmic scale, within the parameter's range."""
    low, high = values.limits(parameter)
    number = min(max(least * (most / least) ** random.random(), low), high)
    if parameter.type != "real":
        number = round(number)
    return values.from_smallest(parameter, number).text


def _flags(system: System) -> str:
    """Return the flags that make the system from its file."""
    ends = {system.peer_end: system.peer} if system.peer else {}
    profiles = {"host": system.host, **ends}
    named = [f"--{end} {name}" for end, name in profiles.items() if name]
    return " ".join([system.name, *named, typed(system, system.changes)])
