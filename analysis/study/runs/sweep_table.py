# SPDX-License-Identifier: GPL-2.0-only
"""A sweep's answers as a tidy table: one row a point, units in the columns' names, and the same
types whatever came out; and that table as xarray."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from study.base.errors import StudyError
from study.base.project import check_writable
from study.programs import values
from study.programs.declaration import Declaration
from study.runs.columns import METHODS, OUTCOMES, Block, Integers, Numbers, in_columns
from study.runs.varied import Texts

if TYPE_CHECKING:
    import pandas as pd
    import xarray

SUFFIXES = (".csv", ".parquet")


def frame(
    declared: Declaration,
    varied: Mapping[str, Texts | np.ndarray],
    blocks: Sequence[Block],
) -> "pd.DataFrame":
    """Return the table: varied parameters, outcomes and results. The blocks are emptied, so that a
    table of a million points is in memory once."""
    import pandas as pd

    columns: dict[str, object] = {name: _categories(column) for name, column in varied.items()}
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
    for unit, found in in_columns(declared, blocks):
        columns |= {name: _nullable(numbers) for name, numbers in found.items()}
        units = dict.fromkeys(found, unit) | units
    made = pd.DataFrame(columns, copy=False)
    made.attrs["varied"] = list(varied)
    made.attrs["units"] = {
        name: units[name] for name in columns if units.get(name, "1") not in ("", "1")
    }
    return made


def _categories(column: Texts | np.ndarray) -> object:
    import pandas as pd

    return (
        pd.Categorical.from_codes(column.codes, column.names)
        if isinstance(column, Texts)
        else column
    )


def _nullable(numbers: Numbers) -> object:
    import pandas as pd

    if isinstance(numbers, Integers):
        return pd.arrays.IntegerArray(numbers.data, numbers.missing)
    return numbers


def check_output(path: Path) -> None:
    """Raise StudyError before the runs if the table could not be written after them."""
    if path.suffix not in SUFFIXES:
        raise StudyError(f"{path} is not the name of a table: it has to end in .csv or .parquet")
    check_writable(path)


def to_xarray(made: "pd.DataFrame") -> "xarray.Dataset":
    """Convert a sweep's table.

    Parameters
    ----------
    made
        The table, with the attributes that the sweep gave it.

    Returns
    -------
    xarray.Dataset
        Parameters varied over a whole grid are its dimensions; otherwise it has one, `point`. Units
        are attributes of its variables.

    Raises
    ------
    StudyError
        xarray is not installed.
    """
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
    """Return a column for xarray, without categories or nullable integers."""
    if column.dtype == "Int64":
        return (
            column.to_numpy("float64", na_value=np.nan)
            if column.hasnans
            else column.to_numpy("int64")
        )
    if column.dtype == "category" or column.dtype == "str":
        return column.to_numpy(object)
    return column.to_numpy()
