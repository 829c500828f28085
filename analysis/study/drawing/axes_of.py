# SPDX-License-Identifier: GPL-2.0-only
"""Axis of a table's column: label, readable unit and scale, from the column's name and numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

from study.base.errors import StudyError, unknown
from study.drawing import bytes_axis, style
from study.drawing.style import Axes, Table
from study.programs.labels import spelt

# What a column's name ends in: units an axis may have, the smallest first, and how much each is.
UNITS = {
    "Bps": (("B/s", 1.0), ("kB/s", 1e3), ("MB/s", 1e6), ("GB/s", 1e9)),
    "bps": (("bit/s", 1.0), ("kbit/s", 1e3), ("Mbit/s", 1e6), ("Gbit/s", 1e9)),
    "s": (("µs", 1e-6), ("ms", 1e-3), ("s", 1.0)),
    "B": tuple((name, float(size)) for name, size in bytes_axis.UNITS.items()),
    "ms": (("µs", 1e-3), ("ms", 1.0), ("s", 1e3)),
}
WHOLE_B = 100_000  # in words, up to here bytes are counted one by one, as windows are given
SPAN = 20  # the largest over the smallest, from which an axis is logarithmic
MOST_TICKS = 9


@dataclass(frozen=True)
class Axis:
    """Axis of a column: label, unit and scale."""

    column: str
    words: str
    unit: str
    per: float
    log: bool

    @property
    def label(self) -> str:
        """The label with its unit, as "receive window (B)"."""
        return f"{self.words} ({self.unit})" if self.unit else self.words

    @property
    def is_bytes(self) -> bool:
        return self.column.endswith("_B")

    def shown(self, value: float) -> str:
        """Return a value in a sentence, with its unit."""
        if self.is_bytes and value <= WHOLE_B:
            return f"{digits(value)} B"
        return f"{digits(value / self.per)} {self.unit}".rstrip()


def digits(value: float) -> str:
    """Return a number with four significant digits, or all digits before the decimal point."""
    return f"{value:.4g}" if abs(value) < 1e4 else f"{value:.0f}"


def stem(column: str) -> str:
    """Return a column's name without its unit."""
    own, _, suffix = column.rpartition("_")
    return own if suffix in UNITS else column


def column_of(table: Table, name: str) -> str:
    """Return the column that is meant: its name, or without its unit."""
    name = name.replace("-", "_")
    if name in table.columns:
        return name
    found = [each for each in table.columns if stem(each) == name]
    if len(found) == 1:
        return found[0]
    raise unknown("column", name, list(table.columns))


def axis_of(table: Table, column: str) -> Axis:
    """Return the axis of a column, chosen by all numbers of the column."""
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    numbers = table[column].dropna()
    suffix = column.rpartition("_")[2]
    if is_bool_dtype(numbers.dtype) or not is_numeric_dtype(numbers.dtype):
        raise StudyError(f"column {column} has no numbers")
    units = UNITS.get(suffix, ())
    top = max((abs(float(each)) for each in numbers), default=0.0)
    positive = [float(each) for each in numbers if each > 0]
    log = bool(positive) and len(positive) == len(numbers) and top / min(positive) >= SPAN
    middle = (top * min(positive)) ** 0.5 if log else top
    unit, per = next(iter(units), ("", 1.0))
    for text, size in units:
        if middle >= size:
            unit, per = text, size
    if suffix == "B":
        unit, per = bytes_axis.unit_of(min(positive) if log else 0, top)
    return Axis(column, spelt(stem(column)), unit, per, log)


def dress(axes: Axes, way: str, axis: Axis, values: Sequence[float] = ()) -> None:
    """Set an axis's label, scale and ticks. `values` get ticks where there is room."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    its = axes.xaxis if way == "x" else axes.yaxis
    its.set_label_text(axis.label)
    if axis.log:
        axes.set(**{f"{way}scale": "log"})
        its.set_minor_formatter(NullFormatter())
    elif way == "y":
        axes.set_ylim(bottom=min(0, axes.get_ylim()[0]))
    its.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.10g}"))
    if axis.is_bytes:
        ends = (each * axis.per for each in its.get_view_interval())
        bytes_axis.dress(its, *ends, axis.per, axis.log)
    elif values and axis.log:
        at = apart([value / axis.per for value in sorted(set(values))])
        its.set_ticks(at, list(map(digits, at)))
        its.set_ticks([], minor=True)
    elif axis.log:
        decades(its)
    axes.grid(which="major", color="0.9", linewidth=0.5)


def decades(axis: object) -> None:
    """Set the ticks of a logarithmic axis: at 1, 2 and 5 over two decades or less, else at 1 and 3
    or at powers of ten."""
    from math import log10

    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    low, high = axis.get_view_interval()
    span = log10(high / low) if low > 0 else 0
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if span < 2 else (1, 3) if span < 4 else (1,)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    axis.set_minor_locator(NullLocator())


def apart(values: Sequence[float], most: int = MOST_TICKS) -> list[float]:
    """Return ascending values without those whose labels would touch on a logarithmic axis."""
    values = list(values)
    most -= most // 3 if style.narrow() else 0
    least = (values[-1] / values[0]) ** (1 / most) * 0.999
    kept = values[:1]
    for value in values[1:]:
        if value >= kept[-1] * least:
            kept.append(value)
    return kept
