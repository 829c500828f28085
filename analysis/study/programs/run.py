# SPDX-License-Identifier: GPL-2.0-only
"""One run of a scenario's program, and the message for a program that failed."""

import json
import re
import shlex
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from study.base import machine
from study.base.errors import StudyError
from study.base.project import MODULE, scenario_program, shown
from study.programs.declaration import check_format, declaration
from study.programs.noted import note

Flags = Sequence[str]
IN_FULL = "--fast-forward=false"  # simulates every cycle


def run_point(scenario: str, flags: Flags) -> dict:
    """Run a program once and return its record. Raise StudyError if the program refuses its input
    or fails."""
    done = _done(scenario, flags)
    if done.returncode == 2:
        refusal = _last_line(done.stderr)
        raise _refusal(scenario, refusal)
    reproduce = how_to_reproduce(scenario, shlex.join(flags))
    if done.returncode != 0:
        cause = cause_of_death(scenario, done.returncode, done.stderr)
        raise StudyError(f"{cause}; {reproduce}")
    try:
        record = json.loads(done.stdout)
        speaks = record["format"]
    except (ValueError, KeyError, TypeError) as error:
        raise StudyError(f"build/{scenario} gave no record; {reproduce}") from error
    check_format(scenario, speaks)
    note(scenario, flags, record)
    return record


Watch = Callable[[float], object]
LOOK_S = 0.2  # interval between looks at a program that is still running
_watch: ContextVar[Watch | None] = ContextVar("watch", default=None)


@contextmanager
def watched(watch: Watch) -> Iterator[None]:
    """Call `watch` repeatedly with the CPU seconds of a run inside. Its exception ends the run."""
    token = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(token)


def _done(scenario: str, flags: Flags) -> subprocess.CompletedProcess[str]:
    watch, program = _watch.get(), scenario_program(scenario)
    if program == MODULE:
        from study.programs import wasm_instance

        return wasm_instance.completed(scenario, flags, watch=watch)
    command = [program, *flags]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as process:
        try:
            while True:
                try:
                    said = process.communicate(timeout=LOOK_S if watch else None)
                    return subprocess.CompletedProcess(command, process.returncode, *said)
                except subprocess.TimeoutExpired:
                    watch(machine.cpu_s(process.pid))
        except BaseException:
            process.kill()
            raise


def _refusal(scenario: str, said: str) -> StudyError:
    """Return the error for a refused input; Refused if the message begins with a flag."""
    flag = said.partition(": ")[0]
    for parameter in declaration(scenario).parameters.values():
        if parameter.flag == flag:
            return parameter.refused(said)
    return StudyError(said or f"build/{scenario} refused its input without saying why")


def cause_of_death(scenario: str, status: int, stderr: str) -> str:
    """Return how a program failed: its signal or status, and the last line of its errors."""
    how = f"was killed by signal {-status}" if status < 0 else f"failed with status {status}"
    said = f" ({_last_line(stderr)})" if _last_line(stderr) else ""
    return f"build/{scenario} {how}{said}"


def how_to_reproduce(scenario: str, line: str) -> str:
    """Return the command that runs this one point."""
    if (program := scenario_program(scenario)) == MODULE:
        return f"the point: {scenario} {line}"
    return f"to reproduce: {shlex.quote(shown(program))} {line}"


def _last_line(text: str) -> str:
    """Return a program's last message. If ns-3 aborted it, that is ns-3's message, or the condition
    and its place; the C++ runtime prints more after it."""
    place = r"(?:[+-][0-9.]+s \S+ )?(file=\S+, line=\d+)$"
    sentences = re.findall(rf'msg="(.*?)", {place}', text, re.DOTALL | re.MULTILINE)
    conditions = re.findall(rf"^(.*?){place}", text, re.MULTILINE)
    if sentences:
        said = sentences[-1][0]
    elif conditions:
        said = "".join(conditions[-1])
    else:
        said = next((line for line in reversed(text.splitlines()) if line.strip()), "")
    return " ".join(said.split())[:300]
