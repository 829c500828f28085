# SPDX-License-Identifier: GPL-2.0-only
"""The jobs behind a figure as its table, a row a job, and the closed form between them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, product
from typing import Any

from study.drawing import style
from study.kit.formula import Formula
from study.kit.scenario import judges
from study.runs.batch import run_batch
from study.system.system import Result, System

Reader = Callable[[Result], object]
PaperForm = Callable[[Any], float | None]  # of a scenario's own Formula


def swept(
    doing: str, names: Sequence[str], jobs: Mapping[tuple, System], read: Mapping[str, Reader]
) -> style.Table:
    """Return one row a job: what it differs in, how it ended, and what is read off it."""
    import pandas as pd

    records: list[dict] = []
    for scenario, systems in groupby(jobs.values(), lambda system: system.scenario):
        records += run_batch(scenario, [system.flags() for system in systems], doing)
    rows = []
    for (point, system), record in zip(jobs.items(), records, strict=True):
        result = system.result(record)
        rows.append((*point, result.outcome, *(reader(result) for reader in read.values())))
    return pd.DataFrame(rows, columns=[*names, "outcome", *read])


def crossed(system: System, **lists: Sequence[object]) -> dict[tuple, System]:
    """Return the system with every combination of these values."""
    return {
        point: system.with_(**dict(zip(lists, point, strict=True)))
        for point in product(*lists.values())
    }


def on_paper(result: Result) -> Formula:
    """Return what the closed forms of its scenario take of a job."""
    return judges(result.origin.scenario).form.of(result.parameters)


def rates(formula: PaperForm) -> dict[str, Reader]:
    """To be read off a job: its throughput, simulated and by a closed form."""
    return {
        "throughput_Bps": lambda result: result.throughput_Bps,
        "closed_form_Bps": lambda result: formula(on_paper(result)),
    }


def command_times(formula: PaperForm, stem: str = "command") -> dict[str, Reader]:
    """To be read off a dialogue: the time of a command, simulated and by a closed form."""
    return {
        f"{stem}_ms": lambda result: result.record["command_s"] * 1000,
        "closed_form_ms": lambda result: formula(on_paper(result)) * 1000,
    }


def stalls(result: Result) -> float:
    """Of a dialogue, for each command."""
    return result.record["stalls"] / result.record["answered"]


def line(
    system: System,
    field: str,
    values: Sequence[float],
    formula: PaperForm,
    per: float = 1,
    each: float = 1,
) -> tuple[Sequence[float], list[float]]:
    """Return a closed form over one field of what it takes (receive_window_B), the rest as in a
    run. Both in the units of their axes: of a value that is `each`, of the formula `per`."""
    form = on_paper(system.run())
    return values, [formula(replace(form, **{field: value * each})) / per for value in values]


def between(low: float, high: float, steps: int) -> list[float]:
    """From low to high on a logarithmic axis."""
    return [low * (high / low) ** (step / steps) for step in range(steps + 1)]


def whole(values: Sequence[float]) -> list[int]:
    """Rounded, each once."""
    return sorted({round(value) for value in values})
