# SPDX-License-Identifier: GPL-2.0-only
"""An author's own work in an archive: system files, captures and tables of sweeps, with what their
runs gave, and the same runs on another machine."""

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from study.base.errors import StudyError, unknown
from study.base.project import CAPTURE, check_no_device, read_bounded, scenarios
from study.catalogue import systems
from study.judging import table_file
from study.kit.systems import load
from study.system.system import System

if TYPE_CHECKING:
    import pandas as pd

    from study.diagnosis.diagnosis import Diagnosis

RUNS = "results/own-runs.csv"
COLUMNS = ("system", "outcome", "bytes", "duration_s", "throughput_Bps", "limit", "limit_pct")
MOST_B = 1 << 28  # of all files of an archive together, unpacked: the study has about 8 MB
DRAWN = 20  # points of a sweep that are run again; --all runs every one


@dataclass(frozen=True)
class Own:
    """An author's systems by name, and files for the archive."""

    systems: Mapping[str, System]
    files: Mapping[str, bytes]


def is_own(name: str) -> bool:
    """Return whether the name is a file's, not a system's of the study."""
    return Path(name).suffix in (".toml", ".parquet", ".csv") or bool(CAPTURE.search(name))


def check(names: Sequence[str]) -> None:
    """Raise StudyError before the work for a file that cannot go into an archive."""
    taken = dict.fromkeys(systems, "the study's system of that name")
    for name in names:
        path = Path(name)
        check_no_device(path)
        if path.suffix == ".csv":
            raise StudyError(
                f"{name}: a CSV table does not say its system; write the sweep with -o"
                f" {path.with_suffix('.parquet').name}"
            )
        if not path.is_file():
            raise StudyError(f"cannot read {name}: there is no such file")
        stem = _stem(path)
        if stem in taken:
            raise StudyError(f"{name} would take the place of {taken[stem]}; give it another name")
        taken[stem] = name


def read(names: Sequence[str]) -> Own:
    """Return the systems, captures and sweeps of these files. A capture adds what its packets show
    and the system fitted by its diagnosis."""
    files: dict[str, bytes] = {}
    found: dict[str, System] = {}
    for path in map(Path, names):
        content, stem = read_bounded(path, MOST_B - sum(map(len, files.values()))), _stem(path)
        if path.suffix == ".parquet":
            table = sweep_of(path)
            files[f"sweeps/{path.name}"] = content
            files[f"sweeps/{stem}.csv"] = table.to_csv(index=False, lineterminator="\n").encode()
            continue
        if path.suffix == ".toml":
            found[stem] = load(path)
        else:
            files[f"captures/{path.name}"] = content
            seen = _diagnosis(path)
            files[f"captures/{stem}.json"] = facts(seen)
            if seen.answer is None:  # no system fits its packets
                continue
            content = seen.toml().encode()
            with tempfile.TemporaryDirectory() as folder:
                found[stem] = load(_written(Path(folder) / f"{stem}.toml", content))
        files[f"systems/{stem}.toml"] = content
    if found:
        files[RUNS] = runs(found)
    return Own(found, files)


def runs(chosen: Mapping[str, System]) -> bytes:
    """Return own-runs.csv: each system's outcome, rate and largest limit."""
    return table_file.to_csv(COLUMNS, [_run(*each) for each in sorted(chosen.items())]).encode()


def _run(name: str, system: System) -> dict[str, object]:
    result = system.run()
    limit = max(result.limits_s, key=result.limits_s.__getitem__)
    share = 100 * result.limits_s[limit] / result.duration_s if result.duration_s else 0
    told = {key: getattr(result, key) for key in COLUMNS[1:5]}
    told["throughput_Bps"] = told["throughput_Bps"] and f"{told['throughput_Bps']:.1f}"
    return {"system": name, **told, "limit": limit, "limit_pct": f"{share:.2f}"}


def _diagnosis(path: Path) -> "Diagnosis":
    from study.diagnosis.diagnosis import diagnose

    return diagnose(str(path))


def facts(found: "Diagnosis") -> bytes:
    """Return what a capture's packets show, as JSON: names with value, unit, text and packets."""
    return (json.dumps(found.record_of_facts(), indent=1) + "\n").encode()


def sweep_of(path: Path) -> "pd.DataFrame":
    """Return a sweep's table, whose attributes say what was run. Raise StudyError if it cannot be
    read, or lacks these attributes."""
    import pandas as pd

    try:
        table = pd.read_parquet(path)
    except (ValueError, OSError) as error:
        raise StudyError(f"{path} cannot be read: {str(error).lower()}") from error
    missing = {"system", "scenario", "parameters", "varied"} - table.attrs.keys()
    if missing:
        raise StudyError(f"{path} is no table of study sweep: it does not say its system")
    return table


def again(files: Mapping[str, bytes], everything: bool) -> Iterator[tuple[str, bool]]:
    """Yield for each capture and sweep in an archive a description of its check, and whether the
    result is the same here."""
    with tempfile.TemporaryDirectory() as folder:
        for name in sorted(files):
            path = Path(folder) / Path(name).name
            try:
                if name.startswith("captures/") and CAPTURE.search(name):
                    there = files.get(f"captures/{_stem(path)}.json")
                    here = facts(_diagnosis(_written(path, files[name])))
                    yield f"what the packets of {name} show", here == there
                elif name.startswith("sweeps/") and path.suffix == ".parquet":
                    table = sweep_of(_written(path, files[name]))
                    places = list(range(len(table))) if everything else _drawn(table)
                    told = f"{len(places):,} of {len(table):,} points of {name}, run again"
                    yield told, _points_again(table, places)
            except StudyError as error:
                yield f"{name} cannot be looked at here: {error}", False


def _drawn(table: "pd.DataFrame") -> list[int]:
    """Return the indices of some points, chosen by a digest of their number."""
    order = sorted(range(len(table)), key=lambda place: sha256(str(place).encode()).digest())
    return sorted(order[:DRAWN])


def _points_again(table: "pd.DataFrame", places: Sequence[int]) -> bool:
    from study.runs.sweep import prepare

    about = table.attrs
    if about["scenario"] not in scenarios():
        raise unknown("scenario", about["scenario"], scenarios())
    base = System(about["system"], "", about["scenario"], None, {}, (), changes=about["parameters"])
    there = table.iloc[places].reset_index(drop=True)
    here, _ = prepare(base, there[about["varied"]]).run(progress=False, fresh=True)
    return there.astype(str).equals(here[list(there)].astype(str))


def _stem(path: Path) -> str:
    """Return the file's name without its endings: `job` for `job.pcap.gz`."""
    return CAPTURE.sub("", path.name) if CAPTURE.search(path.name) else path.stem


def _written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path
