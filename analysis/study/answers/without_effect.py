# SPDX-License-Identifier: GPL-2.0-only
"""Settings without effect in a run, found by running the job without each. The cause does not
matter: another link, a loss of zero, or a buffer that never fills."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce

from study.answers import run_text
from study.kit.formula import OF_THE_RUN
from study.kit.link import CHOICE, other_link
from study.programs.declaration import declaration
from study.runs.batch import try_batch
from study.runs.outcomes import Failure
from study.runs.spot_checks import results_of
from study.system.mss import LINK, MTU
from study.system.system import System
from study.trials.job_sizes import SIZES, needed_B, of_size

SEED = "seed"  # which has no effect where nothing is drawn
BEGINNING_B = 1_000_000  # a change without effect on this beginning is tried on the whole job


def without_effect(system: System, changed: System, in_part: bool = False) -> dict[str, str]:
    """Return each changed parameter without effect, and the remark on it. With `in_part` the job is
    run as far as its rate needs."""
    if in_part:
        needed = needed_B(changed)
        system, changed = (of_size(each, needed) for each in (system, changed))
    given = changed.changes.keys() - (set(OF_THE_RUN) - {SEED})
    given -= set(SIZES)  # a job of another size is another job, and may take minutes to run
    keys = [key for key in run_text.differences(system, changed) if key in given]
    beginning = of_size(changed, BEGINNING_B)
    idle = _idle(system, beginning, keys)
    if beginning != changed:
        idle = _idle(system, changed, idle)
    declared, parameters = declaration(changed.scenario), changed.parameters()
    found = {}
    for key in idle:
        link = other_link(declared.parameter(key), parameters)
        found[key] = "no effect in this run"
        if link:
            found[key] += f", because it belongs to --link {link} and this run uses"
            found[key] += f" {parameters[CHOICE]}: give --link {link}"
    return found | dict(_as_it_was(system, changed, keys))


def _as_it_was(system: System, changed: System, keys: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield parameters given with the system's own value; for a loss fraction also its lists."""
    declared, parameters = declaration(changed.scenario), changed.parameters()
    own = system.parameters()
    for key, text in changed.changes.items():
        if system.changes.get(key) == text:  # already changed before
            continue
        if key in keys or key not in parameters or key in OF_THE_RUN or own[key] != parameters[key]:
            continue
        if _without(system, changed, key).parameters()[key] != parameters[key]:
            continue  # a profile that was put in has another
        told = "no change: the system already has this value"
        if link := other_link(declared.parameter(key), parameters):
            told = f"no effect in this run, because it belongs to --link {link}: give --link {link}"
        for other in _lists_of_losses(key, parameters):
            told += f". Its losses are in {other}, which --{declared.parameter(other).flag} '' ends"
        yield key, told


def _lists_of_losses(key: str, parameters: Mapping[str, str]) -> list[str]:
    """Return the list of lost packets in a loss fraction's direction, if it has packets."""
    way, _, loss = key.partition("_")
    other = f"{way}_{loss.replace('loss', 'lost_packets', 1)}"
    return [other] if loss.startswith("loss") and parameters.get(other) else []


def sentences(system: System, changed: System) -> list[str]:
    """Return the remarks as sentences."""
    return [f"{key}: {why}" for key, why in without_effect(system, changed).items()]


def _idle(system: System, changed: System, keys: Sequence[str]) -> list[str]:
    """Return the parameters whose change alone makes no difference to the run."""
    if not keys:
        return []
    own, *others = _runs_without(system, changed, [[], *([key] for key in keys)])
    idle = [key for key, its in zip(keys, others, strict=True) if own and its == own]
    # Two that say the same have an effect together: what comes back to none of them has none.
    none, *one = _runs_without(
        system, changed, [idle, *([each for each in idle if each != key] for key in idle)]
    )
    return [key for key, its in zip(idle, one, strict=True) if none and its == none]


def _runs_without(
    system: System, changed: System, left_out: Sequence[Sequence[str]]
) -> list[Mapping]:
    """Return the results of the changed job without some of its changes, for each set of them;
    empty where the program refuses the job."""
    jobs = (
        reduce(lambda each, key: _without(system, each, key), some, changed) for some in left_out
    )
    flags = [each.flags() for each in jobs]
    records = try_batch(changed.scenario, flags, "without it")
    return [{} if isinstance(each, Failure) else results_of(each) for each in records]


def _without(system: System, changed: System, key: str) -> System:
    if key in (MTU, LINK) or key in system.changes:  # the MSS followed it; or it is one of two
        return changed.with_(**{key: system.parameters()[key]})
    return replace(changed, changes={k: text for k, text in changed.changes.items() if k != key})
