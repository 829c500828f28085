# SPDX-License-Identifier: GPL-2.0-only
"""A sweep's outcomes as a tidy table: one row a point, units in the columns' names, and the same
types whatever came out; and that table as CSV, Parquet or xarray."""

import io
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from study.base.errors import StudyError
from study.base.project import check_writable
from study.programs import values
from study.programs.declaration import TEXTS, Declaration, Parameter
from study.programs.values import Value
from study.runs.workers import Failure, Outcome

if TYPE_CHECKING:
    import pandas as pd
    import xarray

OUTCOMES = ["finished", "stalled", "cut-off", "failed"]
METHODS = ["full", "fast-forwarded"]
SUFFIXES = (".csv", ".parquet")
REAL_UNITS = ("s", "B/s", "bit/s")  # results in another unit are counts, unless one is not whole
DTYPES = {"time": "float64", "data-rate": "int64", "integer": "int64", "real": "float64"}


def frame(
    declared: Declaration, varied: Mapping[str, Sequence[Value]], outcomes: Sequence[Outcome]
) -> "pd.DataFrame":
    """The varied parameters, how each point ended, and its results; a failed point has its reason
    and no results."""
    import pandas as pd

    columns: dict[str, object] = {}
    units: dict[str, str] = {}
    for key, column in varied.items():
        parameter = declared.parameter(key)
        name = values.column(key, parameter.unit)
        columns[name], units[name] = _parameter_column(parameter, column), parameter.unit
    names = list(columns)
    records = [{} if isinstance(each, Failure) else each for each in outcomes]
    ended = [record.get("outcome", "failed") for record in records]
    columns["outcome"] = pd.Categorical(ended, OUTCOMES)
    reasons = [
        outcome.reason if isinstance(outcome, Failure) else outcome.get("reason", "")
        for outcome in outcomes
    ]
    columns["reason"] = pd.array(reasons, dtype="str")
    ways = [record.get("method", METHODS[0]) if record else None for record in records]
    columns["method"] = pd.Categorical(ways, METHODS)
    for key, unit in declared.results.items():
        found = _result_columns(key, unit, records)
        columns |= found
        units = dict.fromkeys(found, unit) | units
    made = pd.DataFrame(columns)
    made.attrs["varied"] = names
    made.attrs["units"] = {
        name: units[name] for name in columns if units.get(name, "1") not in ("", "1")
    }
    return made


def _parameter_column(parameter: Parameter, column: Sequence[Value]) -> object:
    import pandas as pd

    numbers = [value.number for value in column]
    if parameter.choices:
        return pd.Categorical(numbers, list(parameter.choices))
    if parameter.type in TEXTS:
        return pd.Categorical(numbers, list(dict.fromkeys(numbers)))
    return pd.array(numbers, dtype=DTYPES.get(parameter.type, "bool")).to_numpy()


def _result_columns(key: str, unit: str, records: Sequence[Mapping]) -> dict[str, object]:
    """One column; or, for a result that is split into parts, one for each part."""
    parts = next((record[key] for record in records if isinstance(record.get(key), dict)), None)
    if parts is None:
        return {key: _numbers([record.get(key) for record in records], unit)}
    stem = key.removesuffix(f"_{values.SUFFIXES.get(unit)}")
    return {
        values.column(f"{stem}_{part}", unit): _numbers(
            [record[key].get(part) if record else None for record in records], unit
        )
        for part in parts
    }


def _numbers(column: list, unit: str) -> object:
    import numpy as np
    import pandas as pd

    if unit in REAL_UNITS or any(isinstance(number, float) for number in column):
        return np.array(column, dtype="float64")  # None becomes not-a-number
    return pd.array(column, dtype="Int64")


def check_output(path: Path) -> None:
    """Before the runs: what could not be written after them."""
    if path.suffix not in SUFFIXES:
        raise StudyError(f"{path} is not the name of a table: it has to end in .csv or .parquet")
    check_writable(path)


def as_bytes(made: "pd.DataFrame", suffix: str) -> bytes:
    """The table as a file's content."""
    if suffix == ".csv":
        return made.to_csv(index=False, lineterminator="\n").encode()
    out = io.BytesIO()
    made.to_parquet(out, index=False)
    return out.getvalue()


def to_xarray(made: "pd.DataFrame") -> "xarray.Dataset":
    """A sweep's table as a Dataset: what was varied over a whole grid as dimensions, otherwise one
    dimension `point`; units as attributes."""
    try:
        import xarray  # noqa: F401
    except ImportError:
        raise StudyError("this needs xarray: `./waf extras` fetches it") from None
    varied, units = made.attrs["varied"], made.attrs["units"]
    plain = made.copy()
    for name in plain.columns:
        if plain[name].dtype == "category":
            plain[name] = plain[name].astype(object)
        elif plain[name].dtype == "Int64":
            plain[name] = plain[name].astype("float64" if plain[name].hasnans else "int64")
    sizes = [plain[name].nunique() for name in varied]
    combinations = len(plain[varied].drop_duplicates()) if varied else 0
    is_grid = varied and combinations == len(plain) == math.prod(sizes)
    if is_grid:
        dataset = plain.set_index(varied).to_xarray()
    else:
        dataset = plain.rename_axis("point").to_xarray().set_coords(varied)
    for name in dataset.variables:
        if name in units:
            dataset[name].attrs["units"] = units[name]
    return dataset
