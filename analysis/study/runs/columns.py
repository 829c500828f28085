# SPDX-License-Identifier: GPL-2.0-only
"""Answers as columns, block by block: eight bytes a number, so that a million points fit where as
many records would not."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from operator import itemgetter
from typing import NamedTuple

import numpy as np
import orjson

from study.programs import values
from study.programs.declaration import Declaration
from study.runs.outcomes import Answer, Failure, outcome
from study.runs.spot_checks import NO_RESULTS

OUTCOMES = ["finished", "stalled", "cut-off", "failed"]
METHODS = ["full", "fast-forwarded"]
OUTCOME_CODES = {name: code for code, name in enumerate(OUTCOMES)}
METHOD_CODES = {name: code for code, name in enumerate(METHODS)} | {None: -1}
FAILED = OUTCOMES.index("failed")
REAL_UNITS = ("s", "B/s", "bit/s")  # results in another unit are integers unless one has a fraction
WHOLE = ""  # name of the only part of a result that is not split


class Integers(NamedTuple):
    """Integers, some of which are missing."""

    data: np.ndarray
    missing: np.ndarray


Numbers = np.ndarray | Integers


class Block(NamedTuple):
    """Consecutive points as columns."""

    outcome: np.ndarray  # indices in OUTCOMES
    method: np.ndarray  # indices in METHODS, -1 for none
    reason: list[str]
    results: dict[str, dict[str, Numbers]]  # by key, and by part if the result is split
    known: np.ndarray | None = None  # its prints, if already computed

    def begins_like(self, other: "Block") -> bool:
        """Return whether the first points of both blocks have equal results."""
        return self._first() == other._first()

    def _first(self) -> tuple[object, ...]:
        parts = {
            key: [(part, str(_real(numbers)[0])) for part, numbers in parts.items()]
            for key, parts in self.results.items()
        }
        return self.outcome[0], self.method[0], self.reason[0], parts

    def prints(self) -> np.ndarray:
        """Return a 64-bit hash of each point's results, the same for equal results."""
        if self.known is not None:
            return self.known
        reasons = np.array([_of(each) if each else 0 for each in self.reason], dtype="uint64")
        total = self.outcome.astype("uint64") * np.uint64(0x9E3779B97F4A7C15) + reasons
        for key, parts in self.results.items():
            if key in NO_RESULTS:
                continue
            for part, numbers in parts.items():
                real = _real(numbers)
                mixed = _mixed((real + 0.0).view("uint64") ^ np.uint64(_of(f"{key} {part}")))
                total += np.where(np.isnan(real), np.uint64(0), mixed)
        return total


def _real(numbers: Numbers) -> np.ndarray:
    """Return the numbers as floats, NaN for a missing one."""
    if isinstance(numbers, Integers):
        return np.where(numbers.missing, np.nan, numbers.data)
    return numbers


def block(declared: Declaration, answers: Sequence[Answer]) -> Block:
    """Return the answers as columns. A failed point has its reason and no results."""
    keys = ("outcome", "method", "reason", *declared.results)
    of_all = itemgetter(*keys)
    try:
        # Usually no value is missing. Only the values of a record are kept: a thousand dictionaries
        # at once cost the garbage collector more time than reading them.
        found = [of_all(orjson.loads(each)) for each in answers]
        return _block(declared, list(zip(*found, strict=True)))
    except (KeyError, ValueError):
        return _block(declared, _with_gaps(keys, answers))


def _block(declared: Declaration, columns: Sequence[Sequence]) -> Block:
    ended, ways, reasons, *found = columns
    results = {
        key: _parts(unit, column)
        for (key, unit), column in zip(declared.results.items(), found, strict=True)
    }
    outcomes = np.array([OUTCOME_CODES[each] for each in ended], "int8")
    methods = np.array([METHOD_CODES[each] for each in ways], "int8")
    return Block(outcomes, methods, list(reasons), results)


def _with_gaps(keys: Sequence[str], answers: Sequence[Answer]) -> list[list]:
    """Return columns of values, None where one is missing."""
    records = [
        {"outcome": "failed", "method": None, "reason": answer.reason}
        if isinstance(answer, Failure)
        else {"method": METHODS[0], "reason": ""} | outcome(answer)
        for answer in answers
    ]
    return [[record.get(key) for record in records] for key in keys]


def in_columns(
    declared: Declaration, blocks: Sequence[Block]
) -> Iterator[tuple[str, dict[str, Numbers]]]:
    """Yield each result of the blocks, which are emptied: its unit, and its numbers by column
    name."""
    sizes = [len(block.outcome) for block in blocks]
    for key, unit in declared.results.items():
        parts = _of_all([block.results[key] for block in blocks], sizes)
        yield unit, {name: parts[part] for part, name in _names(key, unit, parts).items()}


def _names(key: str, unit: str, parts: Mapping[str, object]) -> dict[str, str]:
    """Return the column names of a result by part."""
    stem = key.removesuffix(f"_{values.SUFFIXES.get(unit)}")
    return {part: values.column(f"{stem}_{part}", unit) if part else key for part in parts}


def _of_all(pieces: Sequence[Mapping[str, Numbers]], sizes: Sequence[int]) -> dict[str, Numbers]:
    """Return one result of several blocks, with `sizes` points each."""
    parts = list(dict.fromkeys(part for piece in pieces for part in piece if part)) or [WHOLE]
    return {part: _joined([piece.pop(part, None) for piece in pieces], sizes) for part in parts}


def placed(whole: Numbers | None, count: int, start: int, numbers: Numbers) -> Numbers:
    """Return a column of `count` numbers with these at `start`. Others are missing."""
    if whole is None and isinstance(numbers, Integers):
        whole = Integers(np.zeros(count, "int64"), np.ones(count, "bool"))
    elif whole is None:
        whole = np.full(count, np.nan)
    if isinstance(whole, Integers) and not isinstance(numbers, Integers):
        whole = _real(whole)
    if isinstance(whole, Integers):
        for column, part in zip(whole, numbers, strict=True):
            column[start : start + len(part)] = part
    else:
        real = _real(numbers)
        whole[start : start + len(real)] = real
    return whole


def _joined(pieces: Sequence[Numbers | None], sizes: Sequence[int]) -> Numbers:
    if len(pieces) == 1:
        return pieces[0]
    if all(isinstance(piece, Integers) for piece in pieces):
        data, missing = zip(*pieces, strict=True)
        return Integers(np.concatenate(data), np.concatenate(missing))
    total = np.full(sum(sizes), np.nan)
    start = 0
    for piece, size in zip(pieces, sizes, strict=True):
        if piece is not None:
            total[start : start + size] = _real(piece)
        start += size
    return total


def _parts(unit: str, column: Sequence) -> dict[str, Numbers]:
    """Return a result's numbers: as a whole, or by part if it is split."""
    first = next((each for each in column if each is not None), None)
    if not isinstance(first, dict):
        return {WHOLE: _numbers(column, unit)}
    try:
        of_all = itemgetter(*first)
        parts = zip(*map(of_all, column), strict=True) if len(first) > 1 else [map(of_all, column)]
        return {part: _numbers(list(each), unit) for part, each in zip(first, parts, strict=True)}
    except (KeyError, TypeError):
        return {
            part: _numbers([each.get(part) if each else None for each in column], unit)
            for part in first
        }


def _numbers(column: Sequence, unit: str) -> Numbers:
    if unit not in REAL_UNITS:
        found = np.array(column)
        if found.dtype == np.int64:
            return Integers(found, np.zeros(len(found), "bool"))
        if found.dtype == object and not any(isinstance(each, float) for each in column):
            missing = np.array([each is None for each in column])
            return Integers(np.array([each or 0 for each in column], "int64"), missing)
    return np.array(column, dtype="float64")  # None becomes NaN


def _mixed(bits: np.ndarray) -> np.ndarray:
    """Return hashes each bit of which depends on every bit of the input."""
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        bits = bits * np.uint64(factor)
        bits ^= bits >> np.uint64(33)
    return bits


@cache
def _of(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
