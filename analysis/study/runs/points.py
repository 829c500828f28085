# SPDX-License-Identifier: GPL-2.0-only
"""Points of a sweep: grids, lists that move together, Latin hypercubes, tables, and products of
these.

```python
from study.runs.points import grid, latin_hypercube, zipped

grid(receive_window="1024:65535:x2", ack_latency=["1ms", "10ms"])
zipped(receive_window=[1024, 2048], send_buffer=[2048, 4096])
hypercube = latin_hypercube(100, ack_latency="1ms:100ms:log", loss_to_host=(0, 0.1))
hypercube * grid(nagle=[True, False])
```

and `table(frame)` for the rows of a DataFrame.

A list of values may be a text: "1ms,10ms", and each part of it a range,

    LOW:HIGH:x2      LOW, twice that, ... up to HIGH
    LOW:HIGH:+10ms   LOW, 10 ms more, ... up to HIGH
    LOW:HIGH:5lin    5 values evenly apart, LOW and HIGH among them
    LOW:HIGH:5log    5 values in equal proportions

The first two end before HIGH where the parameter itself does.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from itertools import accumulate, repeat, takewhile
from operator import mul
from typing import TYPE_CHECKING

from study.base.errors import Refused, StudyError, unknown
from study.base.units import NUMBER
from study.programs import values
from study.programs.declaration import Declaration, Parameter
from study.programs.values import Value

if TYPE_CHECKING:
    import pandas as pd

Columns = dict[str, list[Value]]
FORMS = "LOW:HIGH:x2, LOW:HIGH:+STEP, LOW:HIGH:10lin or LOW:HIGH:10log"
MAX_POINTS = 100_000


@dataclass
class Limits:
    """The largest number of points, and notes for the user on how the points were made."""

    points: int = MAX_POINTS
    notes: list[str] = field(default_factory=list)

    def check(self, count: int) -> None:
        if count > self.points:
            raise StudyError(
                f"{count:,} points are more than {self.points:,}: vary less, or allow it with"
                f" --max-points {count} (max_points={count})"
            )


@dataclass(frozen=True)
class Points:
    """Points as the values of each parameter; `a * b` combines every point of a with every point of
    b."""

    columns: Callable[[Declaration, Limits], Columns]

    def __mul__(self, other: "Points") -> "Points":
        def columns(declared: Declaration, limits: Limits) -> Columns:
            outer, inner = self.columns(declared, limits), other.columns(declared, limits)
            for key in outer.keys() & inner.keys():
                raise StudyError(f"{declared.parameter(key).flag} is varied twice")
            limits.check(_count(outer) * _count(inner))
            return _product(outer, inner)

        return Points(columns)


def grid(**lists: object) -> Points:
    """Return every combination of the lists' values; the last list varies fastest."""

    def columns(declared: Declaration, limits: Limits) -> Columns:
        read = _read_lists(lists, declared, limits)
        limits.check(math.prod(map(len, read.values())))
        return reduce(_product, ({key: column} for key, column in read.items()), {})

    return Points(columns)


def zipped(**lists: object) -> Points:
    """Return the lists' first values, then their second ones, and so on; lengths must be equal."""

    def columns(declared: Declaration, limits: Limits) -> Columns:
        read = _read_lists(lists, declared, limits)
        lengths = {key: len(column) for key, column in read.items()}
        if len(set(lengths.values())) > 1:
            counts = ", ".join(f"{key} has {length}" for key, length in lengths.items())
            raise StudyError(f"lists that move together have to be equally long: {counts}")
        limits.check(max(lengths.values(), default=0))
        return read

    return Points(columns)


def latin_hypercube(count: int, *, random_seed: int = 1, **ranges: object) -> Points:
    """Return `count` points that cover each range evenly. A range is (low, high), "LOW:HIGH" or,
    logarithmic, "LOW:HIGH:log"."""

    def columns(declared: Declaration, limits: Limits) -> Columns:
        try:
            from scipy.stats import qmc
        except ImportError:
            raise StudyError("a Latin hypercube needs scipy: `./waf extras` fetches it") from None
        if count < 1 or not ranges:
            raise StudyError("a Latin hypercube needs a number of points above 0 and a range")
        limits.check(count)
        ends = {key: _ends(declared.parameter(key), given) for key, given in ranges.items()}
        cube = qmc.LatinHypercube(len(ends), rng=random_seed).random(count)
        return {
            key: [_between(declared.parameter(key), *ends[key], share) for share in shares]
            for key, shares in zip(ends, cube.T, strict=True)
        }

    return Points(columns)


def table(frame: "pd.DataFrame") -> Points:
    """Return the rows of a data frame. A column has a parameter's name, or that of a sweep's own
    table (ack_latency_s, in seconds)."""

    def columns(declared: Declaration, limits: Limits) -> Columns:
        limits.check(len(frame))
        if frame.empty:
            raise StudyError("the table of points is empty")
        with_unit = {
            values.column(key, parameter.unit): key
            for key, parameter in declared.parameters.items()
        }
        read: Columns = {}
        for name in map(str, frame.columns):
            key = name if name in declared.parameters else with_unit.get(name)
            if key is None:
                raise unknown("parameter", name, [*declared.parameters, *with_unit])
            if key in read:
                raise StudyError(f"{declared.parameter(key).flag} has two columns in the table")
            read[key] = _column(declared.parameter(key), frame[name])
        return read

    return Points(columns)


def _column(parameter: Parameter, given: "pd.Series") -> list[Value]:
    missing = given.isna()
    if missing.any():
        row = missing.argmax() + 1  # counted from 1
        raise StudyError(f"{given.name} has no value in row {row} of the table, below its heading")

    column = given.tolist()
    if given.name != parameter.key and values.is_number(parameter):
        return values.from_bases(parameter, map(float, column))
    return values.read_many([(parameter, value) for value in column])


def _read_lists(lists: Mapping[str, object], declared: Declaration, limits: Limits) -> Columns:
    read: Columns = {}
    for name, given in lists.items():
        parameter = declared.parameter(name)  # accepts short names as well
        if parameter.key in read:
            raise StudyError(f"{parameter.flag} is varied twice")
        read[parameter.key] = read_list(parameter, given, limits)
    return read


def _product(outer: Columns, inner: Columns) -> Columns:
    times, repeats = _count(inner), _count(outer)
    slow = {key: [v for v in column for _ in range(times)] for key, column in outer.items()}
    return slow | {key: column * repeats for key, column in inner.items()}


def _count(columns: Columns) -> int:
    """Return the number of points; without parameters it is one, the unchanged system."""
    return len(next(iter(columns.values()))) if columns else 1


def read_list(parameter: Parameter, given: object, limits: Limits) -> list[Value]:
    """Return the values of one parameter: one value, several, or a text of values and ranges."""
    if isinstance(given, str) and parameter.type in ("packet-list", "turn-list"):
        read = [values.read(parameter, given)]  # a single list
    elif isinstance(given, str):
        read = [
            value for part in given.split(",") for value in _part(parameter, part.strip(), limits)
        ]
    elif isinstance(given, Iterable):
        read = values.read_many([(parameter, value) for value in given])
    else:
        read = [values.read(parameter, given)]
    if not read:
        raise StudyError(f"{parameter.flag} has no values")
    return read


def _part(parameter: Parameter, text: str, limits: Limits) -> list[Value]:
    if ":" not in text:
        return [values.read(parameter, text)]

    def is_no_range(why: str) -> StudyError:
        return Refused(parameter.flag, f"{text!r} is no range{why}")

    form = re.fullmatch(r"([^:]+):([^:]+):(?:x([^:]+)|(\d+)(lin|log)|\+?([^:]+))", text)
    if not form or not values.is_number(parameter):
        raise is_no_range(f"; write {FORMS}")
    low_text, high_text, factor, count, spacing, step = form.groups()
    low_text, high_text = map(parameter.text, (low_text, high_text))
    low, high = (values.smallest(parameter, end) for end in (low_text, high_text))
    if not math.isfinite(high):
        raise is_no_range(f": {high_text} is no number")
    values.read(parameter, low_text)
    if low >= high:
        raise is_no_range(f": {low_text} is not below {high_text}")
    if spacing:
        values.read(parameter, high_text)
        limits.check(int(count))
        if int(count) < 2 or (spacing == "log" and low <= 0):
            raise is_no_range(": it takes 2 values or more, and log a start above 0")
        shares = [number / (int(count) - 1) for number in range(1, int(count) - 1)]
        inner = [_at(low, high, spacing == "log", share) for share in shares]
        return _distinct(parameter, [low, *inner, high])
    if factor:
        times = float(factor) if re.fullmatch(NUMBER, factor) else math.nan
        if not 1 < times < math.inf or low <= 0:
            raise is_no_range(": it takes a factor above 1 and a start above 0")
        limits.check(math.floor(math.log(high / low) / math.log(times)) + 1)
        multiples = accumulate(repeat(times), mul, initial=low)
        numbers = list(takewhile(lambda number: number <= high * (1 + 1e-12), multiples))
    else:
        step = values.smallest(parameter, parameter.text(step))
        if not step > 0:
            raise is_no_range(": its step has to be above 0")
        limits.check(math.floor((high - low) / step) + 1)
        last = math.floor((high - low) / step + 1e-9)
        numbers = [low + step * number for number in range(last + 1)]
    return _distinct(parameter, _allowed(parameter, text, numbers, limits))


def _allowed(parameter: Parameter, text: str, numbers: list[float], limits: Limits) -> list[float]:
    """Return the numbers within the parameter's range; note the omission of others."""
    top = values.limits(parameter)[1]
    inside = [number for number in numbers if number <= top]
    if len(inside) < len(numbers):
        over = parameter.with_unit(parameter.max)
        limits.notes.append(
            f"{parameter.flag}: {text} ends at {values.from_smallest(parameter, inside[-1]).text},"
            f" for the largest value is {over}"
        )
    return inside


def _distinct(parameter: Parameter, numbers: Iterable[float]) -> list[Value]:
    """Return the numbers as values, rounded to the parameter's type, each once."""
    if parameter.type == "integer":
        return values.of_integers(
            parameter, dict.fromkeys(math.floor(number + 0.5) for number in numbers)
        )
    found = values.from_many(parameter, numbers)
    return list({value.text: value for value in found}.values())


def _at(low: float, high: float, logarithmic: bool, share: float) -> float:
    return low * (high / low) ** share if logarithmic else low + (high - low) * share


def _ends(parameter: Parameter, given: object) -> tuple[float, float, bool]:
    parts = given.split(":") if isinstance(given, str) else list(given)
    logarithmic = len(parts) == 3 and parts[2] == "log"
    if len(parts) != 2 + logarithmic or not values.is_number(parameter):
        message = f"{given!r} is no range of a Latin hypercube; write LOW:HIGH or LOW:HIGH:log"
        raise Refused(parameter.flag, message)
    texts = [parameter.text(part) for part in parts[:2]]
    low, high = (values.smallest(parameter, text) for text in texts)
    values.read_many([(parameter, text) for text in texts])
    if low >= high or (logarithmic and low <= 0):
        raise Refused(parameter.flag, f"{given!r} is no range: LOW has to be below HIGH")
    return low, high, logarithmic


def _between(
    parameter: Parameter, low: float, high: float, logarithmic: bool, share: float
) -> Value:
    number = _at(low, high, logarithmic, share)
    return _distinct(parameter, [min(number, high)])[0]
