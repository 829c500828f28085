# SPDX-License-Identifier: GPL-2.0-only
"""Reader of the [[measured]] tables of a system file, which refuses impossible values."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from study.base.errors import StudyError, unknown
from study.base.toml_file import TomlFile
from study.base.units import MEASURED_BY_BASE
from study.programs.declaration import Declaration
from study.system.measured import BASES, COMPARED, PACKET, USES, Measured, Packet
from study.system.settings import check_basis, check_range

Wrong = Callable[[str], StudyError]
ENTRIES = {name.rstrip("_"): (str,) for name in Measured.__dataclass_fields__}
ENTRIES |= dict.fromkeys(("value", "tolerance_pct", "low", "high"), (int, float))
ENTRIES |= {"packet": (dict,), "message_B": (int,), "with": (dict,)}


@dataclass(frozen=True)
class Known:
    """A scenario's kinds of figures with their base unit, one of units.MEASURED_BY_BASE, and its
    segment table's names of both ends. Without them kinds, units and packets are not checked."""

    bases: Mapping[str, str] = field(default_factory=dict)
    ends: tuple[str, ...] = ()


def read_measured(file: TomlFile, row: object, declared: Declaration, known: Known) -> Measured:
    """Read one [[measured]] table, or raise StudyError for a wrong entry."""
    if not isinstance(row, dict) or not isinstance(row.get("quantity"), str):
        raise file.error("a [[measured]] table has no quantity; name what was measured", "measured")
    quantity, kinds = row["quantity"], known.bases

    def wrong(why: str) -> StudyError:
        return file.error(f"{quantity}: {why}", quantity)

    file.check(row, ENTRIES, quantity)
    for name in ("kind", "value", "unit", "used_as"):
        if name not in row:
            raise file.error(f"{quantity} has no {name}", quantity)
    value = row["value"]
    if kinds and row["kind"] not in kinds:
        raise wrong(str(unknown("kind", row["kind"], kinds)))
    if value <= 0:
        raise wrong(f"value = {value} has to be above 0, as residuals are in % of it")
    if row.get("tolerance_pct", 0) < 0:
        raise wrong(f"tolerance_pct = {row['tolerance_pct']} has to be 0 % or more")
    if row.get("compared", COMPARED[0]) not in COMPARED:
        raise wrong(f"compared {row['compared']!r} has to be {' or '.join(COMPARED)}")
    choices = {"used_as": USES}
    if kinds:
        base = "1" if "compared" in row else kinds[row["kind"]]  # a comparison is a fraction
        choices = {"unit": tuple(MEASURED_BY_BASE[base]), **choices}
    for name, allowed in choices.items():
        if row[name] not in allowed:
            raise wrong(f"{name} {row[name]!r} has to be one of {', '.join(allowed)}")
    check_range(file, quantity, row, f"{quantity}: value")
    check_basis(file, quantity, row, BASES)
    fields = {name: value for name, value in row.items() if name != "with"}
    if "packet" in row:
        file.check(row["packet"], PACKET, quantity, ": packet")
    fields["packet"] = _packet(row.get("packet"), known.ends, wrong)
    return Measured(**fields, with_=_changes(row.get("with", {}), declared, wrong))


def _changes(table: dict, declared: Declaration, wrong: Wrong) -> dict[str, str]:
    """Return the settings under which a figure was measured, as texts with units."""
    changes = {}
    for key, value in table.items():
        try:
            changes[key] = declared.parameter(key).text(value)
        except StudyError as error:
            raise wrong(f"with: {error}") from error
    return changes


def _packet(wanted: dict | None, ends: tuple[str, ...], wrong: Wrong) -> Packet:
    def missing(name: str) -> StudyError:
        what = f"packet has no {name}" if wanted else "there is no packet"
        example = 'packet = { from = "device", ack = 6, length = 0 }'
        return wrong(f"{what}; this kind needs one, as in {example}")

    if wanted is None:
        return Packet({}, missing)
    if ends and wanted.get("from") not in ends:
        given = f"from {wanted['from']!r}" if "from" in wanted else "no from"
        raise wrong(f"packet has {given}; it has to be {' or '.join(ends)}")
    if not re.fullmatch("[SFR]*", wanted.get("flags", "")):
        raise wrong(f"packet has flags {wanted['flags']!r}; they have to be of S, F and R")
    return Packet(wanted, missing)
