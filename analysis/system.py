# SPDX-License-Identifier: GPL-2.0-only
"""The systems of scenarios/systems/*.toml: read, changed and run.

from analysis import systems
systems["hawking-hps1u"].with_(receive_window=5840, ack_latency="10ms").run().throughput_Bps
"""

import re
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis import segments as segment_table
from analysis.declaration import Parameter, declaration
from analysis.errors import StudyError, unknown
from analysis.program import run_point
from analysis.project import ROOT, SYSTEMS, shown, write_whole
from analysis.segments import Segment
from analysis.units import MEASURED

if TYPE_CHECKING:
    import pandas as pd

BASES = ("measured", "derived", "assumed", "published")
USES = ("input", "prediction")


@dataclass(frozen=True)
class Setting:
    """A parameter's value, and where it comes from."""

    value: str
    unit: str
    basis: str
    source: str


@dataclass(frozen=True)
class Measured:
    """A figure the source gives. `kind` names the rule of analysis.quantities that reads it off a
    run."""

    quantity: str
    kind: str
    value: float
    unit: str
    basis: str
    source: str
    used_as: str  # "input": a parameter was derived from it; "prediction": nothing was
    packet: dict[str, Any] = field(default_factory=dict)
    message_B: int | None = None
    tolerance_pct: float | None = None


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

    @cached_property
    def packets(self) -> list[Segment]:
        """The segment table as records."""
        if self.segments_csv is None:
            raise StudyError("this run kept no segment table; run(segments=True) keeps it")
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
    changes: dict[str, str] = field(default_factory=dict)

    def with_(self, **parameters: object) -> "System":
        """The same system with some parameters changed; times and rates as texts in ns-3's notation
        ("10ms")."""
        declared = declaration(self.scenario)
        changes = {key: declared.parameter(key).text(value) for key, value in parameters.items()}
        return replace(self, changes=self.changes | changes)

    def flags(self) -> list[str]:
        """The command line of this system for its scenario's program."""
        declared = declaration(self.scenario)
        values = {
            key: _flag_text(self.name, declared.parameter(key), item)
            for key, item in self.settings.items()
        }
        return [
            f"--{declared.parameter(key).flag}={value}"
            for key, value in (values | self.changes).items()
        ]

    def run(self, *, segments: bool = False, pcap: Path | None = None) -> Result:
        """Simulate the job once."""
        flags = self.flags()
        with tempfile.TemporaryDirectory(prefix="study-") as folder:
            capture, table = Path(folder) / "job.pcap", Path(folder) / "segments.csv"
            if pcap is not None:
                flags.append(f"--pcap={capture}")
            if segments:
                flags.append(f"--segments={table}")
            record = run_point(self.scenario, flags)
            if pcap is not None:
                write_whole({pcap: capture.read_bytes()})
            return self.result(record, table.read_text() if segments else None)

    def result(self, record: dict, segments_csv: str | None = None) -> Result:
        """A record of the program, as this system's result."""
        fields = {name: record[name] for name in Result.__dataclass_fields__ if name in record}
        fields |= {"system": self.name, "record": record, "segments_csv": segments_csv}
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
    file = _File(path)
    tables = {
        "title": str,
        "scenario": str,
        "trace": str,
        "source": list,
        "parameters": dict,
        "measured": list,
    }
    for key in file.content:
        if key not in tables:
            raise file.error(str(unknown("entry", key, tables)), key)
    entries = {
        key: file.typed(file.content, key, kind)
        for key, kind in tables.items()
        if key in file.content
    }
    for key in ("title", "scenario"):
        if key not in entries:
            raise file.error(f'has no {key}; give one: {key} = "..."')
    if not re.fullmatch(r"[a-z0-9-]+", entries["scenario"]):
        raise file.error(
            f"scenario {entries['scenario']!r} is not the name of a program", "scenario"
        )
    return System(
        name=path.stem,
        title=entries["title"],
        scenario=entries["scenario"],
        trace=ROOT / entries["trace"] if "trace" in entries else None,
        settings=_settings(file, entries.get("parameters", {}), entries["scenario"]),
        measured=tuple(_measured(file, row) for row in entries.get("measured", [])),
    )


class _File:
    """A TOML file and the line that an error is about."""

    def __init__(self, path: Path) -> None:
        self.shown, self.text = shown(path), ""
        try:
            self.text = path.read_text(encoding="utf-8")
            self.content = tomllib.loads(self.text)
        except OSError as error:
            raise StudyError(
                f"cannot read {path}: {(error.strerror or str(error)).lower()}"
            ) from error
        except UnicodeDecodeError as error:
            raise StudyError(
                f"cannot read {self.shown}: it is not UTF-8 text (byte {error.start})"
            ) from error
        except tomllib.TOMLDecodeError as error:
            raise self._syntax(str(error)) from error

    def _syntax(self, message: str) -> StudyError:
        at = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)", message)
        line = int(at[1]) if at and at[1] else len(self.text.splitlines())
        what = message.replace(at[0], "") if at else message
        return StudyError(f"{self.shown}:{line}: not TOML: {' '.join(what.split())}")

    def error(self, message: str, key: str | None = None) -> StudyError:
        """The message, at the first line that sets `key`, begins that table or holds that text."""
        pattern = (
            rf"^\s*\[*\s*[\"']?{re.escape(key)}[\"']?\s*[=\].]|=\s*\"{re.escape(key)}\""
            if key
            else None
        )
        found = pattern and re.search(pattern, self.text, re.MULTILINE)
        line = f":{self.text.count(chr(10), 0, found.start()) + 1}" if found else ""
        return StudyError(f"{self.shown}{line}: {message}")

    def typed(self, table: dict, key: str, *kinds: type, at: str = "") -> Any:
        """The entry of that key, which has to be of one of these types (a boolean is not a
        number)."""
        value = table[key]
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            names = {
                str: "text",
                int: "number",
                float: "number",
                bool: "true or false",
                list: "list",
                dict: "table",
            }
            wanted = " or ".join(dict.fromkeys(names[kind] for kind in kinds))
            raise self.error(f"{key} = {value!r} has to be a {wanted}", at or key)
        return value


def _settings(file: _File, parameters: dict, scenario: str) -> dict[str, Setting]:
    declared = declaration(scenario)
    settings = {}
    for key in parameters:
        try:
            declared.parameter(key)
        except StudyError as error:
            raise file.error(str(error), key) from error
        entry = file.typed(parameters, key, dict)
        for name in entry:
            if name not in Setting.__dataclass_fields__:
                raise file.error(
                    f"{key}: {unknown('entry', name, Setting.__dataclass_fields__)}", key
                )
        if "value" not in entry:
            raise file.error(f"{key} has no value", key)
        value = declared.parameter(key).text(
            file.typed(entry, "value", int, float, str, bool, at=key)
        )
        texts = {
            name: file.typed(entry, name, str, at=key)
            for name in ("unit", "basis", "source")
            if name in entry
        }
        _check_basis(file, key, texts, BASES[:3])
        settings[key] = Setting(value, texts.get("unit", ""), texts["basis"], texts["source"])
    return settings


def _check_basis(file: _File, key: str, texts: dict[str, str], bases: tuple[str, ...]) -> None:
    if texts.get("basis") not in bases:
        given = f"basis {texts['basis']!r}" if "basis" in texts else "no basis"
        raise file.error(
            f"{key} has {given}; it has to be {', '.join(bases[:-1])} or {bases[-1]}", key
        )
    if not texts.get("source"):
        raise file.error(f"{key} has no source; say where the value comes from", key)


def _measured(file: _File, row: object) -> Measured:
    if not isinstance(row, dict) or not isinstance(row.get("quantity"), str):
        raise file.error("a [[measured]] table has no quantity; name what was measured", "measured")
    quantity = row["quantity"]
    kinds = {
        "value": (int, float),
        "packet": (dict,),
        "message_B": (int,),
        "tolerance_pct": (int, float),
    }
    for name in row:
        if name not in Measured.__dataclass_fields__:
            raise file.error(
                f"{quantity}: {unknown('entry', name, Measured.__dataclass_fields__)}", quantity
            )
        file.typed(row, name, *kinds.get(name, (str,)), at=quantity)
    for name in ("kind", "value", "unit", "used_as"):
        if name not in row:
            raise file.error(f"{quantity} has no {name}", quantity)
    for name, allowed in (("unit", tuple(MEASURED)), ("used_as", USES)):
        if row[name] not in allowed:
            raise file.error(
                f"{quantity}: {name} {row[name]!r} has to be one of {', '.join(allowed)}", quantity
            )
    _check_basis(file, quantity, row, BASES)
    return Measured(**row)


def _flag_text(system: str, parameter: Parameter, setting: Setting) -> str:
    """Times and rates carry their unit into the flag; of the others the unit only has to be the
    declared one."""
    if parameter.type in ("time", "data-rate"):
        return f"{setting.value}{setting.unit}"
    if setting.unit not in ("", parameter.unit):
        raise StudyError(
            f"{system}: {parameter.key} is in {parameter.unit or 'no unit'}, not in {setting.unit}"
        )
    return setting.value
