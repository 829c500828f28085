# SPDX-License-Identifier: GPL-2.0-only
"""Answers that rest on a bound, a number of which a capture shows only one end: they are
refused."""

from collections.abc import Iterator
from contextlib import suppress

from study.base.errors import StudyError
from study.base.units import for_readers
from study.programs import values
from study.programs.declaration import declaration
from study.programs.labels import spelt
from study.runs.batch import try_batch
from study.runs.outcomes import Failure
from study.system.settings import BOUND, Setting
from study.system.system import Result, System

RANGE_FACTOR = 4.0  # a number with one known end may be this factor beyond its value
MOVED_PCT = 5.0
SIZES = ("job_size", "commands", "first_write", "write_size")  # the job's own size


def of_rates(system: System, changed: System, before: float | None, after: float | None) -> str:
    """Return a sentence on the first bound whose other end would change the answer but not the job
    before the change, empty if there is none. The rates are in B/s or commands a second."""
    trials = list(_trials(system, changed))
    if not trials or not (before and after):
        return ""
    flags = [each.flags() for _, *pair in trials for each in pair]
    records = try_batch(system.scenario, flags, "what a capture leaves open")
    for place, (key, as_it_was, _) in enumerate(trials):
        pair = records[2 * place : 2 * place + 2]
        if any(isinstance(each, Failure) for each in pair):
            continue
        own, new = (rate_of(system.result(each)) for each in pair)
        if not own or not new or _moved(own, before) or not _moved(new, after):
            continue
        setting, moved = system.settings[key], as_it_was.changes[key]
        parameter = declaration(system.scenario).parameter(key)
        shown = for_readers(values.for_a_reader(parameter, values.read(parameter, moved).text))
        off = (new / after - 1) * 100
        return (
            f"{system.name}: the answer would rest on {spelt(key)}, of which the capture shows "
            f"only {for_readers(setting.bound)}: with {shown} it is {off:+.0f} % off; if you know "
            f"it, give --{parameter.flag}, too"
        )
    return ""


def _trials(system: System, changed: System) -> Iterator[tuple[str, System, System]]:
    """Yield each bound at its other end: its key, and the systems before and after the change."""
    for key, setting in system.settings.items():
        if setting.basis != BOUND or key in changed.changes or key in SIZES:
            continue
        if changed.settings.get(key) != setting:
            continue  # of another host
        for text in _other_ends(setting):
            with suppress(StudyError):  # the program may refuse the value
                values.read(declaration(system.scenario).parameter(key), text)
                yield key, system.with_(**{key: text}), changed.with_(**{key: text})


def _other_ends(setting: Setting) -> Iterator[str]:
    """Yield the other ends of a bound's range; for an unknown end the value times RANGE_FACTOR or
    divided by it."""
    try:
        value = float(setting.value)
    except ValueError:
        return
    ends: list[float] = []
    if setting.low is not None:
        ends.append(value * RANGE_FACTOR if setting.high is None else float(setting.high))
    if setting.high is not None:
        ends.append(value / RANGE_FACTOR if setting.low is None else float(setting.low))
    for end in ends:
        shown = f"{round(end)}" if setting.unit in ("B", "1", "") else f"{end:g}{setting.unit}"
        if end != value:
            yield shown


def rate_of(result: Result) -> float | None:
    """Return a job's rate in commands a second, or else in B/s; None unless it finished."""
    command_s = result.record.get("command_s")
    return 1 / command_s if command_s else result.throughput_Bps


def _moved(rate: float, other: float | None) -> bool:
    return other is None or abs(rate / other - 1) * 100 > MOVED_PCT
