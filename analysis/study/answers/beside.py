# SPDX-License-Identifier: GPL-2.0-only
"""The measured figures beside a run, as `study run` prints them."""

from collections.abc import Collection, Sequence

from study.base.units import for_readers
from study.judging import reproduction
from study.judging.comparison import Comparison, compare, compare_kept, unread, unread_kinds
from study.judging.draws import with_draws
from study.judging.reproduction import Row, off
from study.kit.paper import CLOSE_PCT
from study.system.system import Result, System

INPUT_NOTE = (
    "input: a parameter was set from this figure, alone or as one of a sample whose median was "
    "taken; prediction: no parameter was set from it"
)
FORM_NOTE = (
    f"a closed form that differs from the run by more than {CLOSE_PCT:g} % has the difference "
    "behind it"
)
KEPT = "*"  # mark behind a number from the store or results/, not run now


def measured(system: System, result: Result, again: bool) -> list[str]:
    """Return the measured figures beside the job, or an empty list unless it finished. Figures of
    other settings or seeds are simulated only with `again`; otherwise they come from the store or
    results/."""
    if not system.measured or result.outcome != "finished":
        return []
    if again:
        comparisons = with_draws(system, compare(system, result))
        rows, kept = [reproduction.row("", each) for each in comparisons], set()
    else:
        rows, kept = _told(system, result)
    return [_measured(system, rows, kept), *unread(system)]


def _told(system: System, result: Result) -> tuple[list[Row], set[str]]:
    """Return a row for each figure, and the names of figures that were not run now."""
    known = reproduction.committed(system)
    fresh = {each.measured.quantity: each for each in compare_kept(system, result)}
    read = {each.kind for each in system.measured} - set(unread_kinds(system))
    rows, kept = [], set()
    for each in system.measured:
        if each.kind not in read:
            continue
        there = known.get(each.quantity)
        if each.quantity in fresh:
            row = reproduction.row("", fresh[each.quantity])
            if there and there["simulated"] == row["simulated"]:
                row |= {name: there[name] for name in ("draws", "draws_low", "draws_high")}
        else:
            row = there or reproduction.row("", Comparison(each, None, None))
            kept.add(each.quantity)
        rows.append(row)
    return rows, kept


def _measured(system: System, rows: Sequence[Row], kept: Collection[str]) -> str:
    from tabulate import tabulate

    if not rows:
        return "\n".join(
            f"measured: {row.quantity} {row.text} {for_readers(row.unit)}"
            for row in system.measured
        )
    table = [
        {
            "quantity": row["quantity"],
            "unit": "" if row["unit"] == "1" else for_readers(row["unit"]),
            "measured": row["measured"],
            "closed form": row["closed_form"] + (f" ({size})" if (size := off(row)) else ""),
            "simulated": _simulated(row, kept),
            "residual %": _residual(row),
            "used as": row["used_as"],
        }
        for row in rows
    ]
    align = ("left", "left", "right", "right", "right", "right", "left")
    body = tabulate(table, "keys", tablefmt="simple", colalign=align, disable_numparse=True)
    notes = [FORM_NOTE] if any(map(off, rows)) else []
    if any(row["simulated"] for row in rows if row["quantity"] in kept):
        notes.append(f"{KEPT} not run now, but taken from {reproduction.made_with()}")
    notes += (
        [f"study run {system.typed or system.name} --measured runs all of them"] if kept else []
    )
    notes += filter(None, map(_drawn, rows))
    return "\n".join([body, INPUT_NOTE, *notes])


def _simulated(row: Row, kept: Collection[str]) -> str:
    if row["quantity"] in kept:
        return f"{row['simulated']} {KEPT}" if row["simulated"] else "not run"
    return row["simulated"] or "not sent"


def _residual(row: Row) -> str:
    text = f"{float(row['residual_pct']):+.2f}" if row["residual_pct"] else ""
    return text + {"yes": ", inside", "no": ", outside", "": ""}[row["inside"]]


def _drawn(row: Row) -> str:
    """Return a remark on the spread of a simulated figure over random seeds, empty without one."""
    of_draws = reproduction.of_draws(row)
    unit = for_readers(row["unit"])
    return of_draws and f"{row['quantity']}: {row['simulated']} {unit}{of_draws}"
