# SPDX-License-Identifier: GPL-2.0-only
"""A parameter's value in its one canonical notation, and as a number for tables.

The canonical notation is the one in which a scenario's program echoes its parameters, so two texts
that mean the same ("10ms", "0.01s") are one point. The program alone reads values, and refuses
them.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from study.base.errors import unknown
from study.base.units import UNITS, for_readers
from study.programs.canonical import Answer, canonical
from study.programs.declaration import Parameter

NUMBERS = {"time": "ns", "data-rate": "bps", "integer": "", "real": ""}  # with their smallest units
QUEUE = "queue-size"  # a type of parameters
MOST_IN_ONE_UNIT = 10_000  # larger numbers have a unit each
LONG_LIST = 60  # characters: a longer list is shown by its beginning
SECOND = 1e9  # in the smallest unit of a time
# Largest values of a parameter alone. A larger window needs window scaling at both ends, a larger
# segment a path with a larger MTU.
UNSCALED_LIMITS = {
    "receive_window": 65535,
    **{f"{end}_window": 65535 for end in ("host", "client", "server")},
    **{f"{prefix}mss": 1460 for prefix in ("", "client_", "server_", "device_")},
}
# Endings of column names; a count, a choice and a boolean have none.
SUFFIXES = {"s": "s", "B": "B", "bit/s": "bps", "B/s": "Bps"}


class Value(NamedTuple):  # a tuple, since there is one for each point
    """A value: `text` is canonical; `number` is in seconds, bit/s, the parameter's own unit, or the
    name of a choice."""

    text: str
    number: float | int | bool | str


def column(key: str, unit: str) -> str:
    """Return a column's name with its unit: receive_window_B."""
    return f"{key}_{SUFFIXES[unit]}" if unit in SUFFIXES else key


def read(parameter: Parameter, given: object) -> Value:
    """Return a value given by a user. Raise Refused if the program refuses it."""
    return read_many([(parameter, given)])[0]


def read_many(given: Sequence[tuple[Parameter, object]]) -> list[Value]:
    """Return the values with one request to the program. Raise Refused for the first refused."""
    return [_value(*each) for each in zip(given, _answers(given), strict=True)]


def from_smallest(parameter: Parameter, number: float) -> Value:
    """Return the value of a number in ns, bit/s or the parameter's own unit."""
    return from_many(parameter, [number])[0]


def from_many(parameter: Parameter, numbers: Iterable[float]) -> list[Value]:
    """Return the values of several numbers, as `from_smallest` does."""
    return read_many([(parameter, _text(parameter, number)) for number in numbers])


def of_integers(parameter: Parameter, numbers: Iterable[int]) -> list[Value]:
    """Return the values of several integers. A sweep's range may have a million, so the program is
    asked only about those out of range."""
    low, high = limits(parameter)
    return [
        Value(str(number), number) if low <= number <= high else from_smallest(parameter, number)
        for number in numbers
    ]


def readable(parameter: Parameter, text: str) -> str:
    """Return a value in the largest unit that makes it at least 1: 116.4074ms."""
    return _answer(parameter, text).get("short", text)


def beginning(text: str) -> str:
    """Return a list with its first two entries only, if it is a long one."""
    first, *others = text.split(",")
    if not others or len(text) <= LONG_LIST:
        return text
    return f"{first},{others[0]} and {len(others) - 1} more"


def for_a_reader(parameter: Parameter, text: str) -> str:
    """Return a value for people, with its unit: 2920 B, 17µs; "none" for an empty list."""
    return for_readers(parameter.with_unit(beginning(readable(parameter, text)))) or "none"


def both_for_a_reader(parameter: Parameter, own: str, new: str) -> tuple[str, str]:
    """Return both values of a change for people, in one unit: 4.7699ms and 1.192475ms. Two values
    of which one would be too long in the other's unit keep their own units."""
    units = UNITS.get(parameter.type, {})
    numbers = [smallest(parameter, text) for text in (own, new)] if units else []
    least, most = min(filter(None, numbers), default=0.0), max(numbers, default=0.0)
    unit = next((unit for unit, size in units.items() if least >= size), "")
    if not unit or most >= MOST_IN_ONE_UNIT * units[unit]:
        return for_a_reader(parameter, own), for_a_reader(parameter, new)
    first, second = (for_readers(f"{number / units[unit]:.15g}{unit}") for number in numbers)
    return first, second


def from_base(parameter: Parameter, number: float) -> Value:
    """Return the value of a number in a table's unit: seconds, bit/s, bytes or none."""
    return from_bases(parameter, [number])[0]


def from_bases(parameter: Parameter, numbers: Iterable[float]) -> list[Value]:
    """Return the values of several numbers, as `from_base` does."""
    size = SECOND if parameter.type == "time" else 1.0
    return from_many(parameter, [number * size for number in numbers])


@cache
def limits(parameter: Parameter) -> tuple[float, float]:
    """Return the smallest and the largest value, in ns, bit/s or the parameter's own unit."""
    low, high = parameter.min, parameter.max
    return (
        smallest(parameter, low) if low else -math.inf,
        smallest(parameter, high) if high else math.inf,
    )


def is_number(parameter: Parameter) -> bool:
    """Return whether the parameter's values are numbers."""
    return parameter.type in NUMBERS


def can_scale(parameter: Parameter) -> bool:
    """Return whether the parameter's values can be multiplied: numbers, and the room of a queue."""
    return is_number(parameter) or parameter.type == QUEUE


def scaled(
    parameter: Parameter, text: str, factor: float, beside: Mapping[str, str] | None = None
) -> str:
    """Return a value multiplied by `factor`, canonical, within its range and the limits that the
    other values (`beside`) set; without these, within UNSCALED_LIMITS."""
    if parameter.type == QUEUE:
        return f"{max(round(smallest(parameter, text) * factor), 1)}{text[-1]}"
    low = limits(parameter)[0]
    own = smallest(parameter, text)
    if own == math.inf:
        return text
    high = most(parameter, own, beside)
    number = own * factor
    if parameter.type == "integer":
        number = round(number)
    return from_smallest(parameter, min(max(number, low), high)).text


def most(parameter: Parameter, own: float, beside: Mapping[str, str] | None = None) -> float:
    """Return the largest value that a parameter can have alone; `own` is its present one. With
    `beside`, the other values, a window may use the scaling that both ends offer."""
    high, beside = limits(parameter)[1], beside or {}
    key = "device_window" if parameter.key == "receive_window" else parameter.key
    shift = beside.get(f"{key}_scale", "none")
    peers = [text for other, text in beside.items() if other.endswith("_window_scale")]
    if shift != "none" and "none" not in peers:
        return high if shift == "auto" else min(high, UNSCALED_LIMITS[parameter.key] << int(shift))
    alone = UNSCALED_LIMITS.get(parameter.key, high)
    return min(high, alone) if own <= alone else high


def smallest(parameter: Parameter, text: str) -> float:
    """Return the number in ns, bit/s or its own unit, infinite for no limit, without a check."""
    if parameter.type == QUEUE:
        return int(text[:-1])  # 100p or 64000B
    if parameter.word and text == parameter.word:
        return math.inf
    answer = _answer(parameter, text)
    if "number" not in answer:
        raise parameter.refused(answer["error"])
    return int(answer["number"]) if parameter.type == "integer" else answer["number"]


def _answers(given: Sequence[tuple[Parameter, object]]) -> list[Answer]:
    if not given:
        return []
    texts = [(parameter.flag, parameter.text(value)) for parameter, value in given]
    first = given[0][0]
    if not first.scenario:  # a host profile, which a sweep varies like a parameter
        return [_named(first, text) for _, text in texts]
    return canonical(first.scenario, texts)


def _named(parameter: Parameter, text: str) -> Answer:
    if text not in parameter.choices:
        raise unknown(parameter.key, text, parameter.choices)
    return {"text": text}


def _answer(parameter: Parameter, text: str) -> Answer:
    return _answers([(parameter, text)])[0]


def _value(given: tuple[Parameter, object], answer: Answer) -> Value:
    parameter = given[0]
    if "text" not in answer:
        raise parameter.refused(answer["error"])
    text = answer["text"]
    if parameter.word and text == parameter.word:
        return Value(text, math.inf)
    if not is_number(parameter):
        return Value(text, text == "true" if parameter.type == "boolean" else text)
    number = answer["number"]
    if parameter.type == "time":
        return Value(text, number / SECOND)
    return Value(text, number if parameter.type == "real" else int(number))


def _text(parameter: Parameter, number: float) -> str:
    """Return a number in the smallest unit as a text for the program."""
    if parameter.word and number == math.inf:
        return parameter.word
    whole = parameter.type == "integer" and math.isfinite(number)
    return f"{math.floor(number) if whole else float(number)!r}{NUMBERS[parameter.type]}"
