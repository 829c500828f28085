# SPDX-License-Identifier: GPL-2.0-only
"""Many points of one system, as a table.

```python
from study import systems

hawking = systems["hawking-hps1u"].with_(job_size=65536)
hawking.sweep(receive_window=[1024, 2048], ack_latency=["1ms", "10ms"], seeds=10)
hawking.sweep(host=["linux-2.2", "bsd-4.2"])
```

or, with more in study.runs.points,

```python
from study.runs.points import latin_hypercube

hawking.sweep(latin_hypercube(100, receive_window=(512, 65535), ack_latency="1ms:100ms:log"))
```
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from study.base.errors import StudyError
from study.programs import values
from study.programs.declaration import Declaration, declaration
from study.programs.identity import identity
from study.programs.values import Value
from study.runs.array_job import Shard
from study.runs.batch import collect, feed
from study.runs.damage import damage_told
from study.runs.flag_lines import Lines
from study.runs.lasting import Makers, lasting
from study.runs.outcomes import Tally
from study.runs.points import MAX_POINTS, Columns, Limits, Points, grid, table
from study.runs.profiles import HOST, profiles, with_profiles, without_host
from study.runs.progress import shows_progress, tell
from study.runs.segment_sizes import segments_that_fit
from study.runs.spot_checks import results_of
from study.runs.store import Store
from study.runs.workers import LocalWorkers
from study.system.system import System

if TYPE_CHECKING:
    import pandas as pd

    from study.runs.rows import Rows

SEED = "seed"
POINT_TIMEOUT_S = 600.0  # CPU seconds; the slowest of the systems takes a few
OF_THE_RUN = ("seed", "time_limit", "stall_time")  # parameters of the run, not of the job


def sweep(
    system: System,
    points: "Points | pd.DataFrame | None" = None,
    *,
    seeds: int | Iterable[int] | None = None,
    store: Path | str | None = None,
    scheduler: str | None = None,
    fresh: bool = False,
    fast_forward: bool = True,
    progress: bool | None = None,
    max_points: int = MAX_POINTS,
    point_timeout: float | None = POINT_TIMEOUT_S,
    **lists: object,
) -> "pd.DataFrame":
    """Simulate a system at many points: those of `points`, times the grid of `lists`, times seeds.

    Some of the fast-forwarded points are run in full as well and must agree: a twentieth of the
    work, and at least one.

    Parameters
    ----------
    system
        The system to vary.
    points
        A grid of `study.runs.points`, or a table with a column a parameter.
    seeds
        A list of seeds, or n for 1 to n.
    store
        Folder of the result store; points that it has are not run.
    scheduler
        Address of a Dask cluster to run on.
    fresh
        Whether points of the store are run again.
    fast_forward
        Whether cycles that are proven to repeat are skipped.
    progress
        Whether to show a bar; by default in a terminal and in a notebook.
    max_points
        More points than that are refused.
    point_timeout
        Largest CPU time of a point in seconds; a point that takes more is a failed row.
    **lists
        Values by parameter: lists, or ranges as texts ("1024:65535:x2").

    Returns
    -------
    pandas.DataFrame
        A row for each point: the varied parameters, the outcome and the results, with units in the
        columns' names.

    Raises
    ------
    StudyError
        A parameter is unknown, a value out of range, or a point varied and set at once.
    """
    prepared = prepare(system, points, seeds=seeds, max_points=max_points, **lists)
    with damage_told():
        made, tally = prepared.run(
            store,
            scheduler,
            fresh=fresh,
            fast_forward=fast_forward,
            progress=progress,
            point_timeout=point_timeout,
        )
    if shows_progress(progress):
        notes = [*prepared.notes, *idle_notes(made.attrs["without_effect"])]
        why = system.rests_on_no_model(replace(system, changes={}), prepared.varied)
        tell(*notes, f"{system.name}: {tally}", *filter(None, [why]))
    return made


def prepare(
    system: System,
    points: "Points | pd.DataFrame | None" = None,
    *,
    seeds: int | Iterable[int] | None = None,
    max_points: int = MAX_POINTS,
    **lists: object,
) -> "Sweep":
    """Check all input of a sweep and return it, before anything runs. Raise StudyError if a
    parameter is unknown, a value out of range, or there are too many points."""
    declared, limits = with_profiles(declaration(system.scenario)), Limits(max_points)
    if points is None:
        points = grid(**lists)
    else:
        points = (points if isinstance(points, Points) else table(points)) * grid(**lists)
    if seeds is not None:
        if isinstance(seeds, int):
            limits.check(seeds)  # before the list of them is made
        chosen = list(range(1, seeds + 1)) if isinstance(seeds, int) else list(seeds)
        if not chosen:
            raise StudyError(f"seeds: {seeds} is out of range; give 1 or more, or a list of seeds")
        points = points * grid(**{SEED: chosen})
    varied = points.columns(declared, limits)
    by_host = {}
    if HOST in varied:
        said, names = {*varied, *system.changes}, [value.text for value in varied[HOST]]
        by_host = profiles(system, declared, names, said)
        system = without_host(system, declared)
    fixed = _fixed(system, declared, varied)
    return Sweep(system, declared, varied, fixed, tuple(limits.notes), by_host)


def _fixed(system: System, declared: Declaration, varied: Columns) -> dict[str, Value]:
    """Return the values that the system sets. An error about one has its place in a file."""
    for key in varied.keys() & system.changes.keys():
        flag = declared.parameter(key).flag
        raise StudyError(f"{flag} is both varied and set to {system.changes[key]}; leave one out")
    fixed = {}
    replaced = {declared.alternative(key) for key in varied}
    for key in replaced & system.changes.keys():
        flag = declared.parameter(declared.alternative(key)).flag
        raise StudyError(
            f"{flag} is varied and {declared.parameter(key).flag} says the same; leave one out"
        )
    for key, setting in system.settings.items():
        if key not in {*system.changes, *varied, *replaced}:
            fixed[key] = values.read(declared.parameter(key), setting.text)
    for key, text in system.changes.items():
        fixed[key] = values.read(declared.parameter(key), text)
    return fixed


@dataclass(frozen=True)
class Sweep:
    """Checked points, ready to run."""

    system: System
    declared: Declaration
    varied: Columns
    fixed: dict[str, Value]
    notes: tuple[str, ...]  # for the user: how the points were made
    by_host: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)  # if that is varied
    shard: Shard | None = None  # the part of all points that these are

    def share(self, shard: Shard) -> "Sweep":
        """Return one part of the points; the first part has the only one without varied
        parameters."""
        varied = {key: column[shard.places()] for key, column in self.varied.items()}
        if (not varied and shard.number > 1) or not all(varied.values()):
            raise StudyError(f"{len(self.lines()):,} points have no part {shard.number}")
        return replace(self, varied=varied, shard=shard)

    def lines(self) -> Lines:
        """Return each point's flags."""
        fit = segments_that_fit(self.system, self.declared, self.varied, self.by_host)
        return Lines(self.declared, self.varied | fit, self.fixed, self.by_host)

    def _without_effect(self, rows: "Rows", store: Store, workers: Makers) -> list[str]:
        """Return the parameters without effect at any point: varied ones by the table, and ones set
        for all points by running a few points without them."""
        from study.runs.effects import idle

        columns = dict(zip(self.varied, rows.varied.values(), strict=True))
        codes = {key: getattr(column, "codes", column) for key, column in columns.items()}
        found = [key for key in idle(codes, rows.prints) if key not in OF_THE_RUN]
        return found + self._set_to_no_effect(rows, store, workers)

    def _set_to_no_effect(self, rows: "Rows", store: Store, workers: Makers) -> list[str]:
        ended = rows.ended()
        if not ended:
            return []
        keys = [key for key in self.system.changes if key in self.fixed and key not in OF_THE_RUN]
        settings = self.system.settings
        own = {key: settings[key].text for key in keys if key in settings}
        places = sorted({ended[0], ended[len(ended) // 2], ended[-1]})

        def results(sweep: Sweep) -> list[object]:
            lines = sweep.lines()
            asked = [lines[place] for place in places]
            settings = {"store": store, "doing": "without it", "workers": workers}
            found, _ = collect(self.system.scenario, asked, **settings)
            return [results_of(each) if isinstance(each, dict) else None for each in found]

        own_results = results(self)
        without = []
        for key in keys:
            fixed = {each: value for each, value in self.fixed.items() if each != key}
            if key in own:
                fixed[key] = values.read(self.declared.parameter(key), own[key])
            changes = fixed.get(key) != self.fixed[key]
            if changes and results(replace(self, fixed=fixed)) == own_results:
                without.append(key)
        return without

    def run(
        self, store: Path | str | None = None, scheduler: str | None = None, **settings: object
    ) -> "tuple[pd.DataFrame, Tally]":
        """Return the table, and a tally of its rows; for the settings see `fill`."""
        from study.runs.rows import Table

        rows = Table(self.declared, self.varied, len(self.lines()))
        tally, attributes = self.fill(rows, store, scheduler, **settings)
        made = rows.frame()
        made.attrs |= attributes
        return made, tally

    def fill(
        self,
        rows: "Rows",
        store: Path | str | None = None,
        scheduler: str | None = None,
        *,
        fresh: bool = False,
        fast_forward: bool = True,
        progress: bool | None = None,
        point_timeout: float | None = POINT_TIMEOUT_S,
    ) -> tuple[Tally, dict[str, object]]:
        """Fill the rows with the points' results, and return a tally and attributes of the whole
        table."""
        if point_timeout is not None and not point_timeout > 0:
            raise StudyError(
                f"point-timeout: {point_timeout:g} is out of range; give CPU seconds above 0"
            )
        if scheduler is None:
            workers = partial(LocalWorkers, point_timeout_s=point_timeout)
        else:
            from study.runs.cluster import ClusterWorkers

            workers = partial(ClusterWorkers, address=scheduler, point_timeout_s=point_timeout)
        with lasting(workers) as lent, Store(store) as opened:
            tally = feed(
                self.system.scenario,
                self.lines(),
                rows.add,
                store=opened,
                doing=self.system.name,
                workers=lent,
                progress=progress,
                fresh=fresh,
                fast_forward=fast_forward,
                take=rows.take,
            )
            _, tally.stalled, tally.cut_off, tally.failed = rows.counts()
            # Only for all points, not for a part.
            without_effect = [] if self.shard else self._without_effect(rows, opened, lent)
        return tally, {
            "without_effect": without_effect,
            "system": self.system.name,
            "scenario": self.system.scenario,
            "parameters": {key: value.text for key, value in self.fixed.items()},
            "program": identity(self.system.scenario).digest,
            "ns3": self.declared.ns3,
        }


def idle_notes(without_effect: Sequence[str]) -> list[str]:
    """Return a sentence for each parameter without effect."""
    return [f"{key}: no effect at these points" for key in without_effect]
