# SPDX-License-Identifier: GPL-2.0-only
"""The systems of scenarios/systems/*.toml: read, changed and run.

```python
from analysis import systems

hawking = systems["hawking-hps1u"].with_(job_size=65536)
hawking.with_(receive_window=5840, ack_latency="10ms").run().throughput_Bps
hawking.with_(receive_window=8760).run().segments
hawking.with_host("bsd-4.2").run().limits_s
hawking.what_if(receive_window=8760)
hawking.explain().helps[0].words
```
"""

import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis import segments as segment_table
from analysis.declaration import declaration
from analysis.errors import StudyError, unknown
from analysis.flags import ENDS, merged
from analysis.hosts import hosts, profile_end
from analysis.measured import Measured, read_measured
from analysis.notes import Disagreement, Source, read_disagreements, read_sources
from analysis.program import run_point
from analysis.project import ROOT, SYSTEMS, check_writable, scenarios, write_whole
from analysis.segments import Segment
from analysis.settings import Setting, read_settings
from analysis.spot_checks import IN_FULL
from analysis.toml_file import TomlFile

if TYPE_CHECKING:
    import pandas as pd

    from analysis.explanations import Explanation
    from analysis.points import Points
    from analysis.what_if import WhatIf


@dataclass(frozen=True)
class Result:
    """How a run ended; `record` is all that the program said."""

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
    origin: "System | None" = field(default=None, repr=False, compare=False)

    @cached_property
    def packets(self) -> list[Segment]:
        """The segment table as records. A run that kept none is run again for it, which gives the
        same job to the nanosecond; `run(segments=True)` keeps it at once."""
        if self.segments_csv is None:
            if self.origin is None:
                raise StudyError("this result has neither a segment table nor a system to run")
            return self.origin.run(segments=True).packets
        return segment_table.read(self.segments_csv)

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
    host: str = ""  # the profile its host's parameters come from, if any
    sources: tuple[Source, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    changes: dict[str, str] = field(default_factory=dict)

    def with_(self, **parameters: object) -> "System":
        """The same system with some parameters changed; times and rates as texts in ns-3's notation
        ("10ms")."""
        declared = declaration(self.scenario)
        changes = {key: declared.parameter(key).text(value) for key, value in parameters.items()}
        return replace(self, changes=self.changes | changes)

    def with_host(self, name: str) -> "System":
        """The same device and job behind another host: all that the system says of its own host
        gives way to the profile, and what the profile leaves open is the program's default."""
        declared, host = declaration(self.scenario), hosts[name]
        others = {
            key: setting
            for key, setting in self.settings.items()
            if declared.parameter(key).group != profile_end(declared)
        }
        settings = merged(host.settings(self.scenario), others)
        return replace(self, host=host.name, settings=settings)

    def flags(self) -> list[str]:
        """The command line of this system for its scenario's program."""
        declared = declaration(self.scenario)
        values = {key: setting.text for key, setting in self.settings.items()} | self.changes
        return [f"--{declared.parameter(key).flag}={value}" for key, value in values.items()]

    def run(
        self,
        *,
        segments: bool = False,
        pcap: Path | str | None = None,
        wan_pcap: Path | str | None = None,
        fast_forward: bool = True,
    ) -> Result:
        """Simulate the job once. `pcap` captures the packets at the interface whose clock the
        segment table has, `wan_pcap` those on the branch's frame-relay line. Without
        `fast_forward` every cycle is simulated; the numbers are the same."""
        wanted = {"pcap": pcap, "wan-pcap": wan_pcap}
        captures = {flag: Path(path) for flag, path in wanted.items() if path is not None}
        for path in captures.values():
            check_writable(path)
        flags = self.flags()
        with tempfile.TemporaryDirectory(prefix="study-") as folder:
            table = Path(folder) / "segments.csv"
            flags += [f"--{flag}={Path(folder) / flag}" for flag in captures]
            if not fast_forward:
                flags.append(IN_FULL)
            if segments:
                flags.append(f"--segments={table}")
            try:
                record = run_point(self.scenario, flags)
            except StudyError as error:
                raise self._with_place(error) from error
            write_whole(
                {path: (Path(folder) / flag).read_bytes() for flag, path in captures.items()}
            )
            return self.result(record, table.read_text() if segments else None)

    def sweep(self, points: "Points | pd.DataFrame | None" = None, **lists: Any) -> "pd.DataFrame":
        """Simulate at many points; a table, one row a point. See analysis.sweep for its options:
        `.sweep(receive_window=[1024, 2048], ack_latency="1ms:100ms:5log", seeds=10)`."""
        from analysis.sweep import sweep

        return sweep(self, points, **lists)

    def explain(self) -> "Explanation":
        """Why the job is as fast as it is, and what would change that."""
        from analysis.explanations import explain

        return explain(self)

    def what_if(self, host: str | None = None, **parameters: object) -> "WhatIf":
        """The job before and after a change."""
        from analysis.what_if import what_if

        changed = self if host is None else self.with_host(host)
        return what_if(self, changed.with_(**parameters))

    def _with_place(self, error: StudyError) -> StudyError:
        """The program names the parameter it refuses; when the value stands in a file, so do we."""
        refused = str(error).partition(":")[0]
        for key, setting in self.settings.items():
            flag = declaration(self.scenario).parameter(key).flag
            if flag == refused and key not in self.changes:
                return StudyError(f"{setting.place}: {error}")
        return error

    def result(self, record: dict, segments_csv: str | None = None) -> Result:
        """A record of the program, as this system's result."""
        fields = {name: record[name] for name in Result.__dataclass_fields__ if name in record}
        fields |= {"system": self.name, "record": record, "segments_csv": segments_csv}
        fields["origin"] = self
        return Result(**fields)


class Systems(Mapping[str, System]):
    """All systems by name; a path to a .toml file is accepted in place of a name."""

    def __getitem__(self, name: str) -> System:
        if name.endswith(".toml"):
            return load(Path(name))
        if name not in list(self):
            raise unknown("system", name, self)
        return load(SYSTEMS / f"{name}.toml")

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(path.stem for path in SYSTEMS.glob("*.toml")))

    def __len__(self) -> int:
        return len(list(iter(self)))


systems = Systems()


def load(path: Path) -> System:
    """Read one system file, refusing what can't be meant."""
    file = TomlFile(path)
    tables = {
        "title": str,
        "scenario": str,
        **dict.fromkeys(ENDS, str),
        "trace": str,
        "source": list,
        "parameters": dict,
        "measured": list,
        "disagrees": list,
    }
    entries = file.entries(tables, required=("title", "scenario"))
    scenario = entries["scenario"]
    if not re.fullmatch(r"[a-z0-9-]+", scenario):
        raise file.error(f"scenario {scenario!r} is not the name of a program", "scenario")
    if scenario not in scenarios():
        raise file.error(str(unknown("scenario", scenario, scenarios())), "scenario")
    own = read_settings(file, entries.get("parameters", {}), declaration(scenario))
    host = _host(file, entries, scenario)
    return System(
        name=path.stem,
        title=entries["title"],
        scenario=scenario,
        trace=_trace(file, entries.get("trace")),
        settings=merged(_host_settings(file, host, scenario), own),
        measured=tuple(
            read_measured(file, row, declaration(scenario)) for row in entries.get("measured", [])
        ),
        host=host or "",
        sources=read_sources(file, entries.get("source", [])),
        disagreements=read_disagreements(file, entries.get("disagrees", [])),
    )


def _host(file: TomlFile, entries: dict[str, Any], scenario: str) -> str | None:
    """The profile named, by the entry that this scenario has for one."""
    end = profile_end(declaration(scenario))
    for other in ENDS:
        if other != end and other in entries:
            instead = f'; write {end} = "..."' if end else ""
            raise file.error(f"a {scenario} has no {other}{instead}", other)
    return entries.get(end) if end else None


def _trace(file: TomlFile, name: str | None) -> Path | None:
    if name is None:
        return None
    if not (ROOT / name).is_file():
        raise file.error(f"trace names {name}, which is no file of the project", "trace")
    return ROOT / name


def _host_settings(file: TomlFile, name: str | None, scenario: str) -> dict[str, Setting]:
    if name is None:
        return {}
    if name not in list(hosts):
        raise file.error(str(unknown("host", name, hosts)), profile_end(declaration(scenario)))
    return hosts[name].settings(scenario)
