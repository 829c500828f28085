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
from study.system import mss, unscaled
from study.system.hosts import check_end, hosts, is_of_machine, profile_end, second_end
from study.system.measured import Measured
from study.system.notes import Disagreement, NotModelled, Source
from study.system.settings import Setting

if TYPE_CHECKING:
    import pandas as pd


SEGMENTS = "segments"  # flag of the file with the segment table
WAITS = "waits"  # flag of the file with each end's waits


@dataclass(frozen=True)
class Result:
    """How a run ended.

    Attributes
    ----------
    outcome
        "finished", "stalled" or "cut-off", with its `reason`.
    bytes, duration_s, throughput_Bps
        Of the job; the rate in B/s is None unless it finished.
    limits_s
        Time in seconds by limit; the times add up to `duration_s`.
    parameters
        Every parameter of the run, in its canonical form.
    record
        The program's whole record.
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
        """The segment table as records. If the run did not keep it, the job runs again, with
        identical results; `run(segments=True)` keeps it. Raise StudyError if there is no system to
        run, or its scenario has no segment table."""
        if self.segments_csv is None:
            if self.origin is None:
                raise StudyError("this result has neither a segment table nor a system to run")
            self.origin.check_leaves_segments()
            return self.origin.run(segments=True).packets
        return segment_table.read(self.segments_csv)

    @cached_property
    def waits(self) -> list[Wait]:
        """Each wait with its end, its limit and the send buffers, from a run with `waits=True`. The
        times of a limit add up to its `limits_s`."""
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
    host: str = ""  # host profile of the host or client, if any
    peer: str = ""  # host profile of the server or device, if any
    sources: tuple[Source, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    not_modelled: tuple[NotModelled, ...] = ()
    changes: dict[str, str] = field(default_factory=dict)
    typed: str = ""  # how a command names it: by name or by path

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
            A copy of the system with these values.

        Raises
        ------
        StudyError
            A parameter is unknown, or its value out of range.
        """
        declared = declaration(self.scenario)
        changed = {declared.parameter(key): value for key, value in parameters.items()}
        changes = {parameter.key: parameter.text(value) for parameter, value in changed.items()}
        # A value given in one of two alternative ways replaces the other way's.
        said = {declared.alternative(key) for key in changes}
        settings = {key: own for key, own in self.settings.items() if key not in said}
        before = {key: text for key, text in self.changes.items() if key not in said}
        changes = before | changes
        settings |= mss.following(declared, self._parameters, changes)
        if unscaled.both_scale(self._parameters | changes):
            settings = unscaled.restored(settings)
        return replace(self, settings=settings, changes=changes)

    def with_host(self, name: str) -> "System":
        """Replace the host by a host profile.

        The profile replaces all parameters of the system's own host. Parameters that the profile
        does not set have the program's defaults.

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
        """Return the system with a host profile as its server. Raise StudyError if it has no
        server, or there is no such profile."""
        return self.with_profile("server", name)

    def with_device(self, name: str) -> "System":
        """Return the system with a host profile as its print server's TCP. Raise StudyError if it
        has no device, or there is no such profile."""
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
            The system with that profile at that end.

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
        """The end that `peer` belongs to: "server", "device", or empty without a second profile."""
        return second_end(declaration(self.scenario)) or ""

    def _behind(self, name: str, end: str) -> dict[str, Setting]:
        declared = declaration(self.scenario)
        others = {
            key: setting
            for key, setting in unscaled.restored(self.settings).items()
            if declared.parameter(key).group != end or is_of_machine(end, key)
        }
        profile = hosts[name].settings(self.scenario, end)
        followed = mss.following_own(declared, profile, others)
        return merged(profile, others) | followed | unscaled.bounded(end, profile, others)

    def rests_on_no_model(self, before: "System", varied: Collection[str] = ()) -> str:
        """Return a sentence on why the model has no answer for this system's changes, or for those
        `varied`, empty if it has one."""
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
        """The parameters that the file, its host profiles or a change give, as texts for flags."""
        return {key: setting.text for key, setting in self.settings.items()} | self.changes

    def parameters(self) -> dict[str, str]:
        """Return every parameter, canonical: the system's or the program's default."""
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
        """Return the flags of this system for its scenario's program."""
        declared = declaration(self.scenario)
        return [f"--{declared.parameter(key).flag}={text}" for key, text in self.given.items()]

    @property
    def leaves_segments(self) -> bool:
        """Whether the scenario can write a segment table."""
        return SEGMENTS in declaration(self.scenario).files

    def check_leaves_segments(self) -> None:
        """Raise StudyError if the scenario cannot write a segment table."""
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
            Whether it keeps which end waited for what, and when, if the scenario can.
        pcap
            File for the packets at the interface whose clock the segment table has.
        wan_pcap
            File for the packets on the branch's frame-relay line.
        fast_forward
            Whether cycles that are proven to repeat are skipped; the numbers are the same.

        Returns
        -------
        Result
            How the job ended, its rate in B/s, and what limited it, in seconds.

        Raises
        ------
        StudyError
            The program refuses the values, or a file cannot be written.
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
        """Return the error with its place in a file, if the value comes from one."""
        key = error.flag.replace("-", "_")
        place = self.settings[key].place if key in self.settings else ""
        return error.at(key, place) if place and key not in self.changes else error

    def result(
        self, record: dict, segments_csv: str | None = None, waits_csv: str | None = None
    ) -> Result:
        """Return a program's record as a result of this system."""
        said = {name: record[name] for name in Result.__dataclass_fields__ if name in record}
        said |= {
            "system": self.name,
            "record": record,
            "segments_csv": segments_csv,
            "waits_csv": waits_csv,
        }
        return Result(**said, origin=self)
