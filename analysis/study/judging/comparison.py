# SPDX-License-Identifier: GPL-2.0-only
"""Measured figures beside their closed form and their simulation.

A scenario says in its `quantities` how a figure of each `kind` of a system file is read off a run,
and names its closed form.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from study.base.errors import StudyError
from study.base.units import MEASURED
from study.kit.quantity import Judges
from study.kit.scenario import judges
from study.runs.batch import kept_batch, run_batch
from study.system.measured import Measured
from study.system.system import Result, System


@dataclass(frozen=True)
class Comparison:
    """A measured figure, its closed form and its simulated value, all in the measured unit."""

    measured: Measured
    closed_form: float | None  # None: it does not hold there
    simulated: float | None
    # If the run uses random numbers: the figure under several seeds, this run's first.
    draws: tuple[float, ...] = ()

    @property
    def residual_pct(self) -> float | None:
        """The simulation's deviation in percent of the measurement. None without a simulated value,
        and for a bound ("or more") that holds."""
        if self.simulated is None or (self.inside and self.measured.value == self.measured.low):
            return None
        return (self.simulated - self.measured.value) / self.measured.value * 100

    @property
    def inside(self) -> bool | None:
        """Whether the simulated value is in the measured range, or None without value or range."""
        return None if self.simulated is None else self.measured.contains(self.simulated)


def compare(
    system: System, result: Result, rows: Sequence[Measured] | None = None
) -> list[Comparison]:
    """Return a system's measured figures, or `rows`, beside a run, which should have its segment
    table. A figure measured with other settings has a run of its own. A figure of a kind that no
    rule reads is left out."""
    known = judges(system.scenario)
    rows = system.measured if rows is None else rows
    rows = [row for row in rows if row.kind in known.quantities]
    runs = {(): result} | _runs(system, [changes for row in rows if (changes := _changes(row))])
    comparisons = []
    for row in rows:
        comparison = _comparison(row, runs[_changes(row)], known)
        if row.compared:
            comparison = _relative(comparison, _comparison(row, result, known))
        comparisons.append(comparison)
    return comparisons


def compare_kept(system: System, result: Result) -> list[Comparison]:
    """Return the measured figures that this run shows, and those of other settings whose runs are
    in the store. Start no run."""
    known = judges(system.scenario)
    rows = [row for row in system.measured if row.kind in known.quantities]
    changed = [system.with_(**row.with_) for row in rows]
    records = kept_batch(system.scenario, [each.flags() for each in changed])
    found = []
    for row, other, record in zip(rows, changed, records, strict=True):
        if row.with_ and record is None:
            continue
        # Without an origin: a figure read from packets would run the job again.
        run = replace(other.result(record), origin=None) if row.with_ else result
        with suppress(StudyError):
            comparison = _comparison(row, run, known)
            if row.compared:
                comparison = _relative(comparison, _comparison(row, result, known))
            found.append(comparison)
    return found


Changes = tuple[tuple[str, object], ...]


def _changes(row: Measured) -> Changes:
    """Return the settings of a figure's measurement that differ from the system's."""
    return tuple(sorted(row.with_.items()))


def _runs(system: System, settings: Sequence[Changes]) -> dict[Changes, Result]:
    """Return a run for each set of settings, from the store if possible. Figures read from packets
    repeat their run; there are few."""
    changed = {each: system.with_(**dict(each)) for each in settings}
    flags = [each.flags() for each in changed.values()]
    records = run_batch(system.scenario, flags, system.name) if flags else []
    return {
        key: each.result(record)
        for (key, each), record in zip(changed.items(), records, strict=True)
    }


def unread(system: System) -> list[str]:
    """Return a sentence for each kind of measured figure that no rule reads from a run."""
    kinds = unread_kinds(system)
    return [f"no rule reads {kind!r} off a {system.scenario} run yet" for kind in kinds]


def unread_kinds(system: System) -> list[str]:
    """Return the kinds of measured figures that no rule reads from a run."""
    known = judges(system.scenario).quantities
    return list(dict.fromkeys(row.kind for row in system.measured if row.kind not in known))


def _comparison(row: Measured, result: Result, known: Judges) -> Comparison:
    quantity, unit = known.quantities[row.kind], MEASURED[row.unit]
    simulated = quantity.simulated(result, row)
    on_paper = quantity.closed_form(known.form.of(result.parameters), row)
    return Comparison(
        measured=row,
        closed_form=None if on_paper is None else on_paper / unit,
        simulated=None if simulated is None else simulated / unit,
    )


def _relative(changed: Comparison, unchanged: Comparison) -> Comparison:
    """Return a changed figure divided by the unchanged one, for each judge."""
    unit = MEASURED[changed.measured.unit]
    both = changed.simulated is not None and unchanged.simulated
    on_paper = changed.closed_form is not None and unchanged.closed_form
    return Comparison(
        measured=changed.measured,
        closed_form=changed.closed_form / unchanged.closed_form / unit if on_paper else None,
        simulated=changed.simulated / unchanged.simulated / unit if both else None,
    )
