# SPDX-License-Identifier: GPL-2.0-only
"""What became of a live run: each job beside the simulated one, and how late the simulator was."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from textwrap import wrap

import numpy as np

from study.base.errors import StudyError
from study.base.units import seconds
from study.base.wrapping import WIDTH
from study.captures.connection import RST, SYN, Connection
from study.diagnosis.compare import Compared, compare
from study.diagnosis.of_run import connection_of_segments
from study.diagnosis.transfer import Transfer
from study.live import program, timers
from study.live.asked import HOST, Asked
from study.live.cycle import steady_cycle_s
from study.live.end import File, Heard
from study.live.session import Seen
from study.system.system import System

TRUSTED_NS = 1_000_000  # at the 99th percentile; later times are not trusted
ASLEEP_S = 1.0
MOST_JOBS = 20  # jobs that the text shows
LPR_PORT = 515
# What the model lacks, by scenario.
NOT_COMPARED = {
    "print-job": "the model has one job at a time, of a connection of its own",
    "request-reply": "the model has one conversation at a time, of commands of the system's size",
}
HEAD = " job  port       bytes    live, s  simulated  residual"


@dataclass(frozen=True)
class Job:
    """A file sent to the device, or a conversation with the server."""

    connection: Connection | None
    heard: Heard
    octets: int
    sha256: str
    is_whole: bool
    live_s: float | None
    system: System | None  # of the same job; None if the model has no such job

    @cached_property
    def simulated_s(self) -> float | None:
        if self.system is None:
            return None
        result = self.system.run()
        return result.duration_s if result.outcome == "finished" else None

    @property
    def apart_s(self) -> tuple[float, float]:
        """How many seconds earlier and later the kernel's timers may expire than the simulated."""
        return timers.apart_s(*self._timeouts())

    @cached_property
    def over_phases_s(self) -> tuple[float, float] | None:
        """The shortest and longest simulated duration over all phases of the host's clock, in
        seconds, or None if the kernel waited for no timer, or if that cannot be simulated."""
        if self.system is None or not self.simulated_s:
            return None
        waits_s, tick_s = self._timeouts()
        longest_s = max((timers.beat_s(each, tick_s) for each in waits_s), default=0.0)
        return timers.over_phases_s(self.system, longest_s) if longest_s else None

    def _timeouts(self) -> tuple[list[float], float]:
        """Return the kernel's waits for a timer and its clock tick, in seconds."""
        given = self.system.parameters()
        least_s = seconds(given["minimum_rto" if "minimum_rto" in given else "client_minimum_rto"])
        tick = given["timer_tick" if "timer_tick" in given else "client_timer_tick"]
        return timers.waits_s(self.connection, least_s), seconds(tick)

    @property
    def residual_pct(self) -> float | None:
        """The simulated time's deviation from the live one, in percent, or None without both."""
        both = self.live_s and self.simulated_s
        return (self.simulated_s / self.live_s - 1) * 100 if both else None

    def record(self) -> dict:
        """Return the job for a script."""
        return {
            "connection": self.heard.number,
            "port": self.heard.port,
            "octets": self.octets,
            "sha256": self.sha256,
            "whole": self.is_whole,
            "ended": self.heard.ended,
            "live_s": self.live_s,
            "simulated_s": self.simulated_s,
            "residual_pct": self.residual_pct,
            "simulated_over_phases_s": self.over_phases_s,
        }


@dataclass(frozen=True, repr=False)
class Outcome:
    """The outcome of a live run. Its text is the report."""

    asked: Asked
    seen: Seen
    jobs: tuple[Job, ...]

    @property
    def status(self) -> int:
        """The command's status, or 1 if the run failed or a job was incomplete."""
        lost = any(job.heard.ended == "lost" and not job.is_whole for job in self.jobs)
        return self.seen.status or int(bool(self.seen.was_cut or self.slept_s or lost))

    @property
    def slept_s(self) -> float:
        """How long the machine or the simulator was stopped, in seconds, or 0 if it was not."""
        latest = max((int(each.max()) for each in self._lateness.values() if len(each)), default=0)
        stood_s = max(latest / 1e9, self.seen.asleep_s)
        return stood_s if stood_s >= ASLEEP_S else 0.0

    @property
    def _lateness(self) -> dict[str, np.ndarray]:
        return {"read": self.seen.late_in_ns, "written": self.seen.late_out_ns}

    def late_ms(self, percentile: float) -> dict[str, float]:
        """Return a percentile of the lateness of frames from and to the kernel, in ms."""
        return {
            name: float(np.percentile(each, percentile)) / 1e6
            for name, each in self._lateness.items()
            if len(each)
        }

    @property
    def is_punctual(self) -> bool:
        """Whether the times can be trusted."""
        late = self.late_ms(99)
        return bool(late) and max(late.values()) * 1e6 <= TRUSTED_NS

    @cached_property
    def compared(self) -> Compared | None:
        """The largest job compared packet by packet, or None if none can be."""
        alone = [job for job in self.jobs if job.system and job.connection]
        if not alone:
            return None
        job = max(alone, key=lambda each: each.octets)
        try:
            return compare(job.system, job.connection)
        except StudyError:
            return None  # too short to compare

    @cached_property
    def cycles_s(self) -> tuple[float, float] | None:
        """The steady cycle of the largest job in seconds, live and simulated, or None without
        one."""
        if self.compared is None:
            return None
        job = next(job for job in self.jobs if job.system is self.compared.system)
        simulated = connection_of_segments(job.system.run(segments=True).packets)
        both = [steady_cycle_s(Transfer(each)) for each in (job.connection, simulated)]
        return (both[0], both[1]) if all(both) else None

    def why_alone(self) -> str:
        """Return why no job has a simulation to compare with."""
        if not self.seen.captured:
            return "nothing beside its simulation: nothing was captured"
        if not any(job.is_whole for job in self.jobs):
            return "nothing beside its simulation: none is whole"
        if not any(job.system for job in self.jobs):
            return f"nothing beside its simulation: {NOT_COMPARED[self.asked.scenario]}"
        return "nothing beside its simulation: too short to be told apart"

    def record(self) -> dict:
        """Return the outcome for a script."""
        return {
            "system": self.asked.system.name,
            "host": HOST,
            "status": self.status,
            "jobs": [job.record() for job in self.jobs],
            "late_p50_ms": self.late_ms(50),
            "late_p99_ms": self.late_ms(99),
            "punctual": self.is_punctual,
            "slept_s": self.slept_s,
            "cut": self.seen.was_cut,
            "not_captured": self.seen.missed,
            "compared": self.compared.record() if self.compared else None,
        }

    def __str__(self) -> str:
        return "\n".join(self.lines())

    __repr__ = __str__

    def lines(self) -> Iterator[str]:
        """Yield the lines of the text."""
        if not self.jobs:
            yield "nobody connected"
        else:
            yield HEAD
            # Incomplete jobs explain the status 1, so they come first.
            rows = sorted(enumerate(self.jobs, 1), key=lambda row: row[1].is_whole)
            for number, job in rows[:MOST_JOBS]:
                yield _row(number, job)
            if rows[MOST_JOBS:]:
                lost = sum(not job.is_whole for _, job in rows[MOST_JOBS:])
                yield f"and {len(rows) - MOST_JOBS} more" + (
                    f", {lost} of them not whole" * bool(lost)
                )
        if self.compared:
            yield ""
            yield f"the largest beside its simulation with --host {HOST}"
            yield from self.compared.lines()
            if self.cycles_s:
                live_ms, simulated_ms = (each * 1e3 for each in self.cycles_s)
                off = (simulated_ms / live_ms - 1) * 100
                yield f"cycle, ms: {live_ms:,.3f} live, {simulated_ms:,.3f} simulated, {off:+.2f} %"
            yield ""
            own = " ".join(self.asked.told_apart(self.compared.system))
            given = f"what COMMAND and this kernel had is given to the simulated host: {own}"
            yield from wrap(given, WIDTH, subsequent_indent="  ", break_on_hyphens=False)
        elif self.jobs:
            yield ""
            yield self.why_alone()
        yield ""
        for sentence in self.sentences():
            yield from wrap(sentence, WIDTH, subsequent_indent="  ")

    def sentences(self) -> Iterator[str]:
        """Yield sentences on how far the result can be trusted."""
        middle, late = self.late_ms(50), self.late_ms(99)
        if late:
            told = ", ".join(
                f"frames {name} {middle[name]:.3f} ms (p50) and {late[name]:.3f} ms (p99) late"
                for name in late
            )
            yield f"the simulator: {told}"
            if not self.is_punctual:
                yield "the times are not to be trusted: more than 1 ms late at p99"
        yield from self._apart()
        if self.slept_s:
            yield f"the machine or the simulator stood still for {self.slept_s:.1f} s"
        if self.seen.missed:
            yield f"{self.seen.missed:,} frames came too fast to be captured"
        if self.seen.was_cut:
            yield f"cut: {self.seen.was_cut}"

    def _apart(self) -> Iterator[str]:
        """Yield how far the kernel's clock may have influenced a job, for the one with most."""
        timed = [job for job in self.jobs if job.system and job.apart_s[1]]
        if not timed:
            return
        job = max(timed, key=lambda each: each.apart_s[1])
        told = (
            "timeouts end at ticks of the kernel's clock, which the simulated one has at other"
            f" instants: a job may be {job.apart_s[1] * 1e3:.0f} ms apart by them"
        )
        if job.over_phases_s:
            low_s, high_s = job.over_phases_s
            number = self.jobs.index(job) + 1
            told += (
                f"; job {number}, {job.live_s:.3f} s live, is {low_s:.3f} to {high_s:.3f} s"
                f" simulated from {timers.PHASES} instants of a tick"
            )
        yield told


def _row(number: int, job: Job) -> str:
    cells = [f"{each:,.3f}" if each else "" for each in (job.live_s, job.simulated_s)]
    off = f"{job.residual_pct:+.2f} %" if job.residual_pct is not None else ""
    state = "" if job.is_whole else f"  not whole: {job.heard.ended or 'still open'}"
    size = f"{job.octets:,}"
    return f"{number:>4}{job.heard.port:>6}{size:>12}{cells[0]:>11}{cells[1]:>11}{off:>10}{state}"


def outcome(asked: Asked, seen: Seen, connections: list[Connection]) -> Outcome:
    """Return the outcome, from the simulated end's connections and the captured ones."""
    by_port = {int(each.client.rsplit(":", 1)[1]): each for each in reversed(connections)}
    jobs = []
    for heard in seen.heard:
        connection = by_port.get(heard.peer_port)
        alone = connection is not None and not _overlaps(connection, connections)
        if asked.scenario == "request-reply":
            jobs.append(_conversation(asked, seen.host, heard, connection, alone))
            continue
        files = heard.files or [File()]
        for file in files:
            own = alone and len(files) == 1
            jobs.append(_job(asked, seen.host, heard, file, connection, own))
    return Outcome(asked, seen, tuple(jobs))


def _job(
    asked: Asked,
    host: Mapping[str, str],
    heard: Heard,
    file: File,
    connection: Connection | None,
    alone: bool,
) -> Job:
    live_s = system = None
    if connection is not None and file.is_whole:
        live_s = _took_s(connection, heard.port == LPR_PORT)
        if alone and file.octets:
            protocol = "lpr" if heard.port == LPR_PORT else "raw"
            did = program.of_a_job(connection, file.octets)
            shown = _windows(asked, connection)
            system = asked.beside(host | shown, protocol=protocol, job_size=file.octets, **did)
    return Job(connection, heard, file.octets, file.sha256, file.is_whole, live_s, system)


def _windows(asked: Asked, connection: Connection) -> dict[str, str]:
    """Return the window that most of the client's packets announced, if one was requested: the
    kernel counts memory, so the packets decide its size."""
    packets = connection.packets
    told = packets["window"][packets["from_client"] & (packets["flags"] & (SYN | RST) == 0)]
    if "tcp_rmem" not in asked.host.sysctls or not len(told):
        return {}
    values, times = np.unique(told, return_counts=True)
    return {"window": str(values[int(np.argmax(times))])}


def _conversation(
    asked: Asked,
    host: Mapping[str, str],
    heard: Heard,
    connection: Connection | None,
    alone: bool,
) -> Job:
    """Return a server's conversation, comparable if each command has the scenario's size."""
    if connection is None:
        return Job(None, heard, 0, "", bool(heard.replies), None, None)
    given = asked.system.parameters()
    size = int(given["command_text"]) + int(given["command_end"])
    sent_B, back_B = connection.carried_B(True), connection.carried_B(False)
    system = None
    if alone and heard.replies and sent_B == heard.replies * size:
        did = program.of_a_talk(connection, size, seconds(given["client_reply_time"]))
        shown = _windows(asked, connection)
        system = asked.beside(host | shown, commands=heard.replies, **did)
    live_s = _took_s(connection, True)
    return Job(connection, heard, sent_B + back_B, "", bool(heard.replies), live_s, system)


def _took_s(connection: Connection, has_replies: bool) -> float:
    """Return the time from the SYN to the last reply, or to the last byte's ACK, in seconds."""
    if not has_replies:
        return Transfer(connection).until_acknowledged_s
    packets = connection.packets
    replies = packets[~packets["from_client"] & (packets["length"] > 0)]
    return float(replies["time_ns"][-1]) / 1e9 if len(replies) else connection.duration_s


def _overlaps(connection: Connection, others: list[Connection]) -> bool:
    """Return whether another connection was open meanwhile: the model has one job at a time."""
    begin, end = connection.start_s, connection.start_s + connection.duration_s
    return any(
        each is not connection and each.start_s < end and begin < each.start_s + each.duration_s
        for each in others
    )
