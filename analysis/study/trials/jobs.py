# SPDX-License-Identifier: GPL-2.0-only
"""Outcomes of many jobs.

A job that is longer than its rate needs is run as two beginnings, one twice the other; the rest
goes at the rate between the two.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil

from study.programs.declaration import declaration
from study.runs.batch import run_batch, try_batch
from study.runs.outcomes import Failure
from study.system.system import Result, System
from study.trials.job_sizes import (
    SEGMENT_B,
    SIZES,
    SKETCH_SEGMENTS,
    beginning,
    needed_B,
    size_B,
    size_key,
    turn_of,
)

# A job up to WHOLE_B is run as a whole, in seconds. A longer one is, in half a minute, if its rate
# is not that of its beginning: the cycle of a congestion window may be longer than that.
WHOLE_B, UNSTEADY_WHOLE_B, STEADY = 100_000_000, 1_000_000_000, 0.03
COMPARED = ("outcome", "bytes", "duration_s", "limits_s")  # of two records


@dataclass(frozen=True)
class Outcome:
    """Outcome of a job: its result, rate and times; those of a long job are extrapolated."""

    result: Result
    rate: float | None  # B/s, or commands a second; None unless the job finished
    throughput_Bps: float | None
    limits_s: Mapping[str, float]  # the whole job's time by limit, in seconds
    duration_s: float

    def is_same_job(self, other: "Outcome") -> bool:
        """Return whether both jobs carried the same data: half a reply is no faster."""
        mine, its = self.result, other.result
        both = mine.outcome == its.outcome == "finished"
        lengths = [[each.parameters.get(key) for key in SIZES] for each in (mine, its)]
        return not both or lengths[0] != lengths[1] or mine.bytes == its.bytes


def run_B(system: System, outcome: Outcome) -> int:
    """Return the size in bytes of the job that was run for an outcome, or 0 where it is unknown."""
    key = size_key(system)
    return int(outcome.result.parameters[key]) if key else 0


def largest(limits_s: Mapping[str, float]) -> str:
    """Return the limit with most of the time, empty if none has any."""
    return max(limits_s, key=limits_s.__getitem__) if any(limits_s.values()) else ""


def shares(limits_s: Mapping[str, float]) -> dict[str, float]:
    """Return each limit's fraction of the time, largest first."""
    total_s = sum(limits_s.values()) or 1.0
    ranked = sorted(limits_s.items(), key=lambda each: -each[1])
    return {name: time_s / total_s for name, time_s in ranked}


def told_of(systems: Sequence[System]) -> list[tuple[Result, int]]:
    """Return for each system a run of the whole job, and 0. For a long job without a repeated cycle
    return a result extrapolated from its beginning, and the beginning's size in bytes."""
    found = [
        _told(system, *run_all([system], least_B=WHOLE_B)) if size_B(system) > WHOLE_B else None
        for system in systems
    ]
    whole = [system for system, told in zip(systems, found, strict=True) if told is None]
    flags = [system.flags() for system in whole]
    records = iter(run_batch(systems[0].scenario, flags, "the whole job") if whole else ())
    return [
        told or (system.result(next(records)), 0)
        for system, told in zip(systems, found, strict=True)
    ]


def _told(system: System, found: Outcome | None) -> tuple[Result, int] | None:
    if found is None or found.rate is None or found.result.record.get("cycles_skipped"):
        return None
    begun = found.result
    key = size_key(system)
    if begun.parameters[key] == system.parameters()[key]:
        return begun, 0
    change = found.throughput_Bps / begun.throughput_Bps - 1
    if size_B(system) <= UNSTEADY_WHOLE_B and abs(change) > STEADY:
        return None
    told = {
        "duration_s": found.duration_s,
        "throughput_Bps": found.throughput_Bps,
        "limits_s": dict(found.limits_s),
        "bytes": round(found.throughput_Bps * found.duration_s),
        "parameters": begun.parameters | {key: system.parameters()[key]},
    }
    result = replace(begun, **told, record=begun.record | told)
    return result, int(begun.parameters[key])


def run_all(
    systems: Sequence[System],
    bytes_: int = 0,
    is_sketch: bool = False,
    least_B: int = 0,
    beside: Outcome | None = None,
) -> list[Outcome | None]:
    """Return the outcome of each job, or None where the program refuses its values. `bytes_` limits
    the job; without it the job is as long as its rate needs, and at least `least_B`. The rest is
    extrapolated, except in a sketch. A job whose run is as that of `beside` has its outcome."""
    jobs = [_parts(each, bytes_ or max(needed_B(each), least_B), is_sketch) for each in systems]
    if not jobs:
        return []
    records = [[each] for each in _run([parts[0] for parts in jobs])]
    alike = [_is_as(first, beside) for (first,) in records]
    rest = [parts[1:] if not same else [] for parts, same in zip(jobs, alike, strict=True)]
    shorter = iter(_run([part for parts in rest for part in parts]))
    for record, parts in zip(records, rest, strict=True):
        record += [next(shorter) for _ in parts]
    return [
        replace(beside, result=system.result(record[0])) if same else _outcome(system, record)
        for system, record, same in zip(systems, records, alike, strict=True)
    ]


def _run(jobs: Sequence[System]) -> list[dict | Failure]:
    flags = [each.flags() for each in jobs]
    return try_batch(jobs[0].scenario, flags, "trials") if jobs else []


def _is_as(record: Mapping | Failure, beside: Outcome | None) -> bool:
    """Return whether a run has carried the same as another in the same waits."""
    if beside is None or isinstance(record, Failure):
        return False
    return all(record[key] == beside.result.record[key] for key in COMPARED)


def _parts(system: System, bytes_: int, is_sketch: bool) -> list[System]:
    if bytes_ < size_B(system) and (turn_B := turn_of(system, bytes_)):  # as many in each half
        bytes_ = ceil(bytes_ / (2 * turn_B)) * 2 * turn_B
    whole = beginning(system, bytes_)
    # Not the system's own segment size: a changed MSS is compared with the unchanged one.
    is_short = bytes_ <= SKETCH_SEGMENTS * SEGMENT_B
    if is_sketch or is_short or whole is system:
        return [whole]
    return [whole, beginning(system, bytes_ // 2)]


def _outcome(system: System, records: list[Mapping | Failure]) -> Outcome | None:
    if any(isinstance(each, Failure) for each in records):
        return None
    result = system.result(records[0])
    part = _part(system, result)
    if len(records) > 1 and result.outcome == "finished":
        longer = _extended(system, result, system.result(records[1]))
        if longer:
            return longer
    return outcome_of(_less_of_the_end(result, 1 - part))


def outcome_of(result: Result) -> Outcome:
    """Return the outcome of a job that was run as a whole."""
    own = result.limits_s, result.duration_s
    if result.outcome != "finished":
        return Outcome(result, None, None, *own)
    commands = result.parameters.get("commands")
    rate = (float(commands) if commands else result.bytes) / result.duration_s
    return Outcome(result, rate, result.throughput_Bps, *own)


def _part(system: System, result: Result) -> float:
    """Return how much of the whole job a run has carried, 0 to 1."""
    key = size_key(system)
    return int(result.parameters[key]) / size_B(system) if key else 1.0


def _less_of_the_end(result: Result, part: float) -> Result:
    """Return a beginning of a job without this part of the waits for a delayed ACK at its end: the
    whole job goes on there, and ends once."""
    at_end_s = {name: part * each for name, each in result.record.get("at_end_s", {}).items()}
    if not any(at_end_s.values()) or not result.throughput_Bps:
        return result
    duration_s = result.duration_s - sum(at_end_s.values())
    limits_s = {name: time_s - at_end_s.get(name, 0.0) for name, time_s in result.limits_s.items()}
    rate_Bps = result.bytes / duration_s
    return replace(result, duration_s=duration_s, limits_s=limits_s, throughput_Bps=rate_Bps)


def _extended(system: System, long: Result, short: Result) -> Outcome | None:
    """Return the whole job's outcome, extrapolated from two beginnings: the rest runs at the rate
    of the second half of the longer one."""
    end_s = long.record.get("at_end_s", {})
    long, short = (_less_of_the_end(each, 1.0) for each in (long, short))
    took_s, carried_B = long.duration_s - short.duration_s, long.bytes - short.bytes
    if short.outcome != "finished" or took_s <= 0 or carried_B <= 0:
        return None
    rest_B = size_B(system) - int(long.parameters[size_key(system)])
    if commands := long.parameters.get("commands"):
        rest_B *= int(commands)
    times = rest_B / carried_B
    rest_s = times * took_s
    duration_s = long.duration_s + rest_s + sum(end_s.values())
    told = declaration(system.scenario).limits
    more_s = {  # the closing happens once in a job of any length
        name: max(time_s - short.limits_s.get(name, 0.0), 0.0)
        for name, time_s in long.limits_s.items()
        if not (name in told and told[name].at_end)
    }
    part = rest_s / (sum(more_s.values()) or 1.0)
    limits_s = {
        name: each + part * more_s.get(name, 0.0) + end_s.get(name, 0.0)
        for name, each in long.limits_s.items()
    }
    rate_Bps = (long.bytes + rest_B) / duration_s
    rate = float(commands) / duration_s if commands else rate_Bps
    return Outcome(long, rate, rate_Bps, limits_s, duration_s)
