# SPDX-License-Identifier: GPL-2.0-only
"""Why a job is slow and what would change it: what `study explain` shows.

A scenario says in its `explanation` what there is to try and which closed form to show; everything
else is read off runs.
"""

from dataclasses import replace

from study.answers.explanation import Explanation, Trial
from study.kit import candidates
from study.kit.candidates import Change
from study.kit.scenario import guide, judges
from study.programs.declaration import declaration
from study.runs.batch import run_batch
from study.system.system import Result, System


def explain(system: System, unchanged: System | None = None) -> Explanation:
    """Run the system as it is, and then with one change after the other. `unchanged` is what it was
    before its own changes; without it, the system less its changed parameters."""
    knows, known = guide(system.scenario), judges(system.scenario)
    result = system.run(segments=True)
    declared = declaration(system.scenario)
    tried = candidates.any_number(declared) if knows.candidates is None else knows.candidates
    changes = candidates.of(system, declared, result.parameters, tried)
    records = run_batch(
        system.scenario, [change.system.flags() for change in changes], "what would change it"
    )
    unchanged = unchanged or replace(system, changes={})
    cycle = knows.cycle(known.form.of(result.parameters))
    unknown = known.form.lacks(unchanged.parameters(), result.parameters)
    if unknown and not isinstance(cycle, str):
        cycle = f"on paper: {unknown}"
    return Explanation(
        unchanged=unchanged,
        system=system,
        result=result,
        exchange=knows.exchange(result, known.ends) if system.leaves_segments else None,
        cycle=cycle,
        trials=tuple(
            _trial(change, change.system.result(record), result)
            for change, record in zip(changes, records, strict=True)
        ),
    )


def _trial(change: Change, after: Result, before: Result) -> Trial:
    """Commands are held against commands, whatever they carry; all else by its rate."""
    rate, rate_before = _rate(after), _rate(before)
    gain_pct = None if rate or rate_before else 0.0
    if rate and rate_before:
        gain_pct = (rate / rate_before - 1) * 100
    return Trial(
        change.words,
        change.flag,
        after.outcome,
        after.reason,
        after.throughput_Bps,
        gain_pct,
        after.record.get("command_s"),
    )


def _rate(result: Result) -> float | None:
    command_s = result.record.get("command_s")
    return 1 / command_s if command_s else result.throughput_Bps
