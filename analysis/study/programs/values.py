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

from study.base.errors import Refused, unknown
from study.base.units import for_readers
from study.programs.canonical import Answer, canonical
from study.programs.declaration import Parameter

NUMBERS = {"time": "ns", "data-rate": "bps", "integer": "", "real": ""}  # and their smallest units
SECOND = 1e9  # of a time's smallest unit
# What a number can be alone. A larger window needs window scaling at both ends, a larger segment a
# path that carries it.
UNSCALED_LIMITS = {
    "receive_window": 65535,
    **{f"{end}_window": 65535 for end in ("host", "client", "server")},
    **{f"{prefix}mss": 1460 for prefix in ("", "client_", "server_", "device_")},
}
# What a column's name ends in; a bare count, a choice and a boolean have no unit.
SUFFIXES = {"s": "s", "B": "B", "bit/s": "bps", "B/s": "Bps"}


class Value(NamedTuple):  # there are as many as points
    """`text` is canonical; `number` is in seconds, bits per second or as it stands, or the name of
    a choice."""

    text: str
    number: float | int | bool | str


def column(key: str, unit: str) -> str:
    """A column's name, with its unit: receive_window_B."""
    return f"{key}_{SUFFIXES[unit]}" if unit in SUFFIXES else key


def read(parameter: Parameter, given: object) -> Value:
    """A value as somebody gave it."""
    return read_many([(parameter, given)])[0]


def read_many(given: Sequence[tuple[Parameter, object]]) -> list[Value]:
    """The same of many, which are one question to the program. Raises the first refusal."""
    return [_value(*each) for each in zip(given, _answers(given), strict=True)]


def from_smallest(parameter: Parameter, number: float) -> Value:
    """A number in ns, bit/s or as it stands as a value."""
    return from_many(parameter, [number])[0]


def from_many(parameter: Parameter, numbers: Iterable[float]) -> list[Value]:
    """The same of many."""
    return read_many([(parameter, _text(parameter, number)) for number in numbers])


def of_integers(parameter: Parameter, numbers: Iterable[int]) -> list[Value]:
    """The same of many for a whole number; a sweep's range may have a million, and the program is
    asked only for one that it refuses."""
    low, high = limits(parameter)
    return [
        Value(str(number), number) if low <= number <= high else from_smallest(parameter, number)
        for number in numbers
    ]


def readable(parameter: Parameter, text: str) -> str:
    """A value in the largest unit of which it is at least one: 116.4074ms."""
    return _answer(parameter, text).get("short", text)


def for_a_reader(parameter: Parameter, text: str) -> str:
    """The same with its unit: 2920 B, 17µs; an empty list is none."""
    return for_readers(parameter.with_unit(readable(parameter, text))) or "none"


def from_base(parameter: Parameter, number: float) -> Value:
    """A number in the unit that tables have: seconds, bits per second, bytes or none."""
    return from_bases(parameter, [number])[0]


def from_bases(parameter: Parameter, numbers: Iterable[float]) -> list[Value]:
    """The same of many."""
    size = SECOND if parameter.type == "time" else 1.0
    return from_many(parameter, [number * size for number in numbers])


@cache
def limits(parameter: Parameter) -> tuple[float, float]:
    """The smallest and the largest value, in ns, bit/s or as they stand."""
    low, high = parameter.min, parameter.max
    return (
        smallest(parameter, low) if low else -math.inf,
        smallest(parameter, high) if high else math.inf,
    )


def is_number(parameter: Parameter) -> bool:
    """Whether a range of it makes sense."""
    return parameter.type in NUMBERS


def scaled(
    parameter: Parameter, text: str, factor: float, beside: Mapping[str, str] | None = None
) -> str:
    """So many times a value, canonical, as far as its range goes, or what it can be `beside` all
    the others; without them what it can be alone."""
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
    """The largest value that it can have alone, whose own value is this. With `beside`, all values,
    a window may be as large as the scaling that both ends offer."""
    high, beside = limits(parameter)[1], beside or {}
    key = "device_window" if parameter.key == "receive_window" else parameter.key
    shift = beside.get(f"{key}_scale", "none")
    peers = [text for other, text in beside.items() if other.endswith("_window_scale")]
    if shift != "none" and "none" not in peers:
        return high if shift == "auto" else min(high, UNSCALED_LIMITS[parameter.key] << int(shift))
    alone = UNSCALED_LIMITS.get(parameter.key, high)
    return min(high, alone) if own <= alone else high


def smallest(parameter: Parameter, text: str) -> float:
    """The number in ns, bit/s or as it stands, infinite for no limit; its range is not asked."""
    if parameter.word and text == parameter.word:
        return math.inf
    answer = _answer(parameter, text)
    if "number" not in answer:
        raise _refused(parameter, answer)
    return int(answer["number"]) if parameter.type == "integer" else answer["number"]


def _answers(given: Sequence[tuple[Parameter, object]]) -> list[Answer]:
    if not given:
        return []
    texts = [(parameter.flag, parameter.text(value)) for parameter, value in given]
    first = given[0][0]
    if not first.scenario:  # a host profile, which a sweep varies as if it were a parameter
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
        raise _refused(parameter, answer)
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
    """A number in the smallest unit as the program reads it."""
    if parameter.word and number == math.inf:
        return parameter.word
    whole = parameter.type == "integer" and math.isfinite(number)
    return f"{math.floor(number) if whole else float(number)!r}{NUMBERS[parameter.type]}"


def _refused(parameter: Parameter, answer: Answer) -> Refused:
    return parameter.refused(answer["error"])
