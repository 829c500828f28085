# SPDX-License-Identifier: GPL-2.0-only
"""One-at-a-time changes around a system: what to try, in a reader's words, and the flag to type.

A scenario's module names the parameters that it makes sense to turn; their own values, units,
ranges and choices, and so the values to try, come from the run and the declaration.
"""

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from study.base.errors import StudyError
from study.kit.formula import OF_THE_RUN
from study.kit.link import other_link
from study.programs import values
from study.programs.declaration import Declaration, Parameter
from study.programs.labels import spelt
from study.system.hosts import hosts
from study.system.system import Result, System


@dataclass(frozen=True)
class Change:
    """One thing to try: what it is called, how it is typed, and the system with it."""

    words: str
    flag: str
    system: System


ON_OR_OFF = {"true": "on", "false": "off"}
# Of a parameter and all the run's values.
Values = Callable[[Parameter, Mapping[str, str]], Iterator[str]]
# Of all the run's values and the new one: what has to change with it, so that the job stays the
# same or the change can work.
Also = Callable[[Mapping[str, str], str], Mapping[str, str]]


@dataclass(frozen=True)
class Candidate:
    """A parameter to turn, and its new values, canonical. `words` has a place for the value where
    there are several; without the parameter `needs`, or with it at 0, the parameter means nothing;
    `needs` may also say which choice it takes ("link=frame-relay"). A candidate that `relieves`
    some limits is tried where the job waits for one of them."""

    key: str
    words: str
    values: Values
    needs: str = ""
    also: Also = lambda parameters, value: {}
    relieves: tuple[str, ...] = ()


def _scaled(factor: float) -> Values:
    def to(parameter: Parameter, run: Mapping[str, str]) -> Iterator[str]:
        yield values.scaled(parameter, run[parameter.key], factor, run)

    return to


def _others(parameter: Parameter, run: Mapping[str, str]) -> Iterator[str]:
    choices = ("true", "false") if parameter.type == "boolean" else parameter.choices
    yield from (choice for choice in choices if choice != run[parameter.key])


def _turned(to: Values) -> Callable[..., Candidate]:
    return lambda key, words, needs="": Candidate(key, words, to, needs)


# Of a number, a time or a rate: so many times as much.
twice, half, tenfold = _turned(_scaled(2.0)), _turned(_scaled(0.5)), _turned(_scaled(10.0))
# The other position of a switch, or each other choice.
other = _turned(_others)


def without(key: str, words: str) -> Candidate:
    """Turn it to 0, where it is not."""
    return Candidate(key, words, _scaled(0.0), key)


def to(
    key: str,
    words: str,
    value: str,
    also: Also = lambda parameters, value: {},
) -> Candidate:
    """Set it to a value that has a meaning of its own, and `also` what goes with it."""
    return Candidate(key, words, lambda parameter, run: iter([value]), also=also)


def losses(declared: Declaration, tried: Sequence[Candidate]) -> list[Candidate]:
    """Whatever else a link can lose, without it: a share, or a list of packets."""
    known = {candidate.key for candidate in tried}
    return [
        without(key, f"no {spelt(key)}")
        if values.is_number(parameter)
        else Candidate(key, f"no {spelt(key)}", lambda parameter, run: iter([""]), key)
        for key, parameter in declared.parameters.items()
        if {"loss", "lost"} & set(key.split("_")) and not parameter.choices and key not in known
    ]


def any_number(declared: Declaration) -> list[Candidate]:
    """What there is to try on a scenario that does not say: each number twice and half as large."""
    return [
        make(key, f"{words} {key.replace('_', ' ')}")
        for key, parameter in declared.parameters.items()
        if values.is_number(parameter) and key not in OF_THE_RUN
        for make, words in ((twice, "twice the"), (half, "half the"))
    ]


def of(
    system: System,
    declared: Declaration,
    result: Result,
    candidates: Sequence[Candidate],
) -> list[Change]:
    """The candidates that change something, in their order, and then the other host profiles.
    `result` is of a run of the system."""
    changes, parameters = [], result.parameters
    for candidate in candidates:
        if candidate.needs and not _is_met(candidate.needs, declared, parameters):
            continue
        if candidate.relieves and not any(map(result.limits_s.get, candidate.relieves)):
            continue
        parameter, own = declared.parameter(candidate.key), parameters[candidate.key]
        if other_link(parameter, parameters):
            continue
        for text in candidate.values(parameter, parameters):
            if text == own:
                continue
            value = values.readable(parameter, text)
            words = candidate.words.format(value=ON_OR_OFF.get(value, value))
            changed = {candidate.key: value, **candidate.also(parameters, text)}
            changes.append(Change(words, typed(declared, changed), system.with_(**changed)))
    return changes + _other_hosts(system)


def typed(declared: Declaration, changed: Mapping[str, str]) -> str:
    """The flags for some values."""
    return " ".join(
        f"--{declared.parameter(key).flag} {shlex.quote(value)}" for key, value in changed.items()
    )


def _other_hosts(system: System) -> list[Change]:
    """The system behind each judged profile that its scenario can use."""
    changes = []
    for name in hosts:
        if name == system.host:
            continue
        try:
            if hosts[name].unjudged:
                continue
            changed = system.with_host(name)
        except StudyError:  # a profile of parameters that this scenario does not have
            continue
        changes.append(Change(f"another host: {name}", f"--host {name}", changed))
    return changes


def _is_met(needs: str, declared: Declaration, parameters: Mapping[str, str]) -> bool:
    key, _, choice = needs.partition("=")
    value = values.read(declared.parameter(key), parameters[key])
    return value.text == choice if choice else bool(value.number)
