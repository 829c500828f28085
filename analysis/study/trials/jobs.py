# SPDX-License-Identifier: GPL-2.0-only
"""How long a job a trial needs, and what became of many of them.

All that repeats itself has its rate after some windows. A longer job is run as two beginnings, one
twice the other; what is left goes at the rate between the two.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from study.base.units import bits_per_second, seconds
from study.programs.declaration import declaration
from study.runs.batch import try_batch
from study.runs.outcomes import Failure
from study.system.system import Result, System

SIZES = ("job_size", "file_size")
LEAST_B = 2_000_000  # hundreds of windows; two pauses, where one comes each megabyte
MOST_B = 8_000_000
PIPES = 8  # that a job fills at least: slow start takes three
FULL_B = 25_000_000  # a job of so much is run as it is, to say how fast it goes
SKETCH_SEGMENTS = 300  # of a job that shows whether a change does anything


@dataclass(frozen=True)
class Outcome:
    """Of a job: how it ended, its rate, or what was found of it, and the run behind it."""

    result: Result
    rate: float | None  # bytes a second, or commands; none unless it finished
    throughput_Bps: float | None

    @property
    def limits_s(self) -> Mapping[str, float]:
        """What its time went to."""
        return self.result.limits_s


def size_key(system: System) -> str:
    """The parameter that says how much the job carries; none where more is no gain."""
    own = declaration(system.scenario).parameters
    return next((key for key in SIZES if key in own), "")


def counts_commands(system: System) -> bool:
    """Whether it is commands a second that count."""
    return "commands" in declaration(system.scenario).parameters


def size_B(system: System) -> int:
    """Of the job, where it is known."""
    key = size_key(system)
    return int(system.parameters()[key]) if key else 0


def needed_B(system: System) -> int:
    """Of a job as long as its rate needs."""
    own = system.parameters()
    rtt_s = max(seconds(own.get("rtt", "0ns")), 2 * seconds(own.get("path_delay", "0ns")))
    pipe_B = bits_per_second(own["path_rate"]) / 8 * rtt_s if own.get("link") == "path" else 0.0
    return min(size_B(system), max(LEAST_B, min(round(PIPES * pipe_B), MOST_B)))


def sketched_B(system: System) -> int:
    """Of a job that shows whether a change does anything."""
    mss_B = int(system.parameters().get("mss", 1460))
    return min(needed_B(system), max(SKETCH_SEGMENTS * min(mss_B, 1460), 1))


def of_size(system: System, bytes_: int) -> System:
    """The same with no more of the job."""
    key = size_key(system)
    return system.with_(**{key: bytes_}) if key and bytes_ < size_B(system) else system


def run_all(systems: Sequence[System], bytes_: int = 0) -> list[Outcome | None]:
    """What becomes of each; None where values do not go together. With `bytes_` only so much of
    each job is run, without it as much as its rate needs."""
    jobs = [_parts(each, bytes_) for each in systems]
    flags = [part.flags() for parts in jobs for part in parts]
    if not flags:
        return []
    records = iter(try_batch(systems[0].scenario, flags, "trials"))
    return [
        _outcome(system, [next(records) for _ in parts], bool(bytes_))
        for system, parts in zip(systems, jobs, strict=True)
    ]


def _parts(system: System, bytes_: int) -> list[System]:
    needed = bytes_ or needed_B(system)
    whole = of_size(system, needed)
    return [whole] if bytes_ or whole is system else [whole, of_size(system, needed // 2)]


def _outcome(
    system: System, records: list[Mapping | Failure], is_sketch: bool
) -> Outcome | None:
    if any(isinstance(each, Failure) for each in records):
        return None
    result = system.result(records[0])
    if result.outcome != "finished":
        return Outcome(result, None, None)
    if counts_commands(system):
        commands = float(result.parameters["commands"])
        return Outcome(result, commands / result.duration_s, result.throughput_Bps)
    rate = result.throughput_Bps
    if len(records) > 1:
        rate = _extended(system, result, system.result(records[1])) or rate
    return Outcome(result, rate, rate)


def _extended(system: System, long: Result, short: Result) -> float | None:
    """The rate of the whole job, of two of its beginnings."""
    took_s = long.duration_s - short.duration_s
    if short.outcome != "finished" or took_s <= 0:
        return None
    rest_B = size_B(system) - int(long.parameters[size_key(system)])
    carried_B = long.bytes - short.bytes
    duration_s = long.duration_s + rest_B * took_s / carried_B
    return (long.bytes + rest_B) / duration_s
