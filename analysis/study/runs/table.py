# SPDX-License-Identifier: GPL-2.0-only
"""A sweep's answers as a tidy table: one row a point, units in the columns' names, and the same
types whatever came out; and that table as CSV, Parquet or xarray."""

import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from study.base.errors import StudyError
from study.base.project import check_writable
from study.programs import values
from study.programs.declaration import TEXTS, Declaration, Parameter
from study.programs.values import Value
from study.runs.columns import METHODS, OUTCOMES, Block, Integers, Numbers, joined, names

if TYPE_CHECKING:
    import pandas as pd
    import xarray

SUFFIXES = (".csv", ".parquet")
DTYPES = {"time": "float64", "data-rate": "int64", "integer": "int64", "real": "float64"}
ROWS_AT_ONCE = 50_000  # of a file


def varied_columns(
    declared: Declaration, varied: Mapping[str, Sequence[Value]]
) -> "dict[str, pd.Categorical | np.ndarray]":
    """What was varied, by the names that the columns have."""
    parameters = {key: declared.parameter(key) for key in varied}
    return {
        values.column(key, parameter.unit): _parameter_column(parameter, varied[key])
        for key, parameter in parameters.items()
    }


def frame(
    declared: Declaration,
    varied: "Mapping[str, pd.Categorical | np.ndarray]",
    blocks: Sequence[Block],
) -> "pd.DataFrame":
    """The varied parameters, how each point ended, and its results. Of the blocks nothing is left:
    a table of a million points is in memory once."""
    import pandas as pd

    columns: dict[str, object] = dict(varied)
    in_unit = {
        values.column(key, parameter.unit): parameter.unit
        for key, parameter in declared.parameters.items()
    }
    units = {name: in_unit[name] for name in varied}
    codes = np.concatenate([block.outcome for block in blocks])
    columns["outcome"] = pd.Categorical.from_codes(codes, OUTCOMES)
    reasons = [pd.array(block.reason, dtype="str") for block in blocks]
    columns["reason"] = pd.concat(map(pd.Series, reasons), ignore_index=True)
    ways = np.concatenate([block.method for block in blocks])
    columns["method"] = pd.Categorical.from_codes(ways, METHODS)
    sizes = [len(block.outcome) for block in blocks]
    for key, unit in declared.results.items():
        parts = joined([block.results[key] for block in blocks], sizes)
        found = {name: _nullable(parts[part]) for part, name in names(key, unit, parts).items()}
        columns |= found
        units = dict.fromkeys(found, unit) | units
    made = pd.DataFrame(columns, copy=False)
    made.attrs["varied"] = list(varied)
    made.attrs["units"] = {
        name: units[name] for name in columns if units.get(name, "1") not in ("", "1")
    }
    return made


def _nullable(numbers: Numbers) -> object:
    import pandas as pd

    if isinstance(numbers, Integers):
        return pd.arrays.IntegerArray(numbers.data, numbers.missing)
    return numbers


def _parameter_column(
    parameter: Parameter, column: Sequence[Value]
) -> "pd.Categorical | np.ndarray":
    import pandas as pd

    numbers = [value.number for value in column]
    if parameter.choices:
        return pd.Categorical(numbers, list(parameter.choices))
    if parameter.type in TEXTS:
        return pd.Categorical(numbers, list(dict.fromkeys(numbers)))
    return np.array(numbers, dtype=DTYPES.get(parameter.type, "bool"))


def check_output(path: Path) -> None:
    """Before the runs: what could not be written after them."""
    if path.suffix not in SUFFIXES:
        raise StudyError(f"{path} is not the name of a table: it has to end in .csv or .parquet")
    check_writable(path)


def as_bytes(made: "pd.DataFrame", suffix: str) -> bytes:
    """The table as a file's content."""
    if suffix == ".csv":
        return "".join(csv_parts(made)).encode()
    out = io.BytesIO()
    made.to_parquet(out, index=False)
    return out.getvalue()


def csv_parts(made: "pd.DataFrame") -> Iterator[str]:
    """The table as CSV, some rows at a time."""
    for start in range(0, max(len(made), 1), ROWS_AT_ONCE):
        part = made.iloc[start : start + ROWS_AT_ONCE]
        yield part.to_csv(index=False, header=start == 0, lineterminator="\n")


def to_xarray(made: "pd.DataFrame") -> "xarray.Dataset":
    """A sweep's table as a Dataset: what was varied over a whole grid as dimensions, otherwise one
    dimension `point`; units as attributes."""
    try:
        import xarray
    except ImportError:
        raise StudyError("this needs xarray: `./waf extras` fetches it") from None
    varied, units = made.attrs["varied"], made.attrs["units"]
    axes = {name: np.unique(_plain(made[name]), return_inverse=True) for name in varied}
    shape = [len(found) for found, _ in axes.values()]
    is_grid = bool(varied) and np.prod(shape, dtype="float64") == len(made)
    if is_grid:
        places = np.ravel_multi_index([codes for _, codes in axes.values()], shape)
        is_grid = bool((np.bincount(places, minlength=len(made)) == 1).all())
    if not is_grid:
        columns = {name: ("point", _plain(made[name])) for name in made.columns}
        coordinates = {name: columns.pop(name) for name in varied} | {"point": np.arange(len(made))}
        dataset = xarray.Dataset(columns, coordinates)
    else:
        rows = None if (places == np.arange(len(made))).all() else np.argsort(places)
        columns = {}
        for name in made.columns.drop(varied):
            column = _plain(made[name])
            columns[name] = (varied, (column if rows is None else column[rows]).reshape(shape))
        dataset = xarray.Dataset(columns, {name: found for name, (found, _) in axes.items()})
    for name in dataset.variables:
        if name in units:
            dataset[name].attrs["units"] = units[name]
    return dataset


def _plain(column: "pd.Series") -> np.ndarray:
    """As xarray has it: no categories, and no whole numbers that may be missing."""
    if column.dtype == "Int64":
        return (
            column.to_numpy("float64", na_value=np.nan)
            if column.hasnans
            else column.to_numpy("int64")
        )
    if column.dtype == "category" or column.dtype == "str":
        return column.to_numpy(object)
    return column.to_numpy()
