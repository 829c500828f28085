# SPDX-License-Identifier: GPL-2.0-only
"""All that the report says, as plain data that both of its forms take. Its numbers are those of
results/, its parameters and explanations those of the system files; the prose has none."""

import csv
import re
import tomllib
from pathlib import Path

from study import figures
from study.answers.overview import Glance, glances
from study.base.errors import StudyError
from study.base.project import FIGURES, RESULTS, ROOT, read_text, shown
from study.catalogue import systems
from study.drawing.flow import name_of
from study.drawing.kinds.limits import three
from study.judging import reproduction
from study.judging.reproduction import Row, from_csv, with_unit
from study.programs.declaration import declaration
from study.programs.labels import spelt
from study.system.hosts import hosts
from study.system.system import System

HERE = Path(__file__).parent
UNITS = {"us": "µs"}  # as a document writes them
MINUS, NO_BREAK = "\N{MINUS SIGN}", "\N{NO-BREAK SPACE}"
METHOD, GLANCE = "method", ("limits", "residuals")


def content() -> dict:
    rows = from_csv(_read(RESULTS / "reproduction.csv"))
    limits = list(csv.DictReader(_read(FIGURES / "limits.csv").splitlines()))
    # The figures of each system's section, but for those that stand elsewhere.
    elsewhere = (METHOD, *GLANCE)
    placed = {
        system: [name for name in names if name not in elsewhere]
        for system, names in figures.placed().items()
    }
    return {
        "words": words(),
        "method": _figure(METHOD),
        "glance": [_glance(each) for each in glances(rows, limits)],
        "glance_figures": [_figure(name) for name in GLANCE],
        "systems": [_system(system, rows, placed) for system in systems.values()],
        "figures": [_figure(name) for name in placed[""]],
        "not_modelled": _not_modelled(),
        "sources": _sources(),
        "rfcs": _rfcs(),
        "ns3": sorted({declaration(system.scenario).ns3 for system in systems.values()}),
    }


def words() -> dict:
    """The prose, which has no numbers."""
    return tomllib.loads(_read(HERE / "words.toml"))


def _figure(name: str) -> dict:
    return {
        "name": name,
        "about": figures.FIGURES.about(name),
        "caption": figures.caption(_read(FIGURES / f"{name}.svg")),
        "file": f"{name}.svg",
    }


def _glance(glance: Glance) -> dict:
    return {
        "name": glance.name,
        "title": name_of(systems[glance.name]),
        "limit": f"{spelt(glance.limit)}, {three(glance.share_pct)}{NO_BREAK}%",
        "row": _cells(glance.row) if glance.row else None,
    }


def _system(system: System, rows: list[Row], placed: dict[str, list[str]]) -> dict:
    mine = placed[system.name]
    others = [n for n in figures.FIGURES if system.name in figures.systems_of(n) and n not in mine]
    return {
        "name": system.name,
        "title": system.title,
        "host": system.host,
        "trace": shown(system.trace) if system.trace else "",
        "rows": [_cells(row) for row in rows if row["system"] == system.name],
        "disagreements": [vars(entry) for entry in system.disagreements],
        "figures": [_figure(name) for name in mine],
        "see": [{"name": name, "about": figures.FIGURES.about(name)} for name in others],
        "parameters": _parameters(system),
        "sources": [source.id for source in system.sources],
    }


def _cells(row: Row) -> Row:
    """A row of the table of results as a document prints it."""
    cells = reproduction.cells(row | {"unit": UNITS.get(row["unit"], row["unit"])})
    return cells | {"residual": cells["residual"].replace("-", MINUS)}


def _parameters(system: System) -> list[dict]:
    """The settings by group, in the order in which the program declares them."""
    groups: dict[str, list[dict]] = {}
    for key, parameter in declaration(system.scenario).parameters.items():
        if setting := system.settings.get(key):
            value = with_unit(setting.value, UNITS.get(setting.unit, setting.unit) or "1")
            entry = {"key": key, "value": value, "basis": setting.basis, "source": setting.source}
            groups.setdefault(parameter.group, []).append(entry)
    return [{"group": group, "rows": rows} for group, rows in groups.items()]


def _not_modelled() -> list[dict]:
    """From the page of the model, where it stands first."""
    text = _read(ROOT / "docs" / "reference" / "model.md")
    section = text.partition("## What is not modelled")[2].partition("\n## ")[0]
    items = [" ".join(item.split()) for item in re.split(r"^- ", section, flags=re.MULTILINE)[1:]]
    found = [re.match(r"\*\*(.+?)\*\*\s*(.*)", item) for item in items]
    return [{"what": match[1], "why": match[2]} for match in found if match]


def _sources() -> list[dict]:
    """Every source once, with whom it is quoted for; where files name parts of one document, what
    their titles begin with."""
    found: dict[str, dict] = {}
    for name, file in [*systems.items(), *hosts.items()]:
        for source in file.sources:
            entry = found.setdefault(
                source.id, {"id": source.id, "title": source.title, "used_by": []}
            )
            if entry["title"] != source.title:
                entry["title"] = entry["title"].partition(": ")[0]
            if name not in entry["used_by"]:
                entry["used_by"].append(name)
    return [found[name] for name in sorted(found)]


def _rfcs() -> list[dict]:
    """Those that the scenarios, the systems, the closed forms and the pages name."""
    titles = tomllib.loads(_read(HERE / "rfcs.toml"))["titles"]
    folders = (ROOT / "scenarios", ROOT / "analysis", ROOT / "docs")
    files = [p for folder in folders for p in sorted(folder.rglob("*.*")) if p.suffix in READ]
    cited = {int(number) for path in files for number in re.findall(r"RFC (\d+)", _read(path))}
    return [{"number": n, "title": titles.get(str(n), "")} for n in sorted(cited)]


READ = {".cc", ".h", ".toml", ".py", ".md"}


def _read(path: Path) -> str:
    try:
        return read_text(path)
    except StudyError as error:
        raise StudyError(f"{error}; run ./waf reproduce") from error
