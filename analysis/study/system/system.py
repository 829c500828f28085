# SPDX-License-Identifier: GPL-2.0-only
"""A system as an object that can be changed and run: a host, a device and a job between them."""

import tempfile
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from study.base.errors import Refused, StudyError
from study.base.flags import merged
from study.base.project import check_writable, write_whole
from study.programs import segments as segment_table
from study.programs import waits as wait_table
from study.programs.declaration import declaration
from study.programs.run import IN_FULL, run_point
from study.programs.segments import Segment
from study.programs.values import read_many
from study.programs.waits import Wait
from study.system import mss
from study.system.hosts import check_end, hosts, is_of_machine, profile_end, second_end
from study.system.measured import Measured
from study.system.notes import Disagreement, NotModelled, Source
from study.system.settings import Setting

if TYPE_CHECKING:
    import pandas as pd


SEGMENTS = "segments"  # the file that holds the segment table
WAITS = "waits"  # the one that says who waited for what


@dataclass(frozen=True)
class Result:
    """How a run ended.

    Attributes
    ----------
    outcome
        "finished", "stalled" or "cut-off", with its `reason`.
    bytes, duration_s, throughput_Bps
        Of the job; a rate in B/s only where it finished.
    limits_s
        What limited the job, each limit with its seconds; together they are `duration_s`.
    parameters
        Every parameter of the run, in its canonical form.
    record
        All that the program said.
    """

    system: str
    outcome: str  # "finished", "stalled" or "cut-off"
    reason: str
    bytes: int
    duration_s: float
    throughput_Bps: float | None  # None unless the job finished
    limits_s: dict[str, float]
    parameters: dict[str, str]
    record: dict[str, Any] = field(repr=False)
    segments_csv: str | None = field(default=None, repr=False)
    waits_csv: str | None = field(default=None, repr=False)
    origin: "System | None" = field(default=None, repr=False, compare=False)

    @cached_property
    def packets(self) -> list[Segment]:
        """The segment table as records. A run that kept none is run again for it, which gives the
        same job to the nanosecond; `run(segments=True)` keeps it at once."""
        if self.segments_csv is None:
            if self.origin is None:
                raise StudyError("this result has neither a segment table nor a system to run")
            self.origin.check_leaves_segments()
            return self.origin.run(segments=True).packets
        return segment_table.read(self.segments_csv)

    @cached_property
    def waits(self) -> list[Wait]:
        """Who waited for what, and what the send buffers held, from when on; of a run with
        `waits=True`. The times of a limit add up to what `limits_s` says of it."""
        if self.waits_csv is None:
            raise StudyError("this result does not say who waited when: run(waits=True) does")
        return wait_table.read(self.waits_csv)

    @cached_property
    def segments(self) -> "pd.DataFrame":
        """The segment table as a DataFrame."""
        return segment_table.table(self.packets)


@dataclass(frozen=True)
class System:
    """A host, a device and a job between them, with what was measured on them."""

    name: str
    title: str
    scenario: str
    trace: Path | None
    settings: dict[str, Setting]
    measured: tuple[Measured, ...]
    host: str = ""  # the profile its host's (or client's) parameters come from, if any
    peer: str = ""  # that of its server's or device's
    sources: tuple[Source, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    not_modelled: tuple[NotModelled, ...] = ()
    changes: dict[str, str] = field(default_factory=dict)
    typed: str = ""  # how a command names it: a name, or the path of its file

    def with_(self, **parameters: object) -> "System":
        """Change parameters.

        Parameters
        ----------
        **parameters
            By name: numbers in the parameter's unit, times and rates as texts in ns-3's notation
            ("10ms", "8Mbps").

        Returns
        -------
        System
            The same system with these values; this one stays as it is.

        Raises
        ------
        StudyError
            A parameter is unknown, or its value out of range.
        """
        declared = declaration(self.scenario)
        changed = {declared.parameter(key): value for key, value in parameters.items()}
        changes = {parameter.key: parameter.text(value) for parameter, value in changed.items()}
        # What is said anew in one of two ways takes the place of what was said in the other.
        said = {declared.alternative(key) for key in changes}
        settings = {key: own for key, own in self.settings.items() if key not in said}
        before = {key: text for key, text in self.changes.items() if key not in said}
        changes = before | changes
        settings |= mss.following(declared, self._parameters, changes)
        return replace(self, settings=settings, changes=changes)

    def with_host(self, name: str) -> "System":
        """Put another host in the place of its own.

        All that the system says of its own host gives way to the profile. What the profile leaves
        open is the program's default.

        Parameters
        ----------
        name
            Of a profile in scenarios/hosts, as "linux-6".

        Returns
        -------
        System
            The same device and job behind that host.

        Raises
        ------
        StudyError
            There is no such profile.
        """
        end = profile_end(declaration(self.scenario)) or "host"
        return replace(self, host=hosts[name].name, settings=self._behind(name, end))

    def with_server(self, name: str) -> "System":
        """The same with another host in the place of its server, where that is one."""
        return self.with_profile("server", name)

    def with_device(self, name: str) -> "System":
        """The same with a host as its print server: what its TCP does is the profile's."""
        return self.with_profile("device", name)

    def with_profile(self, end: str, name: str) -> "System":
        """Put a host profile at an end.

        Parameters
        ----------
        end
            "host" or "client", whichever sends first, "server" or "device".
        name
            Of a profile in scenarios/hosts, as "linux-6".

        Returns
        -------
        System
            The same with that host there.

        Raises
        ------
        StudyError
            The scenario has no such end, or there is no such profile.
        """
        declared = declaration(self.scenario)
        check_end(declared, end)
        if end != second_end(declared):
            return self.with_host(name)
        return replace(self, peer=hosts[name].name, settings=self._behind(name, end))

    @property
    def peer_end(self) -> str:
        """The end that `peer` stands at: "server" or "device"; empty where no profile can."""
        return second_end(declaration(self.scenario)) or ""

    def _behind(self, name: str, end: str) -> dict[str, Setting]:
        declared = declaration(self.scenario)
        others = {
            key: setting
            for key, setting in self.settings.items()
            if declared.parameter(key).group != end or is_of_machine(end, key)
        }
        profile = hosts[name].settings(self.scenario, end)
        return merged(profile, others) | mss.following_own(declared, profile, others)

    def rests_on_no_model(self, before: "System", varied: Collection[str] = ()) -> str:
        """Why what it has changed, or what is `varied` of it, has no answer, in a sentence; empty
        where it has one."""
        if not self.not_modelled:
            return ""
        own, declared = before.parameters(), declaration(self.scenario)
        of_host = profile_end(declared) if "host" in varied else None
        changed = [
            key
            for key, text in self.parameters().items()
            if text != own[key]
            or (key in varied and key != "seed")
            or (of_host and declared.parameter(key).group == of_host)
        ]
        for each in self.not_modelled:
            if met := each.meets(changed):
                keys = ", ".join(met)
                return f"{self.name}: a change of {keys} would rest on no model: {each.what}"
        return ""

    @property
    def given(self) -> dict[str, str]:
        """What its file, its host's profile or a change gives, as flags take it."""
        return {key: setting.text for key, setting in self.settings.items()} | self.changes

    def parameters(self) -> dict[str, str]:
        """Every parameter, canonical: what the system has, or else the program's default."""
        return dict(self._parameters)

    @cached_property
    def _parameters(self) -> dict[str, str]:
        declared = declaration(self.scenario)
        changed = [(declared.parameter(key), text) for key, text in self.changes.items()]
        return {
            **{key: parameter.default for key, parameter in declared.parameters.items()},
            **{key: setting.text for key, setting in self.settings.items()},
            **dict(zip(self.changes, (each.text for each in read_many(changed)), strict=True)),
        }

    def flags(self) -> list[str]:
        """The command line of this system for its scenario's program."""
        declared = declaration(self.scenario)
        return [f"--{declared.parameter(key).flag}={text}" for key, text in self.given.items()]

    @property
    def leaves_segments(self) -> bool:
        """Whether its scenario tells the packets of a run."""
        return SEGMENTS in declaration(self.scenario).files

    def check_leaves_segments(self) -> None:
        """Raise where it does not."""
        if not self.leaves_segments:
            raise StudyError(f"a run of {self.scenario} leaves no segment table")

    def run(
        self,
        *,
        segments: bool = False,
        waits: bool = False,
        pcap: Path | str | None = None,
        wan_pcap: Path | str | None = None,
        fast_forward: bool = True,
    ) -> Result:
        """Simulate the job once.

        Parameters
        ----------
        segments
            Whether the result keeps its segment table.
        waits
            Whether it keeps who waited for what, and when, if the scenario leaves that.
        pcap
            File for the packets at the interface whose clock the segment table has.
        wan_pcap
            File for those on the branch's frame-relay line.
        fast_forward
            Whether cycles that are proven to repeat are skipped; the numbers are the same.

        Returns
        -------
        Result
            How the job ended, its rate in B/s, and what limited it, in seconds.

        Raises
        ------
        StudyError
            Values that do not go together, or a file that cannot be written.
        """
        wanted = {"pcap": pcap, "wan-pcap": wan_pcap}
        captures = {flag: Path(path) for flag, path in wanted.items() if path is not None}
        for path in captures.values():
            check_writable(path)
        flags = self.flags()
        with tempfile.TemporaryDirectory(prefix="study-") as folder:
            table, waited = Path(folder) / "segments.csv", Path(folder) / "waits.csv"
            flags += [f"--{flag}={Path(folder) / flag}" for flag in captures]
            if not fast_forward:
                flags.append(IN_FULL)
            segments = segments and self.leaves_segments
            if segments:
                flags.append(f"--{SEGMENTS}={table}")
            waits = waits and WAITS in declaration(self.scenario).files
            if waits:
                flags.append(f"--{WAITS}={waited}")
            try:
                record = run_point(self.scenario, flags)
            except Refused as error:
                raise self._with_place(error) from error
            write_whole(
                {path: (Path(folder) / flag).read_bytes() for flag, path in captures.items()}
            )
            return self.result(
                record,
                table.read_text() if segments else None,
                waited.read_text() if waits else None,
            )

    def _with_place(self, error: Refused) -> Refused:
        """What does not go together with other values; where it stands in a file, that is told."""
        key = error.flag.replace("-", "_")
        place = self.settings[key].place if key in self.settings else ""
        return error.at(key, place) if place and key not in self.changes else error

    def result(
        self, record: dict, segments_csv: str | None = None, waits_csv: str | None = None
    ) -> Result:
        """A record of the program, as this system's result."""
        said = {name: record[name] for name in Result.__dataclass_fields__ if name in record}
        said |= {
            "system": self.name,
            "record": record,
            "segments_csv": segments_csv,
            "waits_csv": waits_csv,
        }
        return Result(**said, origin=self)
