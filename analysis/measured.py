# SPDX-License-Identifier: GPL-2.0-only
"""The [[measured]] figures of a system file: what the simulation is compared with."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from analysis.declaration import Declaration
from analysis.errors import StudyError, unknown
from analysis.settings import check_basis
from analysis.toml_file import TomlFile
from analysis.units import MEASURED_BY_BASE

BASES = ("measured", "derived", "assumed", "published")
USES = ("input", "prediction")
COMPARED = ("unchanged",)
# What a packet can be told by: who sent it, its S, F and R flags, numbers as tcpdump shows them,
# and how many window probes the host has sent.
PACKET = {"from": str, "flags": str} | dict.fromkeys(
    ("seq", "length", "ack", "window", "probes"), int
)


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
    used_as: str  # "input": a parameter was set from it; "prediction": none was
    packet: Mapping[str, Any] = field(default_factory=dict)
    message_B: int | None = None
    tolerance_pct: float | None = None  # how far the simulated figure may move; see reference.py
    with_: Mapping[str, str] = field(default_factory=dict)  # what differs from the system's file
    compared: str = ""  # "unchanged": as a share of the same figure of the unchanged system
    low: float | None = None  # of the range that the source gives, if it gives one
    high: float | None = None

    @property
    def text(self) -> str:
        """The figure as the source has it: a value or a range."""
        return f"{self.value}" if self.low is None else f"{self.low} to {self.high}"

    def contains(self, value: float) -> bool | None:
        """Whether a value lies in the source's range; None where the source gives none."""
        return None if self.low is None else self.low <= value <= self.high


ENTRIES = tuple(name.rstrip("_") for name in Measured.__dataclass_fields__)
KINDS = {
    "value": (int, float),
    "packet": (dict,),
    "message_B": (int,),
    "tolerance_pct": (int, float),
    "with": (dict,),
    "low": (int, float),
    "high": (int, float),
}  # all others are texts


class Packet(Mapping[str, Any]):
    """What a row says of its packet. A rule that asks for what it does not say gets the file's
    error, as only the rule knows what it needs."""

    def __init__(self, wanted: dict[str, Any], missing: Callable[[str], StudyError]) -> None:
        self._wanted, self._missing = wanted, missing

    def __getitem__(self, name: str) -> Any:
        if name not in self._wanted:
            raise self._missing(name)
        return self._wanted[name]

    def __iter__(self) -> Iterator[str]:
        if not self._wanted:
            raise self._missing("from")
        return iter(self._wanted)

    def __len__(self) -> int:
        return len(self._wanted)

    def __contains__(self, name: object) -> bool:
        return name in self._wanted

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Packet) and self._wanted == other._wanted

    def get(self, name: str, default: Any = None) -> Any:
        return self._wanted.get(name, default)


def read_measured(file: TomlFile, row: object, declared: Declaration) -> Measured:
    """One table as a figure, refusing what can't be meant."""
    if not isinstance(row, dict) or not isinstance(row.get("quantity"), str):
        raise file.error("a [[measured]] table has no quantity; name what was measured", "measured")
    from analysis.quantities import judges  # which itself is made of Measured

    quantity, kinds = row["quantity"], judges(declared.scenario).quantities
    for name in row:
        if name not in ENTRIES:
            raise file.error(f"{quantity}: {unknown('entry', name, ENTRIES)}", quantity)
        file.typed(row, name, *KINDS.get(name, (str,)), at=quantity)
    for name in ("kind", "value", "unit", "used_as"):
        if name not in row:
            raise file.error(f"{quantity} has no {name}", quantity)
    if row["kind"] not in kinds:
        raise file.error(f"{quantity}: {unknown('kind', row['kind'], kinds)}", quantity)
    if row["value"] <= 0:
        raise file.error(
            f"{quantity}: value = {row['value']} has to be above 0, as residuals are in % of it",
            quantity,
        )
    if row.get("tolerance_pct", 0) < 0:
        raise file.error(
            f"{quantity}: tolerance_pct = {row['tolerance_pct']} has to be 0 % or more", quantity
        )
    if row.get("compared", COMPARED[0]) not in COMPARED:
        raise file.error(
            f"{quantity}: compared {row['compared']!r} has to be {' or '.join(COMPARED)}", quantity
        )
    base = "1" if "compared" in row else kinds[row["kind"]].base  # a comparison is a share
    units = tuple(MEASURED_BY_BASE[base])
    for name, allowed in (("unit", units), ("used_as", USES)):
        if row[name] not in allowed:
            raise file.error(
                f"{quantity}: {name} {row[name]!r} has to be one of {', '.join(allowed)}", quantity
            )
    _check_range(file, quantity, row)
    check_basis(file, quantity, row, BASES)
    fields = {name: value for name, value in row.items() if name != "with"}
    fields["packet"] = _packet(file, quantity, row.get("packet"), judges(declared.scenario).ends)
    return Measured(**fields, with_=_changes(file, quantity, row.get("with", {}), declared))


def _check_range(file: TomlFile, quantity: str, row: dict) -> None:
    """Both ends or neither, around the value."""
    if ("low" in row) != ("high" in row):
        missing = "high" if "low" in row else "low"
        raise file.error(f"{quantity} has no {missing}; a range has both ends", quantity)
    if "low" in row and not row["low"] <= row["value"] <= row["high"]:
        raise file.error(
            f"{quantity}: value = {row['value']} has to lie between low = {row['low']} and "
            f"high = {row['high']}",
            quantity,
        )


def _changes(file: TomlFile, quantity: str, table: dict, declared: Declaration) -> dict[str, str]:
    """Settings under which this figure was measured; as texts, with their units."""
    changes = {}
    for key, value in table.items():
        try:
            changes[key] = declared.parameter(key).text(value)
        except StudyError as error:
            raise file.error(f"{quantity}: with: {error}", quantity) from error
    return changes


def _packet(file: TomlFile, quantity: str, wanted: dict | None, ends: tuple[str, str]) -> Packet:
    def missing(name: str) -> StudyError:
        what = f"packet has no {name}" if wanted else "there is no packet"
        example = 'packet = { from = "device", ack = 6, length = 0 }'
        return file.error(f"{quantity}: {what}; this kind needs one, as in {example}", quantity)

    if wanted is None:
        return Packet({}, missing)
    for name in wanted:
        if name not in PACKET:
            raise file.error(f"{quantity}: packet: {unknown('entry', name, PACKET)}", quantity)
        file.typed(wanted, name, PACKET[name], at=quantity)
    if wanted.get("from") not in ends:
        given = f"from {wanted['from']!r}" if "from" in wanted else "no from"
        raise file.error(
            f"{quantity}: packet has {given}; it has to be {' or '.join(ends)}", quantity
        )
    if not re.fullmatch("[SFR]*", wanted.get("flags", "")):
        raise file.error(
            f"{quantity}: packet has flags {wanted['flags']!r}; they have to be of S, F and R",
            quantity,
        )
    return Packet(wanted, missing)
