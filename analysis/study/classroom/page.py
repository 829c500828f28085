# SPDX-License-Identifier: GPL-2.0-only
"""Class page as one HTML file that needs no other file: the units, their runs, and the form
around them."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from study import engine
from study.base.errors import StudyError
from study.base.units import MEASURED
from study.catalogue import systems
from study.classroom import asks, engine_data, films, traces
from study.classroom.asks import Words
from study.classroom.page_units import Unit, own, read
from study.classroom.translations import translations
from study.drawing.kinds.limits import looks
from study.engine.packing import packed_json
from study.front import forms
from study.front.front_page import render
from study.programs.values import Value
from study.runs.batch import run_batch

if TYPE_CHECKING:
    import pandas as pd

ROOM = Path(__file__).parent


def page(say: Callable[[str], None], own: Sequence[str] = ()) -> str:
    """Return the page's HTML. It contains the simulation if the module is built; the user's systems
    need it."""
    units = read()
    if why_not := engine.why_not():
        if own:
            raise StudyError(f"systems of one's own are simulated in the page, and {why_not}")
        say(f"without the simulation inside, because {why_not}")
    module = engine.built()
    inside = engine_data.held() | (engine_data.bench(module, own) if module else {})
    runs = []
    said = translations(units)
    for unit in units:
        say(f"{unit.id}: {len(unit.points)} transfers")
        runs.append(_runs(unit) | {"said": said[unit.id]})
    return document(units, runs, inside, module)


def document(
    units: Sequence[Unit],
    runs: Sequence[dict[str, Any]],
    inside: dict[str, Any],
    module: engine.Module | None = None,
) -> str:
    """Return the page of these units with their runs; the data `inside` are the front end's."""
    from markupsafe import Markup

    limits = sorted({limit for each in runs for limit in [*each["limits"], *_waited(each)]})
    return render(
        "page.html.jinja",
        ROOM,
        units=list(zip(units, runs, strict=True)),
        runs=Markup(packed_json({"looks": looks(limits), "units": runs})),
        inside=inside,
        licence=module and engine_data.licence(module),
    )


def _runs(unit: Unit) -> dict[str, Any]:
    """Return what the page's script needs of a unit."""
    data = unit.data
    swept, found = _swept(unit, unit.points)
    limits = _limits(swept)
    said = Words(unit, found, limits)
    return {
        "id": unit.id,
        "code": data["code"],
        "facts": asks.facts(said),
        "fixed": unit.fixed_parts(),
        "asks": asks.asks(said),
        "x": data["x"],
        "joined": data["joined"],
        "y": data["y"],
        "ends": data.get("names", data["ends"]),
        "parts": data["parts"],
        "promises": data.get("promises", {}),
        "controls": [
            {
                "id": each.id,
                "label": each.data["label"],
                "kind": each.kind,
                "log": each.data.get("log", False),
                "apart": each.data.get("apart", False),
                "start": each.start,
                "steps": [[step.label, step.x] for step in each.steps],
            }
            for each in unit.controls
        ],
        "values": found,
        "between": _between(unit),
        "ranges": unit.ranges,
        "limits": limits,
        "films": _films(unit),
        "trace": traces.side_by_side(unit.system),
        "measured": [_measured(unit, each, found) for each in data.get("measured", [])],
    }


def _swept(unit: Unit, points: Sequence[dict[str, Value]]) -> tuple["pd.DataFrame", list[float]]:
    """Return the runs and the unit's figure of each. Raise StudyError if a run does not finish."""
    swept = unit.sweep(points)
    if len(ended := swept[swept.outcome != "finished"]):
        raise StudyError(
            f"{unit.id}: a transfer is {ended.outcome.iloc[0]}: {ended.reason.iloc[0]}"
        )
    return swept, unit.shown(swept[unit.data["y"]["column"]])


def _waited(run: Mapping[str, Any]) -> set[str]:
    """Return the limits that occur in a unit's films."""
    films = [*run["films"], *(run["trace"] or ())]
    return {limit for film in films for _, limit, _ in film.get("waits", []) if limit}


def _between(unit: Unit) -> dict[str, Any]:
    """Return the points of the curve between two stops of its control, and the ranges in which the
    curve has steps."""
    moved = unit.moved
    values = _swept(unit, unit.between)[1] if moved.between else []
    stairs = moved.data.get("stairs", [])
    return {"x": [step.x for step in moved.between], "values": values, "stairs": stairs}


def _limits(swept: "pd.DataFrame") -> dict[str, list[int]]:
    """Return for each limit that takes time its fraction of every run, in thousandths."""
    times = swept.filter(regex="^limits_")
    shares = times.div(times.sum(axis=1), axis=0).mul(1000).round().fillna(0).astype(int)
    return {
        name.removeprefix("limits_").removesuffix("_s"): shares[name].tolist()
        for name in shares
        if shares[name].any()
    }


def _films(unit: Unit) -> list[films.Film]:
    """Return a film of a few round trips for each point, from a job just long enough for them."""
    shown = [unit.system.with_(**shortened(unit, point)) for point in unit.points]
    flags = [system.flags() for system in shown]
    with TemporaryDirectory(prefix="study-") as folder:
        tables = [Path(folder, f"{number}.csv") for number in range(len(shown))]
        waits = [table.with_suffix(".waits") for table in tables]
        records = run_batch(unit.system.scenario, flags, unit.id, tables, waits)
        told = zip(shown, records, tables, waits, strict=True)
        results = [
            system.result(record, table.read_text(), waited.read_text())
            for system, record, table, waited in told
        ]
    return films.films([films.tables_of(result, unit.data["ends"]) for result in results])


def shortened(unit: Unit, point: dict[str, Value]) -> dict[str, object]:
    """Return a point's changes, with the job shortened to what a film shows."""
    changes: dict[str, object] = {key: value.text for key, value in point.items()}
    for key, most in (forms.SHORT | unit.data.get("shown", {})).items():
        if key in unit.system.settings and (key not in point or point[key].number > most):
            changes[key] = most
    return changes


def _measured(unit: Unit, data: dict[str, Any], found: list[float]) -> dict[str, Any]:
    """Return a measured figure in the unit of the curve, with its place and the simulated figure
    there."""
    system = systems[data["system"]]
    row = next(each for each in system.measured if each.quantity == data["quantity"])
    value = row.value * MEASURED[row.unit]
    if "rate_of" in data:
        value = own(system, data["rate_of"]).number / value
    return {
        "at": unit.places(data["at"]),
        "value": value / MEASURED[unit.data["y"]["unit"]],
        "simulated": found[unit.index(data["at"])],
        "name": data["name"],
        "source": row.source,
        "used_as": row.used_as,
        "title": "; ".join(source.title for source in system.sources),
    }
