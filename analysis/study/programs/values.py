# SPDX-License-Identifier: GPL-2.0-only
"""A parameter's value in its one canonical notation, and as a number for tables.

The canonical notation is the one in which a scenario's program echoes its parameters, so two texts
that mean the same ("10ms", "0.01s") are one point. Values are refused in the program's own words.
"""

import math
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from study.base.errors import StudyError
from study.base.units import NUMBER, UNITS, for_readers, parts
from study.programs.advice import advised
from study.programs.declaration import TEXTS, Parameter

FORMS = {"integer": "a whole number", "real": "a number"}
# What a number can be alone. A larger window needs window scaling at both ends, a larger segment a
# path that carries it.
ALONE = {
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
    """A value as somebody gave it, checked against the declaration."""
    if hasattr(given, "item"):  # numpy's
        given = given.item()
    if parameter.type == "integer" and isinstance(given, float) and given.is_integer():
        given = int(given)
    text = parameter.text(given).strip()
    if parameter.type in ("boolean", "choice"):
        allowed = parameter.choices or ("true", "false")
        if text not in allowed:
            message = f"{text!r} is not one of the choices"
            raise _refused(parameter, message)
        return Value(text, text if parameter.choices else text == "true")
    if parameter.type in TEXTS:
        canonical = _queue(text) if parameter.type == "queue-size" else _packets(text)
        if canonical is None:
            what = "the room of a queue" if parameter.type == "queue-size" else "a list of packets"
            raise _refused(parameter, f"{text[:80]!r} is not {what}")
        return Value(canonical, canonical)
    return from_smallest(parameter, smallest(parameter, text), text)


def from_smallest(parameter: Parameter, number: float, given: str | None = None) -> Value:
    """A number in ns, bit/s or as it stands as a value, checked against the range."""
    if parameter.word and number == math.inf:
        return Value(parameter.word, number)
    if parameter.type != "real":
        number = math.floor(number + (0.5 if parameter.type == "time" else 0))
    low, high = limits(parameter)
    if not low <= number <= high:
        text = given if given is not None else _text(parameter, number)
        raise _refused(parameter, f"{text} is out of range", _way_out(parameter, number))
    base = number / UNITS["time"]["s"] if parameter.type == "time" else number
    return Value(_text(parameter, number), base)


def of_integers(parameter: Parameter, numbers: Iterable[int]) -> list[Value]:
    """The same of many for a whole number; a sweep's range may have a million."""
    low, high = limits(parameter)
    return [
        Value(str(number), number) if low <= number <= high else from_smallest(parameter, number)
        for number in numbers
    ]


def readable(parameter: Parameter, text: str) -> str:
    """A canonical value in the largest unit of which it is at least one: 116.4074ms."""
    units = UNITS.get(parameter.type)
    number = smallest(parameter, text) if units else 0
    for unit, size in (units or {}).items():
        shorter = f"{number / size:.12g}{unit}"
        if number >= size and len(shorter) <= len(text):
            exact = "e" not in shorter and read(parameter, shorter).text == text
            return shorter if exact else text
    return text


def for_a_reader(parameter: Parameter, text: str) -> str:
    """The same with its unit: 2920 B, 17µs; an empty list is none."""
    return for_readers(parameter.with_unit(readable(parameter, text))) or "none"


def from_base(parameter: Parameter, number: float) -> Value:
    """A number in the unit that tables have: seconds, bits per second, bytes or none."""
    if not math.isfinite(number):
        raise _refused(parameter, f"{number} is no value")
    size = UNITS["time"]["s"] if parameter.type == "time" else 1.0
    return from_smallest(parameter, number * size)


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
    return parameter.type in (*UNITS, *FORMS)


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
        return high if shift == "auto" else min(high, ALONE[parameter.key] << int(shift))
    alone = ALONE.get(parameter.key, high)
    return min(high, alone) if own <= alone else high


def smallest(parameter: Parameter, text: str) -> float:
    """The number in ns, bit/s or as it stands, infinite for no limit; its range is not asked."""
    if parameter.word and text == parameter.word:
        return math.inf
    if parameter.type in UNITS:
        try:
            number, size = parts(parameter.type, text)
        except StudyError as error:
            raise _refused(parameter, str(error)) from None
        return number * size
    whole = parameter.type == "integer"
    if not re.fullmatch(r"[+-]?\d+" if whole else NUMBER, text):
        raise _refused(parameter, f"{text[:80]!r} is not {FORMS[parameter.type]}")
    return int(text) if whole else float(text)


def _text(parameter: Parameter, number: float) -> str:
    if parameter.type == "real":
        import numpy as np

        fixed = np.format_float_positional(number, trim="-")
        scientific = np.format_float_scientific(number, trim="-", exp_digits=2)
        return min(fixed, scientific, key=len)
    units = UNITS.get(parameter.type, {"": 1.0})
    for unit, size in units.items():
        if (number and number % size == 0) or size == 1:
            return f"{int(number // size)}{unit}"
    raise AssertionError("the smallest unit divides everything")


def _queue(text: str) -> str | None:
    """The room of a queue in packets or bytes, canonical; None if it is none."""
    match = re.fullmatch(r"(\d+)(p|B|kB|MB)", text)
    number = int(match[1]) * {"kB": 1000, "MB": 1_000_000}.get(match[2], 1) if match else 2**32
    return f"{number}{'p' if match[2] == 'p' else 'B'}" if number < 2**32 else None


def _packets(text: str) -> str | None:
    """Packet numbers in ascending order; None if these are none."""
    parts = text.split(",") if text else []
    if not all(re.fullmatch(r"\d{1,10}", part) and 0 < int(part) < 2**32 for part in parts):
        return None
    return ",".join(map(str, sorted(set(map(int, parts)))))


def _way_out(parameter: Parameter, number: float) -> str:
    """What to give instead of a value above the largest."""
    if not parameter.beyond or number <= limits(parameter)[1]:
        return ""
    return ", or " + parameter.beyond.replace("{twice}", _text(parameter, 2 * number)).replace(
        "=", " "
    )


def _refused(parameter: Parameter, message: str, way_out: str = "") -> StudyError:
    allowed = parameter.allowed()
    give = f"; give {allowed}{way_out}" if allowed else ""
    return StudyError(advised(f"{parameter.flag}: {message}{give}"))
