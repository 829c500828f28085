# SPDX-License-Identifier: GPL-2.0-only
"""Instance of the WebAssembly module in this process, which answers points instead of a batch
program."""

import time
from collections.abc import Iterator, Sequence

from study.programs.identity import Identity
from study.programs.run import cause_of_death
from study.programs.wasm_instance import Instance

BATCH = ("--batch", "--tell-parameters=false")


class _TooLong(Exception):
    """A point exceeded its time limit."""


class ModuleProgram:
    """A WebAssembly counterpart of BatchProgram in workers.py."""

    def __init__(self, program: Identity) -> None:
        program.check()
        self._program, self._instance = program, Instance()
        self._status, self._said = 0, ""
        self.heavy = False
        self.cpu_s = 0.0  # an upper bound

    def serves(self, program: Identity) -> bool:
        """Return whether it can answer points of that program."""
        return self._program == program and not self._instance.is_lost

    def answers(
        self, lines: Sequence[str], point_timeout_s: float | None = None
    ) -> Iterator[list[bytes]]:
        """Yield the answers one by one, until the instance is lost."""

        def watch(now_s: float) -> None:
            if point_timeout_s is not None and now_s > point_timeout_s:
                raise _TooLong

        for line in lines:
            began_s = time.monotonic()
            try:
                done = self._instance.completed(self._program.scenario, BATCH, f"{line}\n", watch)
            except _TooLong:
                self.heavy = True
                return
            finally:
                self.cpu_s += time.monotonic() - began_s
            if self._instance.is_lost:
                self._status, self._said = done.returncode, done.stderr
                return
            yield [done.stdout.rstrip("\n").encode()]

    def death(self) -> str:
        """Return why the answers stopped."""
        return cause_of_death(self._program.scenario, self._status, self._said)

    def kill(self) -> None:
        """End it now. A thread that reads its answers gets no more."""
        self._instance.end()
