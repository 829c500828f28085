# SPDX-License-Identifier: GPL-2.0-only
"""Varied parameters of a sweep, as the columns of its table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from study.programs import values
from study.programs.declaration import TEXTS, Declaration, Parameter
from study.programs.values import Value

DTYPES = {"time": "float64", "data-rate": "int64", "integer": "int64", "real": "float64"}


@dataclass(frozen=True)
class Texts:
    """A column of texts with few distinct values."""

    codes: np.ndarray  # indices of the names, -1 for none
    names: Sequence[str]

    def __getitem__(self, some: slice) -> "Texts":
        return Texts(self.codes[some], self.names)


def varied_columns(
    declared: Declaration, varied: Mapping[str, Sequence[Value]]
) -> dict[str, Texts | np.ndarray]:
    """Return the varied parameters by column name."""
    parameters = {key: declared.parameter(key) for key in varied}
    return {
        values.column(key, parameter.unit): _column(parameter, varied[key])
        for key, parameter in parameters.items()
    }


def _column(parameter: Parameter, column: Sequence[Value]) -> Texts | np.ndarray:
    numbers = [value.number for value in column]
    if not parameter.choices and parameter.type not in TEXTS:
        whole = inf not in numbers  # infinity, for "none", is no integer
        return np.array(numbers, DTYPES.get(parameter.type, "bool") if whole else "float64")
    names = list(parameter.choices or dict.fromkeys(numbers))
    code_of = {name: code for code, name in enumerate(names)}
    return Texts(np.array([code_of[number] for number in numbers], "int64"), names)
