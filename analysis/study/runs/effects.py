# SPDX-License-Identifier: GPL-2.0-only
"""Varied parameters of a sweep that change nothing at any of its points."""

from collections.abc import Mapping

import numpy as np


def idle(varied: Mapping[str, np.ndarray], prints: np.ndarray) -> list[str]:
    """Return the parameters without effect: those that have several values with equal values of all
    others, and equal prints wherever that is so."""
    codes = {key: np.unique(column, return_inverse=True)[1] for key, column in varied.items()}
    return [key for key in codes if _is_idle(codes, key, prints)]


def _is_idle(codes: Mapping[str, np.ndarray], chosen: str, prints: np.ndarray) -> bool:
    groups, count = np.zeros(len(prints), "int64"), 1
    for key, column in codes.items():
        if key != chosen:
            size = int(column.max()) + 1
            if count * size >= 2**62:
                groups = np.unique(groups, return_inverse=True)[1]
                count = len(prints)
            groups, count = groups * size + column, count * size
    order = np.argsort(groups, kind="stable")
    groups = groups[order]
    starts = np.flatnonzero(np.r_[True, groups[1:] != groups[:-1]])
    is_varied = _differs(codes[chosen][order], starts)
    return bool(is_varied.any() and not _differs(prints[order], starts)[is_varied].any())


def _differs(column: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Return for each group whether the column has several values in it."""
    return np.minimum.reduceat(column, starts) != np.maximum.reduceat(column, starts)
