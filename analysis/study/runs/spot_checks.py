# SPDX-License-Identifier: GPL-2.0-only
"""Spot checks: fast-forwarded points that are also run in full and must give the same. Their
number is such that the full runs cost a twentieth of what the others do. The digest that is a
point's key chooses them, so that the same call checks the same points."""

from collections.abc import Iterator, Mapping
from itertools import zip_longest

from study.programs.run import IN_FULL, how_to_reproduce
from study.runs.outcomes import Failure, Outcome

SHARE = 0.05  # cost of full runs as a fraction of all work
FAST_FORWARDED = "fast-forwarded"
SAID = b'"method":"fast-forwarded"'
# Entries of a record that differ in a full run.
OF_THE_METHOD = ("method", "cycles_skipped", "simulated_share", "full_because")
NO_RESULTS = (*OF_THE_METHOD, "parameters", "without_effect")  # entries that are of no job


def in_full(line: str) -> str:
    """Return the point's line with the flag for a full run."""
    return f"{line} {IN_FULL}".lstrip()


def is_fast_forwarded(outcome: Outcome | bytes) -> bool:
    """Return whether a record, decoded or as bytes, is of a fast-forwarded run."""
    if isinstance(outcome, bytes):
        return SAID in outcome
    return isinstance(outcome, dict) and outcome.get("method") == FAST_FORWARDED


def results_of(record: Mapping) -> dict:
    """Return a record's results, without the entries about the way it was run."""
    return {key: value for key, value in record.items() if key not in NO_RESULTS}


def is_drawn(key: bytes, fast: Mapping) -> bool:
    """Return whether a point is in the sample to check. Its key acts as a random number; the more a
    full run costs, the smaller the probability."""
    return int.from_bytes(key[-8:], "big") < SHARE * fast["simulated_share"] * 2**64


def disagreement(scenario: str, line: str, fast: dict, full: Outcome) -> str | None:
    """Return a message with both commands if two runs of a point differ, else None."""
    if isinstance(full, Failure):
        return f"a fast-forwarded point could not be checked in full: {full.reason}"
    if is_fast_forwarded(full):
        found = f"{IN_FULL} was given and the record says {FAST_FORWARDED}"
    else:
        differences = (
            f"{name} is {one} fast-forwarded and {other} in full"
            for name, one, other in _both(fast, full)
            if not _equal(name, one, other)
        )
        found = next(differences, None)
    if found is None:
        return None
    return (
        f"fast-forward went wrong: {found}; {how_to_reproduce(scenario, line)} and"
        f" {how_to_reproduce(scenario, in_full(line)).removeprefix('to reproduce: ')};"
        " that point is not kept, but others may be wrong too: --no-fast-forward"
        " (fast_forward=False) runs them in full"
    )


def _both(one: object, other: object, name: str = "") -> Iterator[tuple[str, object, object]]:
    """Yield each pair of values of two records, with its path."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in dict.fromkeys([*one, *other]):
            if name or key not in OF_THE_METHOD:
                path = f"{name}.{key}" if name else key
                yield from _both(one.get(key), other.get(key), path)
    elif isinstance(one, list) and isinstance(other, list):
        for index, pair in enumerate(zip_longest(one, other)):
            yield from _both(*pair, f"{name}[{index}]")
    else:
        yield name, one, other


def _equal(name: str, one: object, other: object) -> bool:
    """Return whether two values are equal: times to the nanosecond, all others exactly."""
    is_time = any(part.endswith("_s") for part in name.split("."))
    if is_time and isinstance(one, int | float) and isinstance(other, int | float):
        return round(one * 1e9) == round(other * 1e9)
    return one == other
