# SPDX-License-Identifier: GPL-2.0-only
"""An axis of bytes: its unit (B, KiB, MiB, GiB) and its ticks, at powers of two or multiples of
one."""

from math import ceil, floor, log2

from study.drawing import style

UNITS = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
FEW_B = 4096  # up to here single bytes are counted
MOST_TICKS = 9
LEAST_TICKS = 3
SLACK = 1e-9


def unit_of(low_B: float, high_B: float) -> tuple[str, int]:
    """Return the unit of an axis between these ends, and its bytes."""
    if high_B <= FEW_B:
        return "B", 1
    middle = (low_B * high_B) ** 0.5 if low_B > 0 else high_B
    fitting = [(name, size) for name, size in UNITS.items() if size <= middle]
    return fitting[-1] if fitting and fitting[-1][0] != "B" else ("KiB", UNITS["KiB"])


def powers(low_B: float, high_B: float) -> list[float]:
    """Return powers of two between the ends of a logarithmic axis, each second or third of them
    where there are too many; multiples of one where there are too few."""
    low, high = ceil(log2(low_B) - SLACK), floor(log2(high_B) + SLACK)
    if high - low + 1 < LEAST_TICKS:
        return multiples(low_B, high_B)
    most = MOST_TICKS - (MOST_TICKS // 3 if style.narrow() else 0)
    return [2.0**place for place in range(low, high + 1, ceil((high - low + 1) / most))]


def multiples(low_B: float, high_B: float) -> list[float]:
    """Return the multiples of a power of two between the ends of a linear axis."""
    step = 2.0 ** ceil(log2(max(high_B - low_B, SLACK) / (MOST_TICKS - 2)))
    first, last = ceil(low_B / step - SLACK), floor(high_B / step + SLACK)
    return [step * place for place in range(first, last + 1)]


def dress(axis: object, low_B: float, high_B: float, per: float = 0.0, log: bool = False) -> str:
    """Put ticks on an axis and return its unit; the data are in bytes, or in units of `per`."""
    from matplotlib.ticker import FuncFormatter

    unit, size = unit_of(low_B if log else 0, high_B)
    data = per or 1.0
    ticks = (powers if log else multiples)(low_B, high_B)
    axis.set_ticks([tick / data for tick in ticks])
    axis.set_ticks([], minor=True)
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value * data / size:,.10g}"))
    return unit
