# SPDX-License-Identifier: GPL-2.0-only
"""Long-lived batch programs, one a thread, and chunks of points through them.

A point is a line of flags; its answer is the program's record, as the bytes that it wrote, or a
Failure. A point that kills its program is tried once more in a fresh one, then it is a Failure; the
points after it go on.
"""

import os
import select
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import orjson

from study.base import machine
from study.base.errors import StudyError, why
from study.base.project import MODULE
from study.programs.declaration import check_format
from study.programs.identity import Identity
from study.programs.run import cause_of_death, how_to_reproduce
from study.runs.outcomes import Answer, Failure, Outcome, outcome

if TYPE_CHECKING:
    from study.runs.made import Made
    from study.runs.module_program import ModuleProgram

WRITE_B = 1 << 16
READ_B = 1 << 18  # of answers, which wait in the pipe meanwhile
# A failed point's reason in a table.
TOO_HEAVY = "it took more than {:g} CPU seconds, the --point-timeout"
# A check of a program costs as much as ten answers, so several are read at once if they come soon.
READ_AT_ONCE = 50
PAUSE_S = 0.05  # at most: a program that runs out of lines meanwhile is idle
LOOK_S = 0.2  # interval between checks of a silent program
PIECE_S = 0.7  # after this time finished answers are passed on, whatever the rest takes
ATTEMPTS = 2  # a program may die from what earlier points left, or be killed by the system


@dataclass(frozen=True)
class Chunk:
    """Answers of consecutive points; fewer than the points if it was told to stop."""

    answers: list[Answer]
    seconds: float
    made: "Made | None" = None  # of a cluster's worker: columns of all of them

    @property
    def outcomes(self) -> list[Outcome]:
        return [outcome(answer) for answer in self.answers]


# Takes part of a chunk: index of the first point, and the answers.
Handed = Callable[[int, list[Answer]], object]


class LocalWorkers:
    """Workers on this machine, as many as the process may use cores."""

    # Short: points in progress are lost when this process is killed.
    chunk_s = 0.5
    lost = ()

    def __init__(self, program: Identity, point_timeout_s: float | None = None) -> None:
        self._program, self._programs = program, Programs()
        self._timeout_s = point_timeout_s
        self._executor = ThreadPoolExecutor(self.count())

    def count(self) -> int:
        return machine.cores()

    def submit(self, lines: Sequence[str], hand_over: Handed) -> Future[Chunk]:
        given = self._program, lines, self._timeout_s, hand_over
        return self._executor.submit(self._programs.run, *given)

    def close(self) -> None:
        """End at once. Running chunks return what they have."""
        self._executor.shutdown(wait=False, cancel_futures=True)
        self._programs.close()
        self._executor.shutdown()


class Programs:
    """The long-lived programs of threads, one each."""

    def __init__(self) -> None:
        self._by_thread: dict[int, BatchProgram | ModuleProgram] = {}
        self._lock, self._closed = threading.Lock(), False

    def run(
        self,
        program: Identity,
        lines: Sequence[str],
        point_timeout_s: float | None = None,
        hand_over: Handed | None = None,
        piece_s: float = PIECE_S,
    ) -> Chunk:
        """Run a chunk in the calling thread's program. A point that takes more than
        `point_timeout_s` CPU seconds is a Failure and is not tried again. Finished parts of a long
        chunk are passed to `hand_over` before it ends."""
        began, answers, deaths = time.monotonic(), [], 0
        given, last_s = 0, began  # answers that were passed on, and when
        while len(answers) < len(lines):
            batch = self._of_this_thread(program)
            if batch is None:
                break
            answered = len(answers)
            for said in batch.answers(lines[answered:], point_timeout_s):
                asked = lines[len(answers) : len(answers) + len(said)]
                answers += [_answer(program, *each) for each in zip(asked, said, strict=True)]
                now_s = time.monotonic()
                if hand_over and len(answers) > given and now_s - last_s >= piece_s:
                    hand_over(given, answers[given:])
                    given, last_s = len(answers), now_s
            if len(answers) == len(lines) or self._closed:
                break
            deaths = deaths + 1 if len(answers) == answered else 1
            cause = batch.death()
            if batch.heavy:
                cause, deaths = TOO_HEAVY.format(point_timeout_s), ATTEMPTS
            if deaths == ATTEMPTS:
                line = lines[len(answers)]
                answers.append(Failure(f"{cause}; {how_to_reproduce(program.scenario, line)}"))
                deaths = 0
        return Chunk(answers, time.monotonic() - began)

    def close(self) -> None:
        """Kill all programs, and start no more."""
        with self._lock:
            self._closed = True
            for batch in self._by_thread.values():
                batch.kill()

    def _of_this_thread(self, program: Identity) -> "BatchProgram | ModuleProgram | None":
        with self._lock:
            if self._closed:
                return None
            me = threading.get_ident()
            batch = self._by_thread.get(me)
            if batch is None or not batch.serves(program):
                if batch is not None:
                    batch.kill()
                batch = self._by_thread[me] = started(program)
            return batch


# glibc reuses freed memory without a search if it may keep this many blocks of each size; a packet
# consists of many small blocks. Other C libraries ignore the variable.
FAST_MALLOC = {"GLIBC_TUNABLES": "glibc.malloc.tcache_count=65535"}


class BatchProgram:
    """A process that answers points until it is killed or a point kills it."""

    def __init__(self, program: Identity) -> None:
        program.check()
        self._program = program
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        try:
            # In its own process group: Ctrl-C is for this process, which ends it.
            self._process = subprocess.Popen(
                [program.program, "--batch", "--tell-parameters=false"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                bufsize=0,
                process_group=0,
                env=FAST_MALLOC | os.environ,
            )
        except OSError as error:
            raise StudyError(f"build/{program.scenario} cannot be run: {why(error)}") from error
        os.set_blocking(self._process.stdin.fileno(), False)
        machine.widen(self._process.stdout.fileno(), READ_B)
        # Allocated once: new memory of that size for each read costs more than the read.
        self._read = memoryview(bytearray(READ_B))
        # Where no clock of a process is there, it is that of the machine since its start.
        self._begun_s = machine.cpu_s(self._process.pid)
        self.heavy = False  # whether it was ended because a point took too long

    @property
    def cpu_s(self) -> float:
        """Return its processor time so far, in seconds."""
        return machine.cpu_s(self._process.pid) - self._begun_s

    def serves(self, program: Identity) -> bool:
        """Return whether it is alive and of that program."""
        return self._program == program and self._process.poll() is None

    def answers(
        self, lines: Sequence[str], point_timeout_s: float | None = None
    ) -> Iterator[list[bytes]]:
        """Pass it all lines at once and yield the answers as they come, at times an empty list. End
        when the program dies, or when a point has taken more than `point_timeout_s` CPU seconds."""
        asked, rest = memoryview(("\n".join(lines) + "\n").encode()), b""
        output, remaining = self._process.stdout.fileno(), len(lines)
        before_s, now_s = machine.cpu_s(self._process.pid), time.monotonic()
        while remaining:
            asked, readable = self._write_until_readable(asked)
            if not readable:
                had_s = machine.cpu_s(self._process.pid) - before_s
                if point_timeout_s is not None and had_s > point_timeout_s:
                    self.heavy = True
                    self.kill()
                    return
                yield []
                continue
            read = bytes(self._read[: os.readv(output, [self._read])])
            before_s = machine.cpu_s(self._process.pid)
            if not read:
                return
            *complete, rest = (rest + read).split(b"\n")
            remaining -= len(complete)
            yield complete
            # At most half of what is left, so that it is never idle.
            last_s, now_s = now_s, time.monotonic()
            if complete and remaining > 1:
                answer_s = (now_s - last_s) / len(complete)
                time.sleep(min(PAUSE_S, answer_s * min(READ_AT_ONCE, remaining // 2)))

    def _write_until_readable(self, asked: memoryview) -> tuple[memoryview, bool]:
        """Write lines until there is an answer, and return the rest and whether there is one. Wait
        for both: the program stops reading if its answers are not read."""
        poll = select.poll()
        output, input_ = self._process.stdout.fileno(), self._process.stdin.fileno()
        poll.register(output, select.POLLIN)
        if asked:
            poll.register(input_, select.POLLOUT)
        while True:
            ready = dict(poll.poll(LOOK_S * 1000))
            if output in ready:
                return asked, True
            if not ready:
                return asked, False
            try:
                asked = asked[os.write(input_, asked[:WRITE_B]) :]
            except BrokenPipeError:  # it has died, which reading will show
                return asked[:0], True
            except BlockingIOError:
                continue
            if not asked:
                poll.unregister(input_)

    def death(self) -> str:
        """Return why it ended, after its answers stopped."""
        # One that has only closed its output would not end.
        self._process.stdin.close()
        try:
            status = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        self._stderr.seek(0)
        said = self._stderr.read().decode(errors="replace")
        self._process.stdout.close()
        self._stderr.close()
        return cause_of_death(self._program.scenario, status, said)

    def kill(self) -> None:
        """End it now. A thread that reads its answers gets no more."""
        self._process.kill()
        self._process.wait()


def started(program: Identity) -> "BatchProgram | ModuleProgram":
    """Return a program that waits for points."""
    if program.program != MODULE:
        return BatchProgram(program)
    from study.runs.module_program import ModuleProgram

    return ModuleProgram(program)


def _answer(program: Identity, line: str, said: bytes) -> Answer:
    """Return the answer to a line without an echo of its parameters, which the line and the
    declaration have."""
    try:
        read = orjson.loads(said)
        if "error" in read:
            return Failure(f"{read['error']}; {how_to_reproduce(program.scenario, line)}")
        if read.pop("parameters", None) is not None:
            said = orjson.dumps(read)
        speaks = read["format"]
    except (ValueError, KeyError, TypeError, AttributeError):
        reason = f"build/{program.scenario} gave no record"
        return Failure(f"{reason}; {how_to_reproduce(program.scenario, line)}")
    check_format(program.scenario, speaks)
    return said
