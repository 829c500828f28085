# SPDX-License-Identifier: GPL-2.0-only
"""A capture and a simulation of what was found in it, beside each other: rate, cycle, budget, and
the packet where they first part."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from textwrap import wrap

import numpy as np

from study.base.errors import StudyError
from study.captures.connection import Connection
from study.diagnosis.cycle import steady_cycle
from study.diagnosis.halves import of_connection, of_run
from study.diagnosis.judge import budget
from study.diagnosis.large import whole_of
from study.diagnosis.listing import lines
from study.diagnosis.of_run import captured_run, connection_of_segments
from study.diagnosis.parameters_exchange import is_exchange, turns
from study.diagnosis.route import scenario_of
from study.diagnosis.segments import as_segments
from study.diagnosis.transfer import Transfer
from study.programs.segments import Segment
from study.system.system import Result, System

WIDTH, NAME, COLUMN = 80, 26, 18
SHOWN = 0.005  # of the time: a wait below it is left out
ALIKE = 0.1  # how far the two sides may lie apart without a word
OTHER = 2.0  # times the rate, from which on it may be another system
EXCHANGE = "request-reply"
MOST_B = 50_000_000  # of a job whose packets are all looked at
TOO_LARGE = (
    f"not compared packet by packet and half by half: more than {MOST_B // 10**6} MB; "
    "the simulated budget is the simulation's own"
)


@dataclass(frozen=True)
class Side:
    """What one of the two shows."""

    duration_s: float
    carried_B: int
    limits_s: Mapping[str, float]
    cycle_s: float | None
    cycle_B: int | None = None
    own_limits_s: Mapping[str, float] | None = None  # of a simulation, by its own clock

    @property
    def mains(self) -> set[str]:
        """The limit with most of the time, by the judge of captures and by the simulation."""
        both = filter(None, (self.limits_s, self.own_limits_s))
        return {max(limits_s.items(), key=lambda item: item[1])[0] for limits_s in both}

    @property
    def rate_Bps(self) -> float | None:
        return self.carried_B / self.duration_s if self.duration_s > 0 else None


@dataclass(frozen=True, repr=False)
class Compared:
    """The two sides. Prints as its text."""

    system: System
    measured: Side
    simulated: Side
    outcome: str
    parting: str  # the packet where they first part, or that they do not
    half: "Half | None" = None
    is_fragment: bool = False
    is_exchange: bool = False  # then a cycle is from one turn of the client to the next
    parts_at_once: bool = False  # within the first window

    @property
    def residual_pct(self) -> float | None:
        """How far the simulated rate is off the measured one."""
        pair = self.measured.rate_Bps, self.simulated.rate_Bps
        return (pair[1] / pair[0] - 1) * 100 if all(pair) else None

    @property
    def may_be_another(self) -> str:
        """In a sentence, that it looks as if not this system had been captured; empty else."""
        pair = self.measured.rate_Bps, self.simulated.rate_Bps
        if self.is_fragment or not self.parts_at_once or not all(pair):
            return ""
        if max(pair) < OTHER * min(pair):
            return ""
        return (
            f"{self.system.name} may be another system than the one that was captured: the rate is "
            f"{self.residual_pct:+.0f} % off, and the packets part within the first window"
        )

    def record(self) -> dict:
        """For a script."""
        sides = {"measured": self.measured, "simulated": self.simulated}
        return {
            "system": self.system.name,
            "outcome": self.outcome,
            "residual_pct": self.residual_pct,
            "parting": self.parting,
            "second_half": self.half.record() if self.half else None,
            **{
                name: {
                    "rate_Bps": side.rate_Bps,
                    "duration_s": side.duration_s,
                    "bytes": side.carried_B,
                    "cycle_s": side.cycle_s,
                    "limits_s": dict(side.limits_s),
                }
                for name, side in sides.items()
            },
        }

    def __str__(self) -> str:
        return "\n".join(self.lines())

    __repr__ = __str__

    def lines(self) -> Iterator[str]:
        """The text."""
        both = self.measured, self.simulated
        yield _row("", "measured", "simulated", "residual")
        if self.is_fragment:
            yield "a fragment of a job: its rate and duration are not the job's"
        else:
            name = "rate of both ends, B/s" if self.is_exchange else "rate, B/s"
            yield _numbers(name, *(side.rate_Bps for side in both))
            yield from self._durations()
        if all(side.cycle_s for side in both):
            yield from self._cycles()
        after_s = sum(self.measured.limits_s.values()) - self.measured.duration_s
        if not self.is_fragment and after_s >= SHOWN * self.measured.duration_s:
            told = (
                "rate and duration are until the last byte is acknowledged; the connection's life, "
                f"of which the sentence and its rate are, has {after_s:.3f} s more"
            )
            yield from wrap(told, WIDTH, subsequent_indent="  ")
        yield ""
        yield _row("the time went to, %", "measured", "simulated", "")
        shares = [_shares(side.limits_s) for side in both]
        names = sorted({*shares[0], *shares[1]}, key=lambda n: -max(s.get(n, 0) for s in shares))
        for name in names:
            cells = [share.get(name, 0.0) for share in shares]
            if max(cells) >= SHOWN:
                yield _row(name.replace("_", " "), *(f"{cell * 100:.2f}" for cell in cells), "")
        if self.outcome != "finished":
            yield f"the simulated job did not end: {self.outcome}"
        yield ""
        yield from wrap(self.parting, WIDTH, subsequent_indent="  ")
        if self.half:
            yield from wrap(str(self.half), WIDTH, subsequent_indent="  ")

    def _durations(self) -> Iterator[str]:
        """Of the same bytes, or else with both sizes and without a residual."""
        both = self.measured, self.simulated
        took_s, carried = [each.duration_s for each in both], [each.carried_B for each in both]
        if carried[0] == carried[1]:
            yield _numbers("duration, s", *took_s, digits=3)
            return
        yield _row("duration, s", *(f"{each:,.3f}" for each in took_s), "")
        yield _row("carried, B", *(f"{each:,}" for each in carried), "")
        yield "  jobs of two sizes: their rates are to be compared, not their durations"

    def _cycles(self) -> Iterator[str]:
        """Of the same bytes, or else without a residual."""
        both = self.measured, self.simulated
        cycles = [side.cycle_s * 1e3 for side in both]
        if self.is_exchange:
            yield _numbers("turn of the client, ms", *cycles, digits=3)
            return
        if (
            abs(cycles[1] / cycles[0] - 1) <= ALIKE
            or self.measured.cycle_B == self.simulated.cycle_B
        ):
            yield _numbers("cycle, ms", *cycles, digits=3)
            return
        yield _row("cycle, ms", *(f"{each:,.3f}" for each in cycles), "")
        carried = [f"{side.cycle_B:,} B" for side in both]
        yield f"  not comparable: a measured cycle carries {carried[0]}, a simulated {carried[1]}"


@dataclass(frozen=True)
class Half:
    """The second half's rate, as what was found in the first half predicts it."""

    packets: tuple[int, int]  # of the first half
    measured_Bps: float
    simulated_Bps: float
    unlike: str = ""  # what the first half alone does not show as the whole does

    @property
    def residual_pct(self) -> float:
        return (self.simulated_Bps / self.measured_Bps - 1) * 100

    def record(self) -> dict:
        """For a script."""
        return {
            "found_in_packets": list(self.packets),
            "measured_Bps": self.measured_Bps,
            "simulated_Bps": self.simulated_Bps,
            "residual_pct": self.residual_pct,
        }

    def __str__(self) -> str:
        told = (
            f"found in the first half alone (packets {self.packets[0]} to {self.packets[1]}), the "
            f"second is predicted at {self.simulated_Bps:,.0f} B/s; it went at "
            f"{self.measured_Bps:,.0f}: {self.residual_pct:+.2f} %"
        )
        if abs(self.residual_pct) <= ALIKE * 100:
            return told
        if not self.unlike:
            return f"{told}, for no reason that was found"
        return f"{told}; the first half does not show what held the second: {self.unlike}"


def compare(system: System, connection: Connection, limits_s: Mapping[str, float]) -> Compared:
    """A run of the system beside the capture, which is as its sender saw it. One judge gives both
    budgets: that of the run is of a capture at its host."""
    transfer = Transfer(connection)
    own = scenario_of(transfer)
    if {own, system.scenario} == {"print-job", EXCHANGE}:
        raise StudyError(
            f"{system.name} is a {system.scenario}, and the connection of {connection.client} and "
            f"{connection.server} a {own}: give a system of that scenario"
        )
    result, captured = run_whole(system, connection)
    job = connection if own == EXCHANGE else whole_of(connection)
    sent_B = lines([job])[0].shown_B
    carried = sent_B + (transfer.back_B if system.scenario == EXCHANGE else 0)
    cycle = _turn(connection) if own == EXCHANGE else steady_cycle(transfer)
    took_s = transfer.until_acknowledged_s if own == EXCHANGE else transfer.job_s
    measured = Side(took_s, carried, limits_s, *(cycle[:2] if cycle else (None, None)))
    packets = result.segments_csv is not None
    until_s = _until_s(result) if packets else result.duration_s
    there = own == EXCHANGE and not connection.bulk_from_client
    shown = _as_seen(result.packets, there) if packets else []
    its_limits_s = budget(captured).limits_s if captured else result.limits_s
    its_cycle = _cycle(shown, own)
    simulated = Side(until_s, result.bytes, its_limits_s, *its_cycle, own_limits_s=result.limits_s)
    theirs = as_segments(connection) if packets else []
    parting = _first_parting(connection, theirs, shown) if packets else TOO_LARGE
    seen = measured, simulated, result.outcome, parting, None, transfer.is_fragment
    at_once = packets and _parts_at_once(theirs, shown)
    return Compared(system, *seen, own == EXCHANGE, at_once)


def _as_seen(packets: list[Segment], there: bool) -> list[Segment]:
    """A run's packets at the end that sends most, as the capture's are: its table is of the end
    that opened the connection. As it is where the link does not tell when they were there."""
    far = [packet._replace(time_s=packet.far_s) for packet in packets if packet.far_s is not None]
    if not there or len(far) < sum(not packet.lost for packet in packets):
        return packets
    far.sort(key=lambda packet: packet.time_s)
    return [packet._replace(time_s=packet.time_s - far[0].time_s) for packet in far]


def _until_s(result: Result) -> float:
    """The same of a run."""
    return Transfer(connection_of_segments(result.packets)).until_acknowledged_s


def run_whole(system: System, connection: Connection) -> tuple[Result, Connection | None]:
    """With its packets, and a capture of them, unless they are too many to look at."""
    if is_too_large(system, connection) or not system.leaves_segments:
        return system.run(), None
    return captured_run(system)


def is_too_large(system: System, connection: Connection) -> bool:
    """Whether a run of the system, or the capture, has too many packets to look at each."""
    size = system.parameters().get("job_size", "0")
    return connection.whole is not None or int(size) > MOST_B


def _cycle(packets: list[Segment], scenario: str) -> tuple[float | None, int | None]:
    if not packets:
        return None, None
    connection = connection_of_segments(packets)
    found = _turn(connection) if scenario == EXCHANGE else steady_cycle(Transfer(connection))
    return found[:2] if found else (None, None)


def _turn(connection: Connection) -> tuple[float | None, None]:
    """How long it is from one turn of the client to the next, the median."""
    found = turns(connection)
    first = found.first[found.of_client]
    if len(first) < 2:
        return None, None
    return float(np.median(np.diff(connection.packets["time_ns"][first]))) / 1e9, None


def _first_parting(
    connection: Connection, measured: list[Segment], simulated: list[Segment]
) -> str:
    """The first packet that is not alike in both: who sends it, its numbers and its flags."""
    if Transfer(connection).is_fragment:
        return "not compared packet by packet: the capture is a fragment, or has holes"
    numbers = connection.packets["number"]
    first, told = _opener(measured), _opener(simulated)
    ends = ("sender", "receiver") if connection.bulk_from_client else ("receiver", "sender")
    if is_exchange(connection):
        ends = ("client", "server")
    place = _parting_place(measured, simulated)
    if place is not None:
        ours, theirs = measured[place], simulated[place]
        own, other = ends[ours.sender != first], ends[theirs.sender != told]
        shown = f"the {own} {_words(ours)} at {ours.time_s - measured[0].time_s:.6f} s"
        other = f"the {other} {_words(theirs)} at {theirs.time_s:.6f} s"
        return f"they first part at packet {int(numbers[place])}: {shown}, simulated {other}"
    if len(measured) != len(simulated):
        return f"packet by packet alike until one ends: {len(measured):,} and {len(simulated):,}"
    return f"packet by packet alike, all {len(measured):,}"


def _parting_place(measured: list[Segment], simulated: list[Segment]) -> int | None:
    """Of the first packet that is not alike, counted from none."""
    first, told = _opener(measured), _opener(simulated)
    for place, (ours, theirs) in enumerate(zip(measured, simulated, strict=False)):
        if _essence(ours, first) != _essence(theirs, told):
            return place
    return None


def _parts_at_once(measured: list[Segment], simulated: list[Segment]) -> bool:
    """Whether they part before as much has been sent as the first window offers."""
    place = _parting_place(measured, simulated)
    if place is None:
        return False
    sent = [each for each in measured[:place] if each.length]
    if not sent:
        return True
    window = next((each.window for each in measured if each.sender != sent[0].sender), 0)
    return sum(each.length for each in sent if each.sender == sent[0].sender) <= window


def _opener(packets: list[Segment]) -> str:
    """Who opened the connection, or where no SYN tells it, who sent the first packet."""
    syn = (each.sender for each in packets if "S" in each.flags and each.ack is None)
    return next(syn, packets[0].sender if packets else "")


def _essence(packet: Segment, first: str) -> tuple:
    return packet.sender == first, packet.seq, packet.length, packet.ack, packet.control


def _words(packet: Segment) -> str:
    span = f"{packet.seq}:{packet.seq + packet.length}({packet.length})" if packet.length else ""
    ack = f"ack {packet.ack}" if packet.ack is not None else ""
    return " ".join(filter(None, [packet.control, span, ack, f"win {packet.window}"]))


def half_of(connection: Connection, system: System) -> Half | None:
    """How what was found in the first half predicts the second; `system` was made of that alone,
    with the whole job's size."""
    measured = of_connection(connection).second_half_Bps()
    if is_too_large(system, connection):
        return None
    result = system.run(segments=True)
    if result.segments_csv is None or not measured:
        return None
    there = scenario_of(Transfer(connection)) == EXCHANGE and not connection.bulk_from_client
    simulated = of_run(_as_seen(result.packets, there)).second_half_Bps()
    if not simulated or result.outcome != "finished":
        return None
    numbers = connection.packets["number"]
    carried = of_connection(connection).carried_B
    middle = int((carried < carried[-1] / 2).sum())
    return Half((int(numbers[0]), int(numbers[middle])), measured, simulated)


def _shares(limits_s: Mapping[str, float]) -> dict[str, float]:
    total_s = sum(limits_s.values())
    return {name: each / total_s for name, each in limits_s.items()} if total_s else {}


def _numbers(name: str, measured: float | None, simulated: float | None, digits: int = 0) -> str:
    cells = ["none" if each is None else f"{each:,.{digits}f}" for each in (measured, simulated)]
    off = f"{(simulated / measured - 1) * 100:+.2f} %" if measured and simulated else ""
    return _row(name, *cells, off)


def _row(name: str, *cells: str) -> str:
    return f"{name:<{NAME}}{''.join(f'{cell:>{COLUMN}}' for cell in cells)}".rstrip()
