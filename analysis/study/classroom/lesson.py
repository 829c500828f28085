# SPDX-License-Identifier: GPL-2.0-only
"""Exercises of notebooks/lesson/exercises.toml: answers computed by runs, worksheet and answers
as documents to print, in each language that has an exercises.LANGUAGE.toml, and captures.

The functions below `Exercise` are the words that an exercise's `python` is written in.
"""

import statistics
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

from study.base.errors import StudyError
from study.base.project import ROOT
from study.catalogue import systems
from study.drawing.languages import ENGLISH, numbers
from study.judging.notation import write
from study.system.system import Result

FOLDER = ROOT / "notebooks" / "lesson"
KINDS = {
    "predict": "Predict, then measure",
    "limit": "Name the limit",
    "trace": "Mark the stall",
    "fix": "Change one thing",
    "capture": "Read a capture",
}
SILENCE_S = 0.02  # longer than a flight's packets are apart, shorter than a round trip
LATE_S = 0.1  # longer than any round trip of these systems, shorter than a delayed ACK


@dataclass(frozen=True)
class Exercise:
    """One exercise, as the file has it."""

    data: Mapping[str, Any]

    def value(self) -> float | str:
        """Return the answer, by running."""
        return eval(self.data["python"], globals() | {"__builtins__": {}})

    def by_thought(self) -> float | str:
        """Return the answer that a student can find."""
        if "expected" in self.data:
            return self.data["expected"]
        return eval(self.data["by_hand"], {"__builtins__": {}})

    def is_right(self) -> bool:
        """Return whether thought and run agree."""
        value, thought = self.value(), self.by_thought()
        if isinstance(thought, str):
            return value == thought
        return abs(value - thought) <= abs(thought) * self.data["within_pct"] / 100

    def trace_text(self) -> str:
        """Return the packets to mark, as tcpdump prints them."""
        trace = self.data["trace"]
        packets = _run(trace["system"], **trace["set"]).packets
        part = packets[trace["skip"] - 1 : trace["skip"] + trace["count"]]
        ends = tuple(dict.fromkeys(packet.sender for packet in packets))
        return "".join(write(part, ends).splitlines(keepends=True)[1:])

    def answer_text(self, language: str = ENGLISH) -> str:
        """Return the teacher's sentence."""
        return numbers(self.data["answer"].format(value=self.value()), language)


def rate(system: str, **changes: object) -> float:
    """Throughput, B/s."""
    result = _run(system, **changes)
    if result.throughput_Bps is None:
        raise StudyError(f"{system}: {result.reason}")
    return result.throughput_Bps


def mean_rate(system: str, seeds: int = 10, **changes: object) -> float:
    """Throughput where luck has a part, B/s: the mean of so many seeds."""
    runs = systems[system].with_(**changes).sweep(seed=range(1, seeds + 1))
    if len(ended := runs[runs.outcome != "finished"]):
        raise StudyError(f"{system}: {ended.reason.iloc[0]}")
    return float(runs.throughput_Bps.mean())


def time(system: str, **changes: object) -> float:
    """Duration, s."""
    return _run(system, **changes).duration_s


def limit(system: str, **changes: object) -> str:
    """Return what took most of the time."""
    limits = _run(system, **changes).limits_s
    return max(limits, key=lambda name: limits[name])


def best(system: str, choices: Mapping[str, Mapping[str, object]]) -> str:
    """Return the change with the highest rate."""
    return max(choices, key=lambda name: rate(system, **choices[name]))


def longest_pause(system: str, skip: int, count: int, **changes: object) -> float:
    """Return the longest time between two packets in a stretch of the trace, s."""
    packets = _run(system, **changes).packets[skip - 1 : skip + count]
    return max(after.time_s - before.time_s for before, after in pairwise(packets))


def data_between_acks(system: str, **changes: object) -> list[int]:
    """Return how many packets with data came before each of the device's ACKs."""
    counts, seen = [], 0
    for packet in _run(system, **changes).packets:
        if packet.sender == "host":
            seen += bool(packet.length)
        else:
            counts.append(seen)
            seen = 0
    return counts


def longest_closed(system: str, **changes: object) -> float:
    """Return the longest time that the device's window was 0, s."""
    device = [packet for packet in _run(system, **changes).packets if packet.sender == "device"]
    turns = [
        (is_open, next(same).time_s) for is_open, same in groupby(device, lambda p: p.window > 0)
    ]
    closed_s = [after - since for (is_open, since), (_, after) in pairwise(turns) if not is_open]
    return max(closed_s, default=0.0)


def late_acks(system: str, **changes: object) -> int:
    """Return how many of the client's ACKs came long after the packet before."""
    packets = _run(system, **changes).packets
    return sum(
        after.sender == "client" and not after.length and after.time_s - before.time_s > LATE_S
        for before, after in pairwise(packets)
    )


def flights(system: str, **changes: object) -> list[int]:
    """Return how many packets with data the host sends at a time, with a silence of SILENCE_S
    before."""
    times = [p.time_s for p in _run(system, **changes).packets if p.length and p.sender == "host"]
    ends = [n for n, (before, after) in enumerate(pairwise(times), 1) if after - before > SILENCE_S]
    return [until - since for since, until in pairwise([0, *ends, len(times)])]


def repair_time(system: str, **changes: object) -> float:
    """From the first packet that is lost to its second copy, s."""
    packets = _run(system, **changes).packets
    lost = next(packet for packet in packets if packet.lost)
    copies = (p for p in packets if p.seq == lost.seq and p.time_s > lost.time_s and p.length)
    return next(copies).time_s - lost.time_s


def sent_again(system: str, **changes: object) -> int:
    """Return how many packets with data the host sent more than once."""
    data = [p.seq for p in _run(system, **changes).packets if p.length and p.sender == "host"]
    return len(data) - len(set(data))


def reply_time(system: str, **changes: object) -> float:
    """Return the usual time from a request to its reply, s."""
    return statistics.median(
        after.time_s - before.time_s
        for before, after in pairwise(_run(system, **changes).packets)
        if before.sender == "workstation"
    )


@cache
def _run(system: str, **changes: object) -> Result:
    """Return the result of a run without a segment table. Reading `packets` repeats the run with
    one."""
    return systems[system].with_(**changes).run()


def exercises(language: str = ENGLISH) -> list[Exercise]:
    """Return all exercises in the order of the worksheet."""
    said = {} if language == ENGLISH else _file(f"exercises.{language}.toml")
    return [Exercise(each | said.get(each["id"], {})) for each in _file()["exercise"]]


def languages() -> list[str]:
    """Return the languages that worksheets can be printed in."""
    return [ENGLISH, *(path.name.split(".")[1] for path in FOLDER.glob("exercises.*.toml"))]


def _file(name: str = "exercises.toml") -> dict[str, Any]:
    return tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))


def lessons() -> list[int]:
    """Return how long the lessons are that have exercises, in minutes."""
    return sorted({minutes for each in exercises() for minutes in each.data["lesson"]})


def document(kind: str, minutes: int | None = None, language: str = ENGLISH) -> str:
    """Return the worksheet or the answers as one HTML file, with the exercises of a lesson of
    `minutes`, or with all."""
    from study.front.front_page import render

    words = {} if language == ENGLISH else _file(f"exercises.{language}.toml")["worksheet"]
    every = exercises(language)
    asked = [each for each in every if minutes is None or minutes in each.data["lesson"]]
    return render(
        "worksheet.html.jinja",
        Path(__file__).parent,
        kind=kind,
        kinds=KINDS,
        exercises=asked,
        language=language,
        printed=lambda text: words.get(text, text),
    )


def captures(folder: Path) -> list[Path]:
    """Write the captures that the exercises read."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {folder / each["file"]: each for each in _file()["capture"]}
    for path, each in wanted.items():
        systems[each["system"]].with_(**each["set"]).run(pcap=path)
    return list(wanted)
