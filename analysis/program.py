# SPDX-License-Identifier: GPL-2.0-only
"""Runs a scenario's program: one point from flags, or many through --batch in as many processes as
there are cores."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from analysis.declaration import FORMAT
from analysis.errors import StudyError
from analysis.project import scenario_program, shown
from analysis.provenance import note

Flags = Sequence[str]


def run_point(scenario: str, flags: Flags) -> dict:
    """The record of one run."""
    program = scenario_program(scenario)
    done = subprocess.run([program, *flags], capture_output=True, text=True)
    if done.returncode == 2:
        raise StudyError(
            _last_line(done.stderr) or f"build/{scenario} refused its input without saying why"
        )
    if done.returncode != 0:
        raise _died(scenario, flags, done.returncode, done.stderr)
    record = _record(scenario, flags, done.stdout)
    note(scenario, flags, record)
    return record


def run_batch(scenario: str, points: Sequence[Flags], doing: str) -> list[dict]:
    """The records of many runs, in the order of the points. A terminal sees progress and an
    estimate of the end."""
    from tqdm import tqdm

    workers = max(1, min(len(points), os.cpu_count() or 1))
    records: list[dict | None] = [None] * len(points)
    queue = _Queue(enumerate(points))
    bar = tqdm(
        total=len(points),
        desc=doing,
        unit="run",
        leave=False,
        file=sys.stderr,
        disable=not sys.stderr.isatty(),
    )
    with bar, ThreadPoolExecutor(workers) as pool:
        jobs = [pool.submit(_work, scenario, queue, records, bar.update) for _ in range(workers)]
        try:
            for job in jobs:
                job.result()
        finally:  # after an error or Ctrl-C the others stop at the end of their point
            queue.close()
    for flags, record in zip(points, records, strict=True):
        note(scenario, flags, record)
    return [record for record in records if record is not None]


class _Queue:
    """Hands points to the workers; a closed one has no more."""

    def __init__(self, points: Iterable[tuple[int, Flags]]) -> None:
        self._points, self._lock, self._open = iter(points), Lock(), True

    def __iter__(self) -> Iterator[tuple[int, Flags]]:
        while True:
            with self._lock:
                point = next(self._points, None) if self._open else None
            if point is None:
                return
            yield point

    def close(self) -> None:
        self._open = False


def _work(scenario: str, queue: _Queue, records: list, advance) -> None:
    """Feed one long-lived program until there are no more points."""
    command = [scenario_program(scenario), "--batch"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            for index, flags in queue:
                records[index] = _ask(scenario, process, flags)
                advance()
        except BaseException:
            queue.close()
            process.kill()
            raise


def _ask(scenario: str, process: subprocess.Popen, flags: Flags) -> dict:
    try:
        process.stdin.write(" ".join(flags) + "\n")
        process.stdin.flush()
    except BrokenPipeError:  # the program has died: the empty answer below says so
        pass
    answer = process.stdout.readline()
    if not answer:
        raise _died(scenario, flags, process.wait(), process.stderr.read())
    return _record(scenario, flags, answer)


def _record(scenario: str, flags: Flags, answer: str) -> dict:
    try:
        record = json.loads(answer)
        if "error" in record:
            raise StudyError(record["error"])
        speaks = record["format"]
    except (ValueError, KeyError, TypeError) as error:
        message = f"build/{scenario} gave no record; {_reproduce(scenario, flags)}"
        raise StudyError(message) from error
    if speaks != FORMAT:
        raise StudyError(f"build/{scenario} speaks format {speaks}, not {FORMAT}: run ./waf build")
    return record


def _died(scenario: str, flags: Flags, status: int, stderr: str) -> StudyError:
    how = f"was killed by signal {-status}" if status < 0 else f"failed with status {status}"
    said = f" ({_last_line(stderr)})" if _last_line(stderr) else ""
    return StudyError(f"build/{scenario} {how}{said}; {_reproduce(scenario, flags)}")


def _reproduce(scenario: str, flags: Flags) -> str:
    return f"to reproduce: {shlex.join([shown(scenario_program(scenario)), *flags])}"


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:300] if lines else ""
