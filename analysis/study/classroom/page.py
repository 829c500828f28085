# SPDX-License-Identifier: GPL-2.0-only
"""The page as one HTML file that needs no other: the units, their runs, the form around them."""

import json
import os
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from study.base.errors import StudyError
from study.base.templates import templates
from study.catalogue import systems
from study.classroom import exchange
from study.classroom.units import Control, Unit, read
from study.drawing.kinds.limits import LOOKS, OTHERS
from study.programs.values import Value

if TYPE_CHECKING:
    import pandas as pd

HERE = Path(__file__).parent
# Long enough for a few turns with the largest window or burst.
SHORT_JOB = {"job_size": 300_000, "file_size": 400_000, "commands": 5}


def page(say: Callable[[str], None]) -> str:
    """The file's text."""
    data, units = read()
    parts = []
    for unit in units:
        say(f"{unit.id}: {len(unit.points)} transfers")
        parts.append(_part(unit))
    limits = sorted({limit for part in parts for limit in part["runs"]["limits"]})
    missing = [limit for limit in limits if limit not in data["words"]]
    if missing:
        raise StudyError(f"units.toml has no words for {', '.join(missing)}")
    runs = {
        "words": {limit: data["words"][limit] for limit in limits},
        "looks": _looks(limits),
        "units": [part.pop("runs") for part in parts],
    }
    return render("page.html.jinja", page=data["page"], units=parts, runs=_inline_json(runs))


def render(template: str, **content: object) -> str:
    """A template of this folder; `text` marks up `*word*`."""
    from markupsafe import Markup, escape

    environment = templates(HERE)

    def marked_up(text: str) -> Markup:
        coded = re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text)))
        return Markup(re.sub(r"\*([^*\s][^*]*)\*", r"<em>\1</em>", coded))

    environment.filters["marked_up"] = marked_up
    environment.globals["file"] = lambda name: Markup((HERE / name).read_text(encoding="utf-8"))
    return environment.get_template(template).render(content)


def _inline_json(data: object) -> Any:
    from markupsafe import Markup

    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return Markup(text.replace("<", "\\u003c"))


def _looks(limits: list[str]) -> dict[str, list[str]]:
    others = iter(OTHERS * len(limits))
    return {limit: list(LOOKS.get(limit) or next(others)) for limit in limits}


def _part(unit: Unit) -> dict[str, Any]:
    """What the template needs of a unit; under `runs` what the script needs."""
    swept = unit.sweep()
    failed = swept[swept.outcome == "failed"]
    if len(failed):
        raise StudyError(f"{unit.id}: {failed.reason.iloc[0]}")
    start = {control.id: control.steps[control.start].label for control in unit.controls}
    filled = {key: text.replace(" ", "\N{NO-BREAK SPACE}") for key, text in start.items()}
    data = unit.data
    return {
        "id": unit.id,
        "short": data["short"],
        "title": data["title"],
        "question": data["question"].format_map(filled),
        "text": [each.format_map(filled) for each in data["text"]],
        "predict": data["predict"],
        "predict_hint": data["predict_hint"],
        "tasks": data["tasks"],
        "y": data["y"],
        "system": unit.system.title,
        "sources": [source.title for source in unit.system.sources],
        "controls": [_control(control) for control in unit.controls],
        "runs": _runs(unit, swept),
    }


def _control(control: Control) -> dict[str, Any]:
    return {
        "id": control.id,
        "label": control.label,
        "help": control.help,
        "start": control.start,
        "last": len(control.steps) - 1,
        "text": control.steps[control.start].label,
    }


def _runs(unit: Unit, swept: "pd.DataFrame") -> dict[str, Any]:
    y = unit.data["y"]
    limits = _limits(swept)
    return {
        "id": unit.id,
        "x": unit.along,
        "y": y,
        "ends": unit.data.get("names", unit.data["ends"]),
        "parts": unit.data["parts"],
        "promises": _promises(unit),
        "controls": [
            {
                "id": each.id,
                "label": each.label,
                "log": each.log,
                "start": each.start,
                "steps": [[step.label, step.x] for step in each.steps],
            }
            for each in unit.controls
        ],
        "values": [
            float(f"{value * y['scale']:.6g}") if outcome == "finished" else None
            for value, outcome in zip(swept[y["column"]], swept.outcome, strict=True)
        ],
        "reasons": {
            str(place): reason
            for place, reason in enumerate(swept.reason)
            if isinstance(reason, str) and reason
        },
        "limits": limits,
        "ladders": _ladders(unit),
        "measured": [_measured(unit, each) for each in unit.data["measured"]],
    }


def _promises(unit: Unit) -> dict[str, list[int]]:
    """Which sliders are said to help against a limit, by their places."""
    places = [control.id for control in unit.controls]
    return {
        limit: [places.index(each) for each in ids]
        for limit, ids in unit.data.get("promises", {}).items()
    }


def _limits(swept: "pd.DataFrame") -> dict[str, list[int]]:
    """Of each limit that ever takes time, its share of every run in thousandths."""
    columns = [name for name in swept.columns if name.startswith("limits_")]
    total = swept[columns].sum(axis=1)
    shares = (swept[columns].div(total.where(total > 0, 1), axis=0) * 1000).round().fillna(0)
    return {
        name.removeprefix("limits_").removesuffix("_s"): [int(each) for each in shares[name]]
        for name in columns
        if shares[name].max() >= 1
    }


def _ladders(unit: Unit) -> dict[str, Any]:
    """A few round trips at every point; labels once each."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        drawn = list(pool.map(lambda point: _arrows(unit, point), unit.points))
    labels: dict[str, int] = {}
    packets = [
        [
            value
            for arrow in each
            for value in (
                arrow.near_us,
                arrow.far_us,
                int(arrow.from_near),
                labels.setdefault(arrow.label, len(labels)),
            )
        ]
        for each in drawn
    ]
    return {"labels": list(labels), "packets": packets}


def _arrows(unit: Unit, point: dict[str, Value]) -> list[exchange.Arrow]:
    short = {key: size for key, size in SHORT_JOB.items() if key in unit.system.settings}
    changes = {key: value.text for key, value in point.items()} | short
    result = unit.system.with_(**unit.data.get("fixed", {})).with_(**changes).run(segments=True)
    return exchange.arrows(result, unit.data["ends"])


def _measured(unit: Unit, data: dict[str, Any]) -> dict[str, Any]:
    """A measured figure in the unit of the curve, and where it stands."""
    system = systems[data["system"]]
    row = next(each for each in system.measured if each.quantity == data["quantity"])
    wanted = unit.data["y"]["unit"]
    factor = {("B/s", "kB/s"): 0.001, ("kB/s", "B/s"): 1000}.get((row.unit, wanted), 1)
    return {
        "at": unit.index(data["at"]),
        "value": row.value * factor,
        "name": data["name"],
        "source": row.source,
        "used_as": row.used_as,
        "title": "; ".join(source.title for source in system.sources),
    }
