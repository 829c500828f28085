# SPDX-License-Identifier: GPL-2.0-only
"""Waits that are cut and charged anew are at each instant what they were, or what they became."""

import numpy as np
import pytest
from study.diagnosis.budget import CODE, cut, overlay, pieces, without

LIMITS = ("cpu", "drain", "last_ack", "receive_window")
LIFE = 60


def some(draw: np.random.Generator) -> np.ndarray:
    """A life of 60 ns, in waits of a few."""
    edges = np.unique(np.concatenate(([0, LIFE], draw.integers(1, LIFE, 12))))
    limit = np.array([CODE[each] for each in LIMITS])[draw.integers(0, len(LIMITS), len(edges) - 1)]
    number = np.arange(len(edges))
    return pieces(edges[:-1], edges[1:], limit, number[:-1], number[1:])


def spans(draw: np.random.Generator, count: int) -> np.ndarray:
    """Some that overlap, are empty, touch, or go beyond the ends."""
    return draw.integers(-5, LIFE + 5, (count, 2))


def by_instant(waits: np.ndarray, field: str) -> list[int]:
    """What holds in each of them; a wait follows the one before."""
    ends = waits["start_ns"] + waits["length_ns"]
    assert waits["start_ns"][0] == 0
    assert ends[-1] == LIFE
    assert (waits["length_ns"] > 0).all()
    assert (waits["start_ns"][1:] == ends[:-1]).all()
    return np.repeat(waits[field], waits["length_ns"]).tolist()


@pytest.mark.parametrize("seed", range(40))
def test_within_spans_waits_of_certain_limits_are_charged_to_another(seed):
    draw = np.random.default_rng(seed)
    waits, within = some(draw), spans(draw, seed % 9)
    before = waits.copy()
    found = overlay(waits, within, "link", ("drain", "cpu"))
    assert (waits == before).all()
    meant = (CODE["drain"], CODE["cpu"])
    expected = [
        CODE["link"]
        if limit in meant and any(begin <= at < end for begin, end in within)
        else limit
        for at, limit in enumerate(by_instant(before, "limit"))
    ]
    assert by_instant(found, "limit") == expected
    for field in ("room", "after", "before"):
        assert by_instant(found, field) == by_instant(before, field)


@pytest.mark.parametrize("seed", range(20))
def test_a_wait_begins_at_each_instant_inside_it(seed):
    draw = np.random.default_rng(seed)
    waits, instants = some(draw), draw.integers(-5, LIFE + 5, seed)
    found = cut(waits, instants)
    inside = {int(each) for each in instants if 0 < each < LIFE}
    assert set(found["start_ns"].tolist()) == inside | set(waits["start_ns"].tolist())
    assert by_instant(found, "after") == by_instant(waits, "after")


@pytest.mark.parametrize("seed", range(20))
def test_what_is_left_of_spans_is_outside_of_others(seed):
    draw = np.random.default_rng(seed)
    own, others = spans(draw, seed % 6), spans(draw, seed % 5)
    left = without(own, others)
    for at in range(-5, LIFE + 5):
        expected = any(b <= at < e for b, e in own) and not any(b <= at < e for b, e in others)
        assert any(b <= at < e for b, e in left) == expected, at
