# SPDX-License-Identifier: GPL-2.0-only
"""Spot checks: fast-forwarded points that are also run in full and must give the same. Their
number is such that the full runs cost a twentieth of what the others do. The digest that is a
point's key chooses them, so that the same call checks the same points."""

from collections.abc import Iterator, Mapping
from itertools import zip_longest

from study.programs.run import IN_FULL, how_to_reproduce
from study.runs.outcomes import Failure, Outcome

SHARE = 0.05  # of the work
FAST_FORWARDED = "fast-forwarded"
SAID = b'"method":"fast-forwarded"'
# What a full run says otherwise.
OF_THE_METHOD = ("method", "cycles_skipped", "simulated_share", "full_because")


def in_full(line: str) -> str:
    """The point as a line that is run in full."""
    return f"{line} {IN_FULL}".lstrip()


def is_fast_forwarded(outcome: Outcome | bytes) -> bool:
    """As a record, or as the bytes of one."""
    if isinstance(outcome, bytes):
        return SAID in outcome
    return isinstance(outcome, dict) and outcome.get("method") == FAST_FORWARDED


def is_drawn(key: bytes, fast: Mapping) -> bool:
    """Whether a point is among those that are checked: its key is as good as a random number. The
    more a full run would cost, the rarer it is."""
    return int.from_bytes(key[-8:], "big") < SHARE * fast["simulated_share"] * 2**64


def disagreement(scenario: str, line: str, fast: dict, full: Outcome) -> str | None:
    """The sentence for two runs of a point that differ, with the commands for both."""
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
    """Each value that the two have, by its path."""
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
    """Times to the nanosecond, everything else exactly."""
    is_time = any(part.endswith("_s") for part in name.split("."))
    if is_time and isinstance(one, int | float) and isinstance(other, int | float):
        return round(one * 1e9) == round(other * 1e9)
    return one == other
