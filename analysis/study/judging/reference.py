# SPDX-License-Identifier: GPL-2.0-only
"""results/reference.csv: every simulated figure as it was last accepted, and by how much it may
move.

Only `study accept` writes it. A run that gives something else is a failure until then, so that a
result never changes unseen. The program is deterministic, so the tolerance is 0 (not by a printed
digit) unless the figure in the system's file gives a `tolerance_pct`.
"""

from dataclasses import dataclass

from study.base.project import RESULTS, read_text, shown, write_whole
from study.judging import table_file
from study.judging.reproduction import Row
from study.kit.systems import systems

REFERENCE = RESULTS / "reference.csv"
COLUMNS = ["system", "quantity", "unit", "simulated", "tolerance_pct"]

Key = tuple[str, str]


@dataclass(frozen=True)
class Move:
    """A figure that differs from the reference. None: the figure is missing on that side."""

    system: str
    quantity: str
    unit: str
    accepted: str | None
    simulated: str | None
    tolerance_pct: float

    @property
    def moved_pct(self) -> float:
        """The change in percent of the reference, infinite for a new or missing figure."""
        if not (self.accepted and self.simulated):
            return float("inf")
        accepted, simulated = float(self.accepted), float(self.simulated)
        return (simulated - accepted) / abs(accepted) * 100 if accepted else float("inf")

    def __str__(self) -> str:
        unit = "" if self.unit == "1" else f" {self.unit}"
        texts = [
            f"{value}{unit}" if value else absent
            for value, absent in ((self.accepted, "not there"), (self.simulated, "gone"))
        ]
        how = f"{self.moved_pct:+.3f} %" if abs(self.moved_pct) != float("inf") else "new or gone"
        allowed = f" (allowed: {self.tolerance_pct:g} %)" if self.tolerance_pct else ""
        return f"{how:>14}  {self.system}: {self.quantity}: {texts[0]} -> {texts[1]}{allowed}"


def made_from(table: list[Row]) -> list[Row]:
    """Return the reference rows for these results."""
    tolerances = {
        (name, row.quantity): row.tolerance_pct or 0.0
        for name, system in systems.items()
        for row in system.measured
    }
    return [
        {name: row[name] for name in COLUMNS[:-1]}
        | {"tolerance_pct": f"{tolerances.get(_key(row), 0.0):g}"}
        for row in table
    ]


def moves(accepted: list[Row], table: list[Row]) -> list[Move]:
    """Return the figures that differ by more than their tolerance, largest first."""
    before, after = ({_key(row): row for row in rows} for rows in (accepted, table))
    found = []
    for key in dict.fromkeys([*before, *after]):
        old, new = before.get(key), after.get(key)
        move = Move(
            *key,
            unit=(new or old)["unit"],
            accepted=old and old["simulated"],
            simulated=new and new["simulated"],
            tolerance_pct=float(old["tolerance_pct"]) if old else 0.0,
        )
        same = move.accepted == move.simulated and (old or new)["unit"] == (new or old)["unit"]
        if not same and abs(move.moved_pct) > move.tolerance_pct:
            found.append(move)
    return sorted(found, key=lambda move: -abs(move.moved_pct))


def _key(row: Row) -> Key:
    return row["system"], row["quantity"]


def read() -> list[Row] | None:
    """Return the reference results, or None if there are none yet."""
    if not REFERENCE.exists():
        return None
    return table_file.from_csv(read_text(REFERENCE), COLUMNS, shown(REFERENCE), "study accept")


def write(table: list[Row]) -> None:
    """Write these results as the reference."""
    write_whole({REFERENCE: table_file.to_csv(COLUMNS, made_from(table)).encode()})
