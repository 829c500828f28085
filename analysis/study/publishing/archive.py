# SPDX-License-Identifier: GPL-2.0-only
"""`study export`: the study's tables, parameters, sources and figures, or an author's own work, as
one archive for a reader without the project. It is a Frictionless data package (datapackage.org):
every file is listed with its size, its checksum and the meaning of its columns. RO-Crate metadata
and a CITATION.cff are included. The same study gives the same bytes."""

import csv
import io
import json
import tomllib
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date as calendar_date
from hashlib import sha256
from importlib.metadata import metadata
from pathlib import Path

from study import figures
from study.answers import changes
from study.base.errors import StudyError, unknown
from study.base.project import FIGURES, HOSTS, RESULTS, ROOT, SYSTEMS, read_text
from study.base.templates import templates
from study.catalogue import systems
from study.judging import reproduction
from study.programs.declaration import declaration
from study.publishing import crate, own, sidecar
from study.publishing.own import Own
from study.system.hosts import hosts
from study.system.system import System

ROOM = Path(__file__).parent
NAME, FORMAT = "slow-transfer-study", 1
DESCRIPTOR, SUMS, TABLE = "datapackage.json", "SHA256SUMS", "results/reproduction.csv"
CHANGES = "results/changes.csv"
THE_FIRST = (1980, 1, 1, 0, 0, 0)  # always this date: equal content is an equal file
KINDS = {"csv": "text/csv", "toml": "application/toml", "svg": "image/svg+xml"}
KINDS |= {"pdf": "application/pdf", "md": "text/markdown", "cff": "application/yaml"}
KINDS |= {"json": "application/json", "parquet": "application/vnd.apache.parquet"}
KINDS |= dict.fromkeys(("pcap", "pcapng", "cap"), "application/vnd.tcpdump.pcap")
KINDS |= {"gz": "application/gzip"}
# Files of one machine, or of no use without the project.
LOCAL = ("benchmarks.csv", "benchmarks-busy.csv", "ns3-builds.csv", "reference.csv")
LOCAL += ("robustness.csv", "named-limits.csv")
NUMBERS = ("_Bps", "_B", "_s", "_ms", "_us", "_pct", "_kbps", "_bps")

Files = dict[str, bytes]


@dataclass(frozen=True)
class Citation:
    """Authors, affiliation and date to cite, empty where not given."""

    authors: tuple[str, ...] = ()
    affiliation: str = ""
    date: str = ""


def archive(names: Sequence[str] = (), citation: Citation | None = None) -> bytes:
    """Return a zip file of the whole study, or of the systems and files named. Raise StudyError if
    a name is unknown, or a file cannot be read."""
    ours = [name for name in names if not own.is_own(name)]
    theirs = own.read([name for name in names if own.is_own(name)])
    chosen = {name: systems[name] for name in (ours if names else systems)} | theirs.systems
    files = _described(_contents(chosen, theirs), chosen, citation or Citation())
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in sorted(files.items()):
            made.writestr(zipfile.ZipInfo(f"{NAME}/{name}", THE_FIRST), content)
    return out.getvalue()


def check(names: Sequence[str], date: str) -> None:
    """Raise StudyError before the work for a name, file or date that cannot be exported."""
    for name in names:
        if not own.is_own(name) and name not in list(systems):
            raise unknown("system", name, systems)
    own.check([name for name in names if own.is_own(name)])
    try:
        calendar_date.fromisoformat(date or "2000-01-01")
    except ValueError:
        raise StudyError(f"--date = {date!r} is not a day as in 2001-02-28") from None


def versions(chosen: Iterable[System]) -> dict[str, str]:
    """Return the versions on which these systems' numbers depend."""
    ns3 = {declaration(each.scenario).ns3 for each in chosen}
    return {**sidecar.versions(), "ns-3": ", ".join(sorted(ns3))}


def _contents(chosen: Mapping[str, System], theirs: Own) -> Files:
    """Return all files except those that describe them."""
    names = [name for name in chosen if name not in theirs.systems]
    files: Files = {"LICENSE": (ROOT / "LICENSE").read_bytes()} | theirs.files
    for name in names:
        files[f"systems/{name}.toml"] = (SYSTEMS / f"{name}.toml").read_bytes()
    used = {name for each in chosen.values() for name in (each.host, each.peer) if name}
    for name in sorted(used):
        files[f"hosts/{name}.toml"] = (HOSTS / f"{name}.toml").read_bytes()
    files["parameters.csv"] = parameters(chosen)
    files["sources.csv"] = _csv(_sources(chosen, used))
    whole = set(names) == set(systems)
    for path in sorted(RESULTS.glob("*.csv")) if whole else ():
        if path.name not in LOCAL:
            files[f"results/{path.name}"] = path.read_bytes()
    rows = [row for row in reproduction.from_csv(read_text(ROOT / TABLE)) if row["system"] in names]
    files[TABLE] = reproduction.to_csv(rows + reproduction.rows_of(theirs.systems)).encode()
    tried = [row for row in changes.from_csv(read_text(ROOT / CHANGES)) if row["system"] in names]
    if tried:
        files[CHANGES] = changes.to_csv(tried).encode()
    for name in figures.FIGURES:
        of = figures.systems_of(name)
        if (not of and whole) or set(of) & set(names):
            for kind in ("svg", "pdf", "csv"):
                path = FIGURES / f"{name}.{kind}"
                files[f"figures/{path.name}"] = path.read_bytes()
    return files


def _described(files: Files, chosen: Mapping[str, System], citation: Citation) -> Files:
    about = metadata(NAME)
    words = {
        "version": about["Version"],
        "title": f"{NAME}: {about['Summary']}",
        "license": "GPL-2.0-only",
        "versions": versions(chosen.values()),
        "citation": citation,
    }
    environment = templates(ROOM)
    environment.autoescape = False
    environment.filters["json"] = json.dumps
    columns = tomllib.loads(read_text(ROOM / "columns.toml"))
    for target, template in (("CITATION.cff", "citation.jinja"), ("README.md", "export.jinja")):
        text = environment.get_template(template).render(
            **words, columns=columns, table=TABLE, files=sorted(files)
        )
        files[target] = text.encode()
    resources = [_resource(name, files[name], columns) for name in sorted(files)]
    descriptor = {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": NAME,
        "title": words["title"],
        "version": words["version"],
        "licenses": [{"name": "GPL-2.0-only"}],
        "contributors": [{"title": name} for name in citation.authors],
        "format": FORMAT,
        "versions": words["versions"],
        "resources": resources,
    }
    files[DESCRIPTOR] = (json.dumps(descriptor, indent=1) + "\n").encode()
    files[crate.FILE] = crate.crate(descriptor, **vars(citation))
    sums = [f"{sha256(files[name]).hexdigest()}  {name}" for name in sorted(files)]
    files[SUMS] = ("\n".join(sums) + "\n").encode()
    return files


def _resource(path: str, content: bytes, columns: Mapping[str, Mapping[str, str]]) -> dict:
    """Return a file's entry in the data package."""
    kind = path.rpartition(".")[2] if "." in path else "txt"
    found = {
        "name": path.lower().replace("/", "-").replace(".", "-"),
        "path": path,
        "format": kind,
        "mediatype": KINDS.get(kind, "text/plain"),
        "bytes": len(content),
        "hash": f"sha256:{sha256(content).hexdigest()}",
    }
    if kind == "csv":
        head = next(csv.reader(content.decode().splitlines()))
        told = columns.get(Path(path).stem, {}) if not path.startswith("figures/") else {}
        found["schema"] = {"fields": [_field(name, told) for name in head]}
        found["schema"]["missingValues"] = [""]
    return found


def _field(name: str, told: Mapping[str, str]) -> dict[str, str]:
    kind = "number" if name.endswith(NUMBERS) else "any"
    return {"name": name, "type": kind} | ({"description": told[name]} if name in told else {})


def parameters(chosen: Mapping[str, System]) -> bytes:
    """Return parameters.csv: a row for each parameter of a system, with those of host profiles."""
    rows = [
        {
            "system": name,
            "key": key,
            "value": setting.value,
            "unit": setting.unit or "",
            "basis": setting.basis,
            "source": setting.source,
        }
        for name, system in sorted(chosen.items())
        for key, setting in system.settings.items()
    ]
    return _csv(rows)


def _sources(chosen: Mapping[str, System], used: set[str]) -> list[dict[str, object]]:
    found: dict[tuple[str, str, str], list[str]] = {}
    files = [*chosen.items(), *((name, hosts[name]) for name in sorted(used))]
    for name, file in files:
        for source in file.sources:
            found.setdefault((source.id, source.title, source.author), []).append(name)
    return [
        {"id": key, "title": title, "author": author, "used_by": " ".join(by)}
        for (key, title, author), by in sorted(found.items())
    ]


def _csv(rows: Sequence[Mapping[str, object]]) -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()
