# SPDX-License-Identifier: GPL-2.0-only
"""Changes of a system: those that a limit's reliefs stand for, and single moves of what it has."""

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import isfinite

from study.base.errors import StudyError
from study.kit.formula import OF_THE_RUN
from study.kit.link import CHOICE, other_link
from study.programs import values
from study.programs.declaration import Parameter, declaration
from study.programs.labels import spelt
from study.system.system import System

ONE_CHANGE = re.compile(r"(\w+)(\*|/|>=|=)(\S*)")
UNSCALED_B = 65535  # a larger window needs window scaling at both ends (RFC 7323, 2.2)
MEMORY_B = 2  # memory for a byte of data at most, in a send buffer that counts memory
SIZES = ("job_size", "file_size", "commands")  # the job's own size
OF_THE_JOB = (*SIZES, *OF_THE_RUN, CHOICE, "tcp", "protocol", "echo")
STEP = 2.0  # factor of a single change
SMALLER = (1.0, 0.5, 0.25)  # powers of a relief's factor that are tried
FEW_CHOICES = 4  # a parameter with more choices is a number in disguise
LARGER = ("B", "MHz")  # units of parameters of which more is usually faster
ON_OR_OFF = {"true": "on", "false": "off"}


@dataclass(frozen=True)
class Change:
    """One or more parameters changed together: their values as a user types them, and the limits
    that name this change as a relief."""

    before: System
    values: Mapping[str, str]
    limits: tuple[str, ...] = ()
    relief: str = ""  # as in the table of limits; empty for a single change
    said: str = ""  # its sentence, if it is not the usual one

    @property
    def system(self) -> System:
        """The changed system."""
        return self.before.with_(**self.values)

    @property
    def key(self) -> str:
        """The key of the first changed parameter."""
        return next(iter(self.values))

    @property
    def flag(self) -> str:
        """The change as flags of a command line."""
        return typed(self.before, self.values)

    @property
    def words(self) -> str:
        """The change as part of a sentence."""
        if self.said:
            return self.said
        parts = [self.said_of(key) for key in self.values]
        return parts[0] + (f", with {', '.join(parts[1:])}" if parts[1:] else "")

    def said_of(self, key: str) -> str:
        """Return the change of one parameter as part of a sentence."""
        parameter = declaration(self.before.scenario).parameter(key)
        return _said(parameter, self.before.parameters()[key], self.values[key])

    @property
    def is_of_losses(self) -> bool:
        """Whether it changes a loss parameter."""
        return any(map(is_of_losses, self.values))

    def smaller(self) -> Iterator["Change"]:
        """Yield the change, and the same with 1/2 and 1/4 of its factor's power where that differs.
        A smaller change can be answered where a larger one rests on a bound."""
        told = set()
        for power in SMALLER:
            each = self.grown(power)
            if each.values and each.flag not in told:
                told.add(each.flag)
                yield each

    def without(self, key: str) -> "Change":
        """Return the change without one of its parameters."""
        rest = {each: text for each, text in self.values.items() if each != key}
        return replace(self, values=rest)

    def only_first(self) -> "Change":
        """Return the change of the first parameter alone."""
        return replace(self, values={self.key: self.values[self.key]})

    def grown(self, times: float) -> "Change":
        """Return the change with its first factor raised to the power `times`."""
        return replace(self, values=relief(self.before, self.relief, times))


def typed(system: System, changed: Mapping[str, str]) -> str:
    """Return the values as flags of a command line."""
    declared = declaration(system.scenario)
    return " ".join(
        f"--{declared.parameter(key).flag} {shlex.quote(text)}" for key, text in changed.items()
    )


def _said(parameter: Parameter, own: str, new: str) -> str:
    name = spelt(parameter.key)
    if parameter.type == "boolean":
        return f"{name} {ON_OR_OFF[new]}"
    if not values.is_number(parameter):
        return f"{name} {values.beginning(new)}" if new else f"no {name}"
    text = values.read(parameter, new).text
    if not values.smallest(parameter, text):
        return f"no {name}"
    return f"{name} {' -> '.join(values.both_for_a_reader(parameter, own, text))}"


def first_key(text: str) -> str:
    """Return the key of the first parameter in a relief."""
    return ONE_CHANGE.match(text)[1]


def is_of_losses(key: str) -> bool:
    """Return whether a parameter sets losses."""
    return bool({"loss", "lost"} & set(key.split("_")))


def relief(system: System, text: str, times: float = 1) -> dict[str, str]:
    """Return the values that a relief gives in this system, with its first factor raised to the
    power `times`, empty if the first change has no effect here."""
    declared, own = declaration(system.scenario), system.parameters()
    parts = [ONE_CHANGE.fullmatch(each).groups() for each in text.split()]
    first = parts[0][0]
    if first not in own or other_link(declared.parameter(first), own):
        return {}
    new: dict[str, str] = {}
    for sign in ("=", "*/", ">="):  # a window is limited by window scaling, which is set first
        for key, own_sign, operand in parts:
            if own_sign not in (sign, *sign):
                continue
            beside = own | new
            choices = declared.parameter(key).choices
            if choices and operand not in choices:
                continue
            power = times if key == first else 1
            text = _value(declared.parameter(key), own_sign, operand, power, own, beside)
            if text != own[key]:
                new[key] = text
    if first not in new:
        return {}
    ordered = {key: new[key] for key, *_ in parts if key in new}
    sizes = [int(text) for key, text in ordered.items() if key.endswith("_window")]
    if max(sizes, default=0) <= UNSCALED_B:
        ordered = {key: text for key, text in ordered.items() if not key.endswith("_window_scale")}
    return {key: values.readable(declared.parameter(key), each) for key, each in ordered.items()}


def _value(
    parameter: Parameter,
    sign: str,
    operand: str,
    power: float,
    own: Mapping[str, str],
    beside: Mapping[str, str],
) -> str:
    text = own[parameter.key]
    if sign == "=":
        zero = operand == "0" and parameter.type == "time"
        return values.read(parameter, "0ns" if zero else operand).text
    if sign == ">=":
        rule = own.get(f"{parameter.key}_rule", "bytes")
        least = int(beside[operand]) * (1 if rule == "bytes" else MEMORY_B)
        return text if int(text) >= least else values.read(parameter, least).text
    if parameter.type == "turn-list":  # the operand's first letter is the end that waits
        return scaled_turns(text, operand[0], float(operand[1:]) ** -power)
    factor = float(own.get(operand, operand)) ** power
    return values.scaled(parameter, text, factor if sign == "*" else 1 / factor, beside)


def scaled_turns(turns: str, end: str, ratio: float) -> str:
    """Return a list of turns with the waits of one end ("c" or "s") multiplied."""
    return re.sub(rf"{end}(\d+):", lambda found: f"{end}{round(int(found[1]) * ratio)}:", turns)


def moves(system: System) -> Iterator[Change]:
    """Yield single changes: each other choice of a switch or a short list, and each number that the
    system or its hosts give, doubled or halved, whichever is usually faster; both where neither
    is."""
    declared, own = declaration(system.scenario), system.parameters()
    for key, parameter in declared.parameters.items():
        if key in OF_THE_JOB or other_link(parameter, own):
            continue
        for text in _moved(parameter, own, key in system.given):
            yield Change(system, {key: values.readable(parameter, text)})


def _moved(parameter: Parameter, own: Mapping[str, str], is_given: bool) -> Iterator[str]:
    text = own[parameter.key]
    if not values.is_number(parameter):
        choices = ("true", "false") if parameter.type == "boolean" else parameter.choices
        if len(choices) <= FEW_CHOICES:
            yield from (each for each in choices if each != text)
        return
    number = values.smallest(parameter, text)
    is_asked = is_given or parameter.type == "data-rate"  # ask whether a faster link helps
    if not is_asked or not number or not isfinite(number):
        return
    if is_of_losses(parameter.key):
        yield values.scaled(parameter, text, 0.0)
        return
    if parameter.type == "data-rate" or parameter.unit in LARGER:
        factors = (STEP,)
    elif parameter.type == "time" or "cycles" in parameter.key:
        factors = (1 / STEP,)
    else:
        factors = (STEP, 1 / STEP)
    for factor in factors:
        with_it = values.scaled(parameter, text, factor, own)
        if with_it != text:
            yield with_it


def fits(change: Change) -> bool:
    """Return whether the program accepts the values and the model covers the change."""
    try:
        return not change.system.rests_on_no_model(change.before)
    except StudyError:
        return False
