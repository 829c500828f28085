# SPDX-License-Identifier: GPL-2.0-only
"""results/named-limits.csv: whether the limit that an answer names is the one whose relief helps
most, over drawn systems.

The answer is found as `study explain` finds it, with shortened jobs and a few finalists. It is held
to runs of whole jobs with every relief of every limit that the scenario has.

    .venv/bin/python -m study.judging.named_limits [HOW_MANY]
"""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from study.base.project import RESULTS, write_whole
from study.judging import table_file
from study.judging.drawn_systems import Drawn, drawn
from study.programs.declaration import declaration
from study.trials.job_sizes import draws_losses, size_B
from study.trials.jobs import run_all
from study.trials.reliefs import fits
from study.trials.search import TENTH, Named, find, reliefs
from study.trials.trial import CHANGE_PCT, Trial, try_all

FILE = RESULTS / "named-limits.csv"
COUNT = 300
# Verdicts: the named limit's own relief is within 10 % of the best; another change in the sentence
# is; no relief gains 1 %; or a better change exists that the sentence does not name.
CONFIRMED, BETTER_TOLD, NOTHING, MISSED = "confirmed", "better one told", "nothing helps", "missed"


@dataclass(frozen=True)
class Row:
    """One system. Factors are of the whole job's rate."""

    number: int
    verdict: str
    limit: str
    time_pct: str  # percentage of the whole time
    own: str  # the best of the limit's reliefs
    own_factor: str
    told: str  # the change named in the sentence
    told_factor: str
    best: str
    best_factor: str
    losses_drawn: str
    system: str


def rows(count: int = COUNT) -> list[Row]:
    """Return the rows of the first `count` systems."""
    return [row(each) for each in drawn(count)]


def row(each: Drawn) -> Row:
    """Return the limit that the answer names, and the verdict of whole-job runs on it."""
    system = each.system
    named = find(system, each.result).named
    told = told_by(named)
    every = dict.fromkeys(declaration(system.scenario).limits, 1.0)
    changes = {c.flag: c for c in reliefs(system, every) if fits(c)}
    if told is not None:
        changes[told.flag] = told.change
    (before,) = run_all([system], size_B(system), is_sketch=True)
    tried = try_all(list(changes.values()), before, size_B(system))
    whole = {each.flag: each for each in tried}
    own = _best(each for each in whole.values() if named and named.limit.key in each.change.limits)
    best = _best(whole.values())
    said = whole.get(told.flag) if told is not None else None
    return Row(
        each.number,
        _verdict(named, own, said, best),
        named.limit.key if named else "",
        f"{named.share * 100:.1f}" if named else "",
        own.flag if own else "",
        _factor(own),
        said.flag if said else "",
        _factor(said),
        best.flag if best else "",
        _factor(best),
        "yes" if draws_losses(system) else "no",
        each.flags,
    )


def told_by(named: Named | None) -> Trial | None:
    """Return the first change that the sentence about the limit names, or None without one."""
    if named is None or named.best is None:
        return None
    return named.own or named.best if named.is_confirmed else named.best


def _best(tried: Iterable[Trial]) -> Trial | None:
    return max(tried, key=lambda each: each.effect, default=None)


def _verdict(named: Named | None, own: Trial | None, said: Trial | None, best: Trial | None) -> str:
    if best is None or best.effect < CHANGE_PCT:
        return NOTHING
    enough = TENTH * best.factor
    if own is not None and own.factor >= enough:
        return CONFIRMED
    if said is not None and said.factor >= enough and not named.is_confirmed:
        return BETTER_TOLD
    return MISSED


def _factor(each: Trial | None) -> str:
    return f"{each.factor:.3f}" if each is not None else ""


def to_csv(table: Iterable[Row]) -> str:
    """Return the rows as the file's text."""
    return table_file.to_csv(list(Row.__dataclass_fields__), map(asdict, table))


def summary(table: Sequence[Row]) -> str:
    """Return how often each verdict occurs."""
    kinds = (CONFIRMED, BETTER_TOLD, NOTHING, MISSED)
    counts = {kind: sum(row.verdict == kind for row in table) for kind in kinds}
    told = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    return f"{len(table)} systems: {told}"


def main(arguments: Sequence[str]) -> str:
    """Make the table; with another number of systems only return its text and summary."""
    count = int(arguments[0]) if arguments else COUNT
    table = rows(count)
    if count == COUNT:
        write_whole({FILE: to_csv(table).encode()})
        return summary(table)
    return to_csv(table) + summary(table)


if __name__ == "__main__":
    print(main(sys.argv[1:]))
