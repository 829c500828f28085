# SPDX-License-Identifier: GPL-2.0-only
"""The systems of scenarios/systems/*.toml: read, changed and run.

```python
from study import systems

hawking = systems["hawking-hps1u"].with_(job_size=65536)
hawking.with_(receive_window=5840, ack_latency="10ms").run().throughput_Bps
hawking.with_(receive_window=8760).run().segments
hawking.with_host("bsd-4.2").run().limits_s
hawking.what_if(receive_window=8760)
hawking.explain().helps[0].words
```
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from study.answers.explain import explain
from study.answers.explanation import Explanation
from study.answers.what_if import WhatIf, what_if
from study.base.errors import unknown
from study.base.flags import ENDS, merged
from study.base.project import ROOT, SYSTEMS, scenarios
from study.base.toml_file import TomlFile
from study.programs.declaration import declaration
from study.runs.points import Points
from study.runs.sweep import sweep
from study.system.hosts import hosts, profile_end
from study.system.measured_rows import read_measured
from study.system.notes import read_disagreements, read_sources
from study.system.settings import Setting, read_settings
from study.system.system import System

if TYPE_CHECKING:
    import pandas as pd


class Catalogued(System):
    """A system with every verb a user has; each is a function of its room."""

    def sweep(self, points: "Points | pd.DataFrame | None" = None, **lists: Any) -> "pd.DataFrame":
        """Simulate at many points; a table, one row a point. See study.runs.sweep for its options:
        `.sweep(receive_window=[1024, 2048], ack_latency="1ms:100ms:5log", seeds=10)`."""
        return sweep(self, points, **lists)

    def explain(self) -> "Explanation":
        """Why the job is as fast as it is, and what would change that."""
        return explain(self)

    def what_if(self, host: str | None = None, **parameters: object) -> "WhatIf":
        """The job before and after a change."""
        changed = self if host is None else self.with_host(host)
        return what_if(self, changed.with_(**parameters))


class Systems(Mapping[str, Catalogued]):
    """All systems by name; a path to a .toml file is accepted in place of a name."""

    def __getitem__(self, name: str) -> Catalogued:
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


def load(path: Path) -> Catalogued:
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
    return Catalogued(
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
