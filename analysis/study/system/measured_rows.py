# SPDX-License-Identifier: GPL-2.0-only
"""Reads the [[measured]] tables of a system file, refusing what can't be meant."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from study.base.errors import StudyError, unknown
from study.base.toml_file import TomlFile
from study.base.units import MEASURED_BY_BASE
from study.programs.declaration import Declaration
from study.system.measured import BASES, COMPARED, PACKET, USES, Measured, Packet
from study.system.settings import check_basis

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


@dataclass(frozen=True)
class Known:
    """What a scenario knows of its figures: for each kind the base unit, one of
    units.MEASURED_BY_BASE, and what its segment table calls the two ends. A scenario that says
    nothing of its figures has neither, and a row's kind, unit and packet are read unchecked."""

    bases: Mapping[str, str] = field(default_factory=dict)
    ends: tuple[str, ...] = ()


def read_measured(file: TomlFile, row: object, declared: Declaration, known: Known) -> Measured:
    """One table as a figure, refusing what can't be meant."""
    if not isinstance(row, dict) or not isinstance(row.get("quantity"), str):
        raise file.error("a [[measured]] table has no quantity; name what was measured", "measured")
    quantity, kinds = row["quantity"], known.bases
    for name in row:
        if name not in ENTRIES:
            raise file.error(f"{quantity}: {unknown('entry', name, ENTRIES)}", quantity)
        file.typed(row, name, *KINDS.get(name, (str,)), at=quantity)
    for name in ("kind", "value", "unit", "used_as"):
        if name not in row:
            raise file.error(f"{quantity} has no {name}", quantity)
    if kinds and row["kind"] not in kinds:
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
    choices = {"used_as": USES}
    if kinds:
        base = "1" if "compared" in row else kinds[row["kind"]]  # a comparison is a share
        choices = {"unit": tuple(MEASURED_BY_BASE[base]), **choices}
    for name, allowed in choices.items():
        if row[name] not in allowed:
            raise file.error(
                f"{quantity}: {name} {row[name]!r} has to be one of {', '.join(allowed)}", quantity
            )
    _check_range(file, quantity, row)
    check_basis(file, quantity, row, BASES)
    fields = {name: value for name, value in row.items() if name != "with"}
    fields["packet"] = _packet(file, quantity, row.get("packet"), known.ends)
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


def _packet(file: TomlFile, quantity: str, wanted: dict | None, ends: tuple[str, ...]) -> Packet:
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
    if ends and wanted.get("from") not in ends:
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
