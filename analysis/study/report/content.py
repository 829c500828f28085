# SPDX-License-Identifier: GPL-2.0-only
"""Content of the report as plain data for each of its forms. Numbers come from results/ or fresh
runs, parameters and explanations from the system files. The prose has no numbers."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from study import figures
from study.base.project import ROOT, in_project
from study.base.units import for_readers
from study.catalogue import systems
from study.drawing.languages import ENGLISH, check
from study.judging.reproduction import with_unit
from study.programs.declaration import declaration
from study.report import brief
from study.report.brief import cells
from study.report.system_section import Picture, Told, fresh, from_results, read
from study.report.translated import translated
from study.system.hosts import hosts
from study.system.settings import Setting
from study.system.system import System

ROOM = Path(__file__).parent
METHOD, GLANCE = "method", ("limits", "residuals")
HELPS, NOTHING, WORSE = 5, 6, 3  # number of changes of each kind in a system's section


@dataclass(frozen=True)
class Byline:
    """Author, affiliation, date and title of a report, empty where not given."""

    authors: tuple[str, ...] = ()
    affiliation: str = ""
    date: str = ""
    title: str = ""


def content(
    of: Sequence[System] = (), byline: Byline | None = None, language: str = ENGLISH
) -> dict:
    """Return the report's content, for the study or for the systems in `of`. Raise StudyError if
    there is no translation into the language."""
    byline = byline or Byline()
    own = bool(of)
    check(language, ROOM)
    gather = fresh if own else from_results
    told = [gather(each, language) for each in of or systems.values()]
    prose = words()
    whole = [] if own else [name for name in figures.placed()[""] if name not in (METHOD, *GLANCE)]
    found = [each.system for each in told]
    gathered = {
        "words": prose | {"title": byline.title or prose["title"]},
        "usual_title": prose["title"],
        "is_own": own,
        "byline": asdict(byline),
        "question": [brief.opening(told), *prose["own_question" if own else "question"]],
        "found": brief.found(told),
        "changing": brief.changing(told),
        "trust": brief.trust(told),
        "table": brief.table(told),
        "glance_figures": []
        if own
        else [asdict(Picture.of_study(name, language)) for name in GLANCE],
        "systems": [_system(each, told) for each in told],
        "method": asdict(Picture.of_study(METHOD, language)),
        "figures": [asdict(Picture.of_study(name, language)) for name in whole],
        "hosts": _hosts(found),
        "not_modelled": _not_modelled(),
        "sources": _sources(found, own),
        "rfcs": _rfcs(found if own else ()),
        "ns3": sorted({declaration(each.scenario).ns3 for each in found}),
    }
    return translated(gathered, language)


def words() -> dict:
    """Return the report's prose, which contains no numbers."""
    return tomllib.loads(read(ROOM / "words.toml"))


def _system(told: Told, every: Sequence[Told]) -> dict:
    system = told.system
    mine = {picture.name for picture in told.pictures}
    there = {picture.name for each in every for picture in each.pictures}
    others = [name for name in figures.FIGURES if name in there - mine]
    see = [name for name in others if system.name in figures.systems_of(name)]
    nothing = [row["change"] for row in told.changed("does_nothing")]
    more = [f"and {len(nothing) - NOTHING} more"] if len(nothing) > NOTHING else []
    return {
        "name": system.name,
        "title": system.title,
        "host": system.host,
        "about": f"And what its host, `{system.host}`, has." if system.host else "",
        "trace": in_project(system.trace) if system.trace else "",
        "why": brief.why(told),
        "budget": asdict(told.budget),
        "changes": [_change(row) for row in told.changed("helps")[:HELPS]],
        "worse": [_change(row) for row in told.changed("makes_worse")[:WORSE]],
        "nothing": nothing[:NOTHING] + more,
        "rows": [cells(row) for row in told.rows],
        "disagreements": [vars(entry) for entry in system.disagreements],
        "agrees": _agrees(told),
        "figures": [asdict(picture) for picture in told.pictures],
        "see": [{"name": name, "about": figures.FIGURES.about(name)} for name in see],
        "parameters": _parameters(system.scenario, _own(system)),
        "sources": [source.id for source in system.sources],
    }


def _change(row: dict[str, str]) -> dict[str, str]:
    rate = row["throughput_Bps"]
    after = f"{float(row['command_ms']):,.1f} ms a command" if row["command_ms"] else ""
    after = after or (f"{float(rate) / 1000:,.1f} kB/s" if rate else row["outcome"])
    return {
        "words": row["change"],
        "flag": for_readers(row["flag"]),
        "after": after,
        "worth": brief.worth(row),
    }


def _agrees(told: Told) -> str:
    """Return a sentence on the accuracy of a system without disagreements, else an empty text."""
    off = [abs(float(row["residual_pct"])) for row in told.rows if row["residual_pct"]]
    if told.system.disagreements or not off:
        return ""
    return f"Every figure is within {max(off):.1f} % of the measured one, and nothing is left open."


def _parameters(scenario: str, settings: Mapping[str, Setting]) -> list[dict]:
    """Return the settings by group, in the order of the program's declaration."""
    groups: dict[str, list[dict]] = {}
    for key, parameter in declaration(scenario).parameters.items():
        if setting := settings.get(key):
            value = with_unit(setting.value, for_readers(setting.unit or "") or "1")
            entry = {"key": key, "value": value, "basis": setting.basis, "source": setting.source}
            groups.setdefault(parameter.group, []).append(entry)
    return [{"group": group, "rows": rows} for group, rows in groups.items()]


def _own(system: System) -> Mapping[str, Setting]:
    """Return the settings that the system's file gives, without those of its host profile."""
    there = hosts[system.host].settings(system.scenario) if system.host else {}
    return {key: each for key, each in system.settings.items() if there.get(key) != each}


def _hosts(found: Sequence[System]) -> list[dict]:
    """Return each host profile once for each scenario, with the systems that use it."""
    taken: dict[tuple[str, str], list[System]] = {}
    for system in found:
        if system.host:
            taken.setdefault((system.host, system.scenario), []).append(system)
    return [
        {
            "name": name,
            "title": hosts[name].title,
            "about": f"The host `{name}` of {', '.join(f'`{each.name}`' for each in users)}.",
            "parameters": _parameters(scenario, hosts[name].settings(scenario)),
        }
        for (name, scenario), users in sorted(taken.items())
    ]


def _not_modelled() -> list[dict]:
    """Return the list of what is not modelled, from docs/reference/model.md."""
    text = read(ROOT / "docs" / "reference" / "model.md")
    section = text.partition("## What is not modelled")[2].partition("\n## ")[0]
    items = [" ".join(item.split()) for item in re.split(r"^- ", section, flags=re.MULTILINE)[1:]]
    found = [re.match(r"\*\*(.+?)\*\*\s*(.*)", item) for item in items]
    return [{"what": match[1], "why": match[2]} for match in found if match]


def _sources(of: Sequence[System], own: bool) -> list[dict]:
    """Return every source once, with the files that quote it. A document of which files cite parts
    has the common beginning of their titles."""
    found: dict[str, dict] = {}
    used = {name for each in of for name in (each.host, each.peer)} if own else set(hosts)
    files = [*((each.name, each) for each in of), *((n, hosts[n]) for n in hosts if n in used)]
    for name, file in files:
        for source in file.sources:
            entry = found.setdefault(source.id, {**vars(source), "used_by": []})
            if entry["title"] != source.title:
                entry["title"] = entry["title"].partition(": ")[0]
            if name not in entry["used_by"]:
                entry["used_by"].append(name)
    return [found[name] for name in sorted(found)]


def _rfcs(own: Sequence[System]) -> list[dict]:
    """Return the RFCs that scenarios and systems cite; for the study all of its RFCs."""
    titles = tomllib.loads(read(ROOM / "rfcs.toml"))["titles"]
    folders = (ROOT / "scenarios",) if own else [ROOT / name for name in CITING]
    files = [p for folder in folders for p in sorted(folder.rglob("*.*")) if p.suffix in READ]
    texts = [read(path) for path in files]
    texts += [setting.source for system in own for setting in system.settings.values()]
    cited = {int(number) for text in texts for number in re.findall(r"RFC (\d+)", text)}
    return [{"number": n, "title": titles.get(str(n), "")} for n in sorted(cited)]


CITING = ("scenarios", "analysis", "docs")
READ = {".cc", ".h", ".toml", ".py", ".md"}
