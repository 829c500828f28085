# SPDX-License-Identifier: GPL-2.0-only
"""Values in a scenario's notation, as its program reads them: one process for each scenario
answers all requests of a Python process, and its answers are remembered."""

import json
import os
import subprocess
import threading
import weakref
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from study.base.errors import StudyError
from study.base.project import MODULE, scenario_program, shown

Given = tuple[str, str]  # a flag and its text
Answer = dict  # `text`, and for a number also `number` and `short`; or `error`
REMEMBERED = 50_000
CANONICAL = ("--canonical", "--batch")


def canonical(scenario: str, given: Sequence[Given]) -> list[Answer]:
    """Return the program's reading of each value. All values that are new are one request."""
    return _reader(scenario, scenario_program(scenario)).ask(given)


class _Reader:
    def __init__(self, scenario: str, program: Path) -> None:
        self._scenario, self._program = scenario, program
        self._known: dict[Given, Answer] = {}
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0  # a forked process has copies of the pipes, but must not use them

    def ask(self, given: Sequence[Given]) -> list[Answer]:
        with self._lock:
            if len(self._known) > REMEMBERED:
                self._known.clear()
            asked = list(dict.fromkeys(each for each in given if each not in self._known))
            if asked:
                self._known.update(zip(asked, self._answers(asked), strict=True))
            return [self._known[each] for each in given]

    def _answers(self, asked: Sequence[Given]) -> list[Answer]:
        # Tabs and newlines separate values; within a value the program treats all white space
        # alike.
        fields = [" ".join(f"--{flag}={text}".split()).replace("\0", "?") for flag, text in asked]
        line = "\t".join(fields) + "\n"
        try:
            return json.loads(self._said(line))["values"]
        except (ValueError, KeyError, TypeError) as error:
            raise StudyError(
                f"{shown(self._program)} --canonical gives no answer: run ./waf build"
            ) from error

    def _said(self, line: str) -> str:
        if self._program == MODULE:
            from study.programs import wasm_instance

            return wasm_instance.completed(self._scenario, CANONICAL, line).stdout
        asked, said = line.encode(errors="surrogateescape"), b""
        for _ in range(2):  # restart it once, if something ended it
            with suppress(OSError):
                process = self._running()
                process.stdin.write(asked)
                process.stdin.flush()
                said = process.stdout.readline()
            if said.endswith(b"\n"):
                break
            self._process = None
        return said.decode(errors="replace")

    def _running(self) -> "subprocess.Popen[bytes]":
        if self._process is None or self._owner != os.getpid():
            self._process = subprocess.Popen(
                [self._program, *CANONICAL],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                process_group=0,  # Ctrl-C is for the parent process
            )
            self._owner = os.getpid()
            weakref.finalize(self, _end, self._process, self._owner)
        return self._process


def _end(process: "subprocess.Popen[bytes]", owner: int) -> None:
    if owner == os.getpid():
        with suppress(OSError):
            process.stdin.close()
        process.stdout.close()
        process.wait()


@cache
def _reader(scenario: str, program: Path) -> _Reader:
    return _Reader(scenario, program)
