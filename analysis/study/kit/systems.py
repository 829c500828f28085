# SPDX-License-Identifier: GPL-2.0-only
"""The systems of scenarios/systems/*.toml, and any other file like them, read with what their
scenario says of its figures."""

import re
import shlex
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from study.base.errors import StudyError, unknown
from study.base.flags import ENDS, merged
from study.base.project import GENERIC, ROOT, SYSTEMS, scenarios
from study.base.toml_file import TomlFile, TomlFiles
from study.kit.scenario import about
from study.programs.declaration import declaration
from study.system.hosts import check_end, hosts, profile_end, second_end
from study.system.measured_rows import Known, read_measured
from study.system.mss import following_own
from study.system.notes import Disagreement, Source, read_not_modelled, read_notes
from study.system.settings import Setting, read_settings
from study.system.system import System

Kind = TypeVar("Kind", bound=System)


class Systems(TomlFiles[Kind]):
    """All systems by name, as objects of one class. Generic systems, without measurements, are
    found by name but not iterated over."""

    def __init__(self, kind: type[Kind]) -> None:
        super().__init__("system", SYSTEMS, partial(load, kind=kind), beside=GENERIC)


def load(path: Path, kind: type[Kind] = System) -> Kind:
    """Read one system file. Raise StudyError if an entry is unknown, missing or contradictory."""
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
        "not_modelled": dict,
    }
    entries = file.entries(tables, required=("title", "scenario"))
    scenario = entries["scenario"]
    if not re.fullmatch(r"[a-z0-9-]+", scenario):
        raise file.error(f"scenario {scenario!r} is not the name of a program", "scenario")
    if scenario not in scenarios():
        raise file.error(str(unknown("scenario", scenario, scenarios())), "scenario")
    known = judges.known() if (judges := about(scenario).judges) else Known()
    own = read_settings(file, entries.get("parameters", {}), declaration(scenario))
    profiles = _profiles(file, entries, scenario)
    behind: dict[str, Setting] = {}
    for end, name in profiles.items():
        behind |= hosts[name].settings(scenario, end)
    return kind(
        name=path.stem,
        typed=path.stem if path.parent in (SYSTEMS, GENERIC) else shlex.quote(str(path)),
        title=entries["title"],
        scenario=scenario,
        trace=_trace(file, entries.get("trace")),
        settings=merged(behind, own) | following_own(declaration(scenario), behind, own),
        measured=tuple(
            read_measured(file, row, declaration(scenario), known)
            for row in entries.get("measured", [])
        ),
        host=profiles.get(profile_end(declaration(scenario)) or "", ""),
        peer=profiles.get(second_end(declaration(scenario)) or "", ""),
        sources=read_notes(file, "source", Source, entries.get("source", [])),
        disagreements=read_notes(file, "disagrees", Disagreement, entries.get("disagrees", [])),
        not_modelled=read_not_modelled(
            file, entries.get("not_modelled", {}), declaration(scenario).parameters
        ),
    )


def _profiles(file: TomlFile, entries: dict[str, Any], scenario: str) -> dict[str, str]:
    """Return the names of the host profiles by end, checked against the scenario's ends."""
    named = {end: entries[end] for end in ENDS if end in entries}
    for end, name in named.items():
        try:
            check_end(declaration(scenario), end)
        except StudyError as error:
            raise file.error(str(error), end) from error
        if name not in list(hosts):
            raise file.error(str(unknown("host", name, hosts)), end)
    return named


def _trace(file: TomlFile, name: str | None) -> Path | None:
    if name is None:
        return None
    if not (ROOT / name).is_file():
        raise file.error(f"trace names {name}, which is no file of the project", "trace")
    return ROOT / name


systems = Systems(System)
