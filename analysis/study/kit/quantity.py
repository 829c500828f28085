# SPDX-License-Identifier: GPL-2.0-only
"""Simulation and closed form of a measured figure: two of its three judges; the third is the
measurement.

Values are in the base unit of their kind: seconds, bytes, bytes per second, or a bare count.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from study.kit.formula import Form
from study.programs.segments import Segment
from study.system.measured import Measured
from study.system.measured_rows import Known
from study.system.system import Result

Judged, T = TypeVar("Judged"), TypeVar("T")
Simulated = Callable[[Result], float | None]


@dataclass(frozen=True)
class Quantity(Generic[Form]):
    """How a figure of one kind is read from a run, and its closed form. Simulated None: it did not
    occur. Closed form None: it does not hold for this job. `base` is the unit of both, one of
    units.MEASURED_BY_BASE."""

    simulated: Callable[[Result, Measured], float | None]
    closed_form: Callable[[Form, Measured], float | None]
    base: str = "s"


def alone(rule: Callable[[Judged], T]) -> Callable[[Judged, Measured], T]:
    """Return a rule that ignores the measured figure's row."""
    return lambda judged, _: rule(judged)


@dataclass(frozen=True)
class Judges(Generic[Form]):
    """All kinds of figures of a scenario, the parameters of its closed forms, and the segment
    table's names of both ends. The first end's clock is the table's."""

    form: type[Form]
    quantities: dict[str, Quantity[Form]]
    ends: tuple[str, str] = ("host", "device")
    asks: str = ""  # text for a packet without data of the first end, if it is not an ACK

    def known(self) -> Known:
        """Return the units and the ends that a system file's reader checks against."""
        return Known({kind: each.base for kind, each in self.quantities.items()}, self.ends)

    def read(self, kind: str, **packet: object) -> Simulated:
        """Return a function that reads a figure of that kind from a run, without a measured one."""
        row = Measured(kind, kind, 1, "1", "", "", "prediction", packet=packet)
        return lambda result: self.quantities[kind].simulated(result, row)

    def asked(self, packet: Segment) -> str:
        """Return the text for a packet without data of the first end, else empty."""
        if packet.length or packet.sender != self.ends[0]:
            return ""
        return self.asks.format(window=packet.window, ack=packet.ack)
