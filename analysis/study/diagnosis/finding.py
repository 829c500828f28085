# SPDX-License-Identifier: GPL-2.0-only
"""One number that a capture shows, as a system's file has it: the value, what it rests on, and the
packets that show it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from study.captures.connection import Connection

FINE_NS = 1000  # ticks of a clock that tells every time of the model
EXAMPLES = 3  # packet numbers that a source names
LEAST_S = 1e-7  # finer than any stamp; the model's times are none of them 0
TICKS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
TIMES = (("s", 1e9), ("ms", 1e6), ("us", 1e3), ("ns", 1.0))


@dataclass(frozen=True)
class Finding:
    """A parameter of the model, with its evidence. A bound has the end that is known, or both."""

    key: str
    value: object
    unit: str
    basis: str  # "measured", "derived", "bound" or "assumed"
    source: str
    packets: tuple[int, ...] = ()
    low: float | None = None  # in the value's unit
    high: float | None = None

    @property
    def text(self) -> str:
        """The value with its unit, as a reader has it."""
        shown = str(self.value).lower() if isinstance(self.value, bool) else str(self.value)
        return shown if self.unit in ("", "1") else f"{shown} {self.unit}"


@dataclass(frozen=True)
class NotModelled:
    """What the transfer has and the model has not, and the parameters whose change would rest on
    it; none named: any change would."""

    name: str
    what: str
    blocks: tuple[str, ...] = ()
    packets: tuple[int, ...] = ()


def named(numbers: Iterable[int]) -> str:
    """Packets by the first of their numbers: "packets 4, 7, 9 and 120 more"."""
    every = [int(number) for number in numbers]
    shown = ", ".join(map(str, every[:EXAMPLES]))
    more = len(every) - EXAMPLES
    what = "packet" if len(every) == 1 else "packets"
    return f"{what} {shown}" + (f" and {more:,} more" if more > 0 else "")


def in_time(seconds: float) -> tuple[float, str]:
    """A time as a file has it: in the unit that leaves it between 1 and 1000, to a tenth of a
    microsecond, which is finer than any stamp."""
    ns = round(max(seconds, 0.0) * 1e9 / 100) * 100
    for unit, size in TIMES[:-1]:
        if ns >= size:
            return _short(round(ns / size, 7)), unit
    return _short(round(ns / 1e3, 1)), "us"


def in_seconds(finding: Finding) -> float:
    """A finding that is a time."""
    return float(finding.value) * dict(TIMES)[finding.unit] / 1e9


def time_text(seconds: float) -> str:
    """The same as one text, to four digits, for a sentence."""
    value, unit = in_time(seconds)
    return f"{value:.4g} {unit}"


def in_rate(bits_per_second: float) -> tuple[float, str]:
    """A data rate as a file has it, to four digits."""
    for unit, size in (("Gbps", 1e9), ("Mbps", 1e6), ("kbps", 1e3)):
        if bits_per_second >= size:
            return _short(float(f"{bits_per_second / size:.4g}")), unit
    return _short(float(f"{bits_per_second:.4g}")), "bps"


def _short(number: float) -> float:
    return int(number) if number == int(number) else number


def timed(
    key: str,
    seconds: float,
    basis: str,
    source: str,
    packets: Sequence[int] | np.ndarray = (),
    low_s: float | None = None,
    high_s: float | None = None,
) -> Finding:
    """A finding that is a time; its bounds in the same unit."""
    value, unit = in_time(max(seconds, LEAST_S))
    size = dict(TIMES)[unit] / 1e9
    ends = [None if each is None else float(f"{each / size:.6g}") for each in (low_s, high_s)]
    return Finding(key, value, unit, basis, source, some(packets), *ends)


def some(numbers: Sequence[int] | np.ndarray) -> tuple[int, ...]:
    """The first few."""
    return tuple(int(number) for number in numbers[: EXAMPLES * 3])


def share(limits_s: Mapping[str, float], *names: str) -> float:
    """Which part of all the time went to these."""
    total_s = sum(limits_s.values())
    return sum(limits_s.get(name, 0.0) for name in names) / total_s if total_s else 0.0


def as_the_clock_tells(finding: Finding, connection: Connection) -> Finding | None:
    """A time below the ticks of the capture's clock is a bound; without times there is none, and no
    rate."""
    sizes = dict(TIMES)
    if connection.duration_s <= 0:
        known = finding.unit not in sizes and not finding.unit.endswith("bps")
        return finding if known or finding.basis == "assumed" else None
    tick_ns = connection.resolution_ns
    if tick_ns <= FINE_NS or finding.unit not in sizes or finding.basis == "assumed":
        return finding
    size = sizes[finding.unit]
    if float(finding.value) * size >= 2 * tick_ns:
        return finding
    source = f"{finding.source}; the clock ticks every {time_text(tick_ns / 1e9)}: at most that"
    high = float(f"{max(tick_ns / size, float(finding.value)):.6g}")
    return replace(finding, basis="bound", source=source, low=None, high=high)
