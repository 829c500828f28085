# SPDX-License-Identifier: GPL-2.0-only
"""A system's simulation beside a capture: rate, duration, distance, the simulated budget, and the
packet where the two first part."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from textwrap import wrap

from study.base.errors import StudyError
from study.base.wrapping import WIDTH
from study.captures.connection import Connection
from study.diagnosis.bench import Bench
from study.diagnosis.byte_curves import View, distance, of_connection, parting
from study.diagnosis.exchanges import is_exchange
from study.diagnosis.finding import share
from study.diagnosis.phases import RATE_FACTOR
from study.diagnosis.stretch import stretch_of
from study.diagnosis.synthesis import EXCHANGE, NOTHING_FITS, PARTED, scenario_of
from study.diagnosis.tried_reliefs import SHOWN
from study.system.system import System

RUN_S = 60.0  # of CPU time: for the one run of a comparison


@dataclass(frozen=True)
class Side:
    """What one of the two shows."""

    duration_s: float  # from the first data until the last is acknowledged
    carried_B: int

    @property
    def rate_Bps(self) -> float | None:
        return self.carried_B / self.duration_s if self.duration_s > 0 else None


@dataclass(frozen=True, repr=False)
class Compared:
    """The two sides. Prints as its text."""

    system: System
    measured: Side
    simulated: Side
    limits_s: Mapping[str, float]  # of the simulation
    distance: float
    parting: str  # the packet where they first part, or that they do not

    @property
    def residual_pct(self) -> float | None:
        """How far the simulated rate is off the measured one."""
        pair = self.measured.rate_Bps, self.simulated.rate_Bps
        return (pair[1] / pair[0] - 1) * 100 if all(pair) else None

    @property
    def may_be_another(self) -> str:
        """In a sentence, that it looks as if not this system had been captured; empty else."""
        pair = self.measured.rate_Bps, self.simulated.rate_Bps
        if not all(pair) or max(pair) < RATE_FACTOR * min(pair) or self.distance < NOTHING_FITS:
            return ""
        return (
            f"{self.system.name} may be another system than the one that was captured: the rate is "
            f"{self.residual_pct:+.0f} % off, and the two are {self.distance:.2f} apart"
        )

    def record(self) -> dict:
        """For a script."""
        sides = {"measured": self.measured, "simulated": self.simulated}
        return {
            "system": self.system.name,
            "residual_pct": self.residual_pct,
            "distance": self.distance,
            "parting": self.parting,
            "limits_s": dict(self.limits_s),
            **{
                name: {
                    "rate_Bps": side.rate_Bps,
                    "duration_s": side.duration_s,
                    "bytes": side.carried_B,
                }
                for name, side in sides.items()
            },
        }

    def __str__(self) -> str:
        return "\n".join(self.lines())

    __repr__ = __str__

    def lines(self) -> Iterator[str]:
        """Yield the text."""
        both = self.measured, self.simulated
        yield _row("", "measured", "simulated", "residual")
        yield _numbers("rate, B/s", *(side.rate_Bps for side in both))
        carried = [side.carried_B for side in both]
        if carried[0] == carried[1]:
            yield _numbers("duration, s", *(side.duration_s for side in both), digits=3)
        else:
            yield _row("duration, s", *(f"{side.duration_s:,.3f}" for side in both), "")
            yield _row("carried, B", *(f"{each:,}" for each in carried), "")
        yield _row("distance of the curves", "", f"{self.distance:.4f}", "")
        yield ""
        yield _row("the time went to, %", "", "simulated", "")
        for name in sorted(self.limits_s, key=lambda each: -self.limits_s[each]):
            part = share(self.limits_s, name)
            if part >= SHOWN:
                yield _row(name.replace("_", " "), "", f"{part * 100:.2f}", "")
        yield ""
        yield from wrap(self.parting, WIDTH, subsequent_indent="  ")


def compare(system: System, connection: Connection) -> Compared:
    """Run the system beside a capture, which is in its sender's time."""
    own = scenario_of(connection)
    if {own, system.scenario} == {"print-job", EXCHANGE} and "turns" not in system.settings:
        raise StudyError(
            f"{system.name} is a {system.scenario}, and the connection of {connection.client} and "
            f"{connection.server} a {own}: give a system of that scenario"
        )
    stretch = stretch_of(connection)
    by_turns = is_exchange(stretch)
    seen = of_connection(stretch, by_turns)
    if seen is None:
        raise StudyError("the capture's connection carries no data")
    from_client = connection.bulk_from_client or system.scenario == "print-job"
    view = View(by_turns, from_client, from_client)
    settings = {key: each.text for key, each in system.settings.items()} | dict(system.changes)
    with Bench(RUN_S, RUN_S) as bench:
        (run,) = bench.run(system.scenario, [settings], view)
    if run is None:
        system.run()  # which says what is wrong with it
        raise StudyError(f"{system.name}: its job does not end, or leaves no packets to compare")
    if stretch is not connection and run.curves.carried_B > seen.carried_B:
        stretch = connection  # the system is that of all of it
        seen = of_connection(stretch, by_turns) or seen
    at_s = parting(seen, run.curves, PARTED)
    told = f"alike within {PARTED:.0%} of all bytes, from the first to the last"
    if at_s is not None:
        told = f"the curves first differ by more than {PARTED:.0%} of all bytes at packet"
        told += f" {packet_at(stretch, at_s)}"
        told += f", {at_s:.3f} s after the first data"
    sides = (Side(each.duration_s, each.carried_B) for each in (seen, run.curves))
    return Compared(system, *sides, run.limits_s, distance(seen, run.curves), told)


def packet_at(stretch: Connection, since_s: float) -> int:
    """Return the number of the packet at an instant since the first data."""
    p = stretch.packets
    own = (p["length"] > 0) & (p["from_client"] == stretch.bulk_from_client)
    begin_ns = int(p["time_ns"][own][0])
    place = int((p["time_ns"] < begin_ns + since_s * 1e9).sum())
    return int(p["number"][min(place, len(p) - 1)])


def _numbers(name: str, measured: float | None, simulated: float | None, digits: int = 0) -> str:
    cells = ["none" if each is None else f"{each:,.{digits}f}" for each in (measured, simulated)]
    off = f"{(simulated / measured - 1) * 100:+.2f} %" if measured and simulated else ""
    return _row(name, *cells, off)


def _row(name: str, *cells: str) -> str:
    return f"{name:<26}{''.join(f'{cell:>18}' for cell in cells)}".rstrip()
