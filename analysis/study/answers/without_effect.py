# SPDX-License-Identifier: GPL-2.0-only
"""Settings that change nothing in a run: found by running the job without each, so that whatever
makes it idle, another link, a loss of none or a buffer that never fills, it is named."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from study.answers import outcome
from study.base.errors import StudyError
from study.kit.formula import OF_THE_RUN
from study.kit.link import CHOICE, other_link
from study.programs.declaration import declaration
from study.runs.batch import run_batch
from study.runs.spot_checks import OF_THE_METHOD
from study.system.mss import MTU
from study.system.system import System
from study.trials.jobs import of_size

NOT_FOUND = ("parameters", *OF_THE_METHOD, "without_effect")  # of a record: what is no finding


def without_effect(system: System, changed: System, most_B: int = 0) -> dict[str, str]:
    """Each parameter that was changed to no effect, and what there is to say of it; with `most_B`
    no more of the job is run."""
    if most_B:
        system, changed = of_size(system, most_B), of_size(changed, most_B)
    given = changed.changes.keys() - set(OF_THE_RUN)
    keys = [key for key in outcome.differences(system, changed) if key in given]
    without = {key: _without(system, changed, key) for key in keys}
    own = _record(changed) if keys else None
    declared, parameters = declaration(changed.scenario), changed.parameters()
    found = {}
    for key, other in without.items():
        if own is not None and _record(other) == own:
            link = other_link(declared.parameter(key), parameters)
            found[key] = "no effect in this run"
            if link:
                found[key] += f": it is of --link {link}, and this one's is {parameters[CHOICE]}"
    return found | dict(_as_it_was(system, changed, keys))


def _as_it_was(system: System, changed: System, keys: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What was given and is the system's own; of losses, where they are."""
    declared, parameters = declaration(changed.scenario), changed.parameters()
    own = system.parameters()
    for key, text in changed.changes.items():
        if system.changes.get(key) == text:  # changed before
            continue
        if key in keys or key not in parameters or key in OF_THE_RUN or own[key] != parameters[key]:
            continue
        told = "no change, it is the system's own value"
        for other in _lists_of_losses(key, parameters):
            told += f": its losses are in {other}, which --{declared.parameter(other).flag} '' ends"
        yield key, told


def _lists_of_losses(key: str, parameters: Mapping[str, str]) -> list[str]:
    """Of a fraction that is lost: the list of those that are, on the same way."""
    way, _, loss = key.partition("_")
    other = f"{way}_{loss.replace('loss', 'lost_packets', 1)}"
    return [other] if loss.startswith("loss") and parameters.get(other) else []


def sentences(system: System, changed: System) -> list[str]:
    """The same as text."""
    return [f"{key}: {why}" for key, why in without_effect(system, changed).items()]


def _without(system: System, changed: System, key: str) -> System:
    if key == MTU:  # with which the MSS went
        return changed.with_(**{key: system.parameters()[key]})
    return replace(changed, changes={k: text for k, text in changed.changes.items() if k != key})


def _record(system: System) -> Mapping | None:
    """What became of the job; None for one that the program refuses."""
    try:
        (record,) = run_batch(system.scenario, [system.flags()], "without it")
    except StudyError:
        return None
    return {key: value for key, value in record.items() if key not in NOT_FOUND}
