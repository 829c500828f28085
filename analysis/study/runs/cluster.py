# SPDX-License-Identifier: GPL-2.0-only
"""Chunks of points on a Dask cluster. The store stays with the caller; a worker needs this project,
built, and refuses to answer with another program than the caller's."""

import contextlib
import logging
import re
import socket
import uuid
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

from study.base.errors import StudyError
from study.programs.identity import Identity, identity
from study.runs.made import with_columns
from study.runs.outcomes import Answer, Failure
from study.runs.workers import Chunk, Handed, Programs

CONNECT_S = 10
PIECE_S = 0.9  # after this time finished answers are sent ahead, and the chunk is split
GIVE = "give an address such as tcp://HOST:8786, or the scheduler's .json file"
EXTRAS = "a cluster needs dask and distributed: `./waf extras` fetches them"

_programs = Programs()  # of a worker's process, which keeps them


class ClusterWorkers:
    """The threads of all workers of a scheduler, whose number may change."""

    # Long compared with the scheduler's few milliseconds a task, short enough to lose with a
    # worker.
    chunk_s = 0.7

    def __init__(
        self, program: Identity, address: str, point_timeout_s: float | None = None
    ) -> None:
        self._timeout_s = point_timeout_s
        try:
            import distributed
        except ImportError:
            raise StudyError(EXTRAS) from None
        _silence("distributed", "tornado", "asyncio")
        self.lost = (distributed.scheduler.KilledWorker, ConnectionError)
        self._program = program
        where = _where(address)
        try:
            self._client = distributed.Client(**where, timeout=CONNECT_S, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            message = f"no Dask scheduler answers at {address} within {CONNECT_S} s; {GIVE}"
            raise StudyError(message) from error
        try:
            self._client.run(check_program, program.scenario, program.digest)
        except BaseException as error:
            self.close()
            if isinstance(error, StudyError | KeyboardInterrupt):
                raise
            message = f"the workers cannot run this study ({' '.join(str(error).split())[:200]})"
            raise StudyError(f"{message}: they need it set up and built, and its Python") from error
        # pure=False: no task is taken for another with the same arguments.
        self._executor = self._client.get_executor(pure=False)
        self._tickets, self._topic = 0, f"study-{uuid.uuid4()}"
        self._handed: dict[int, Handed] = {}
        self._client.subscribe_topic(self._topic, self._receive)

    def count(self) -> int:
        return sum(self._client.nthreads().values())

    def submit(self, lines: Sequence[str], hand_over: Handed) -> Future[Chunk]:
        self._tickets += 1
        ticket = self._tickets
        self._handed[ticket] = hand_over
        future = self._executor.submit(
            run_on_worker,
            self._program.scenario,
            self._program.digest,
            "\n".join(lines),  # one text, as Dask inspects each element of a list
            self._timeout_s,
            (self._topic, ticket),
        )
        future.add_done_callback(lambda _: self._handed.pop(ticket, None))
        return future

    def _receive(self, event: tuple[float, tuple[int, int, list[bytes | str]]]) -> None:
        """Pass on part of a long chunk."""
        _, (ticket, start, said) = event
        hand_over = self._handed.get(ticket)
        if hand_over is not None:
            answers = [each if isinstance(each, bytes) else Failure(each) for each in said]
            hand_over(start, answers)

    def close(self) -> None:
        with contextlib.suppress(Exception):  # the scheduler may have ended
            self._client.close(timeout=0.5)


def _silence(*names: str) -> None:
    """Silence these loggers: they log each broken connection, which the sweep reports itself. Each
    of distributed's loggers has its own level."""
    for name in [*names, *logging.root.manager.loggerDict]:
        if name.split(".")[0] in names:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _where(address: str) -> dict[str, str]:
    """Return the client's argument for an address, checked: Dask waits long for a wrong one. Raise
    StudyError if it is neither an address nor a file."""
    if address.endswith(".json") and Path(address).is_file():
        return {"scheduler_file": address}
    if not re.fullmatch(r"(\w+://)?[^\s/]+:\d+", address):
        raise StudyError(f"{address} is not a Dask scheduler; {GIVE}")
    return {"address": address}


def check_program(scenario: str, digest: str) -> Identity:
    """On a worker: return its own program's identity. Raise StudyError if it is missing, or its
    digest is not the caller's."""
    here = f"the worker on {socket.gethostname()}"
    try:
        own = identity(scenario)
    except StudyError as error:
        raise StudyError(f"{here}: {error}") from error
    if own.digest != digest:
        raise StudyError(
            f"{here} has another build/{scenario} or ns-3"
            f" ({own.digest[:12]}) than this machine ({digest[:12]}): build the same version there"
        )
    return own


def run_on_worker(
    scenario: str,
    digest: str,
    lines: str,
    point_timeout_s: float | None,
    where: tuple[str, int],
) -> Chunk:
    """On a worker: run a chunk in this thread's program. Records travel unparsed, with the columns
    and checksums that the client would compute. Finished parts of a long chunk are sent ahead to
    the topic in `where`."""
    from distributed import get_worker

    worker, (topic, ticket) = get_worker(), where

    def hand_over(start: int, answers: Sequence[Answer]) -> None:
        said = [each.reason if isinstance(each, Failure) else each for each in answers]
        worker.log_event(topic, (ticket, start, said))

    program, points = check_program(scenario, digest), lines.split("\n")
    chunk = _programs.run(program, points, point_timeout_s, hand_over, PIECE_S)
    return replace(chunk, made=with_columns(program, points, chunk.answers))
