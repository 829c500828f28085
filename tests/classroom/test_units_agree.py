# SPDX-License-Identifier: GPL-2.0-only
"""The classroom page says what the study says: at the points of a figure its numbers are the
figure's, and between two stops its curve goes where a run goes."""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pandas as pd
import pytest
from study import front
from study.base.project import ROOT
from study.base.units import seconds
from study.classroom import page_units
from study.classroom.page import _between, _swept
from study.drawing import style
from study.drawing.kinds import limits

FIGURES = ROOT / "results" / "figures"
UNITS = {each.id: each for each in page_units.read()}
MS = 1000
# A file that ends with a whole burst, as in the figure, and one that does not.
WITHIN = {"netware": 0.006}
EXACT = 1e-5  # as many digits as the page has
DRAWN_WITHIN = 0.06  # of the curve between two simulated points: about a line's width
BETWEEN = 12  # places that are tried of a unit


def _window(row: Any) -> Mapping[str, object]:
    return {"latency": seconds(row.ack_latency) * MS, "window": row.receive_window_B}


def _buffer(row: Any) -> Mapping[str, object]:
    return {"buffer": row.send_buffer_B} | ({"share": 0.0} if row.system == "imagen-v3" else {})


def _burst(row: Any) -> Mapping[str, object]:
    # One packet is a burst of one there, and request and reply on the page.
    is_burst = row.protocol == "packet burst" and row.burst_size > 1
    return {"burst": row.burst_size if is_burst else None}


def _line(row: Any) -> Mapping[str, object]:
    burst = {"request-reply": 1, "packet-burst": 45}[row.protocol]
    return {"burst": burst, "line": row.branch_access_rate_kbps}


def _delay(row: Any) -> Mapping[str, object]:
    return {"delay": row.delayed_ack_ms} if row.delayed_ack_ms else {"frequency": 1}


def _nagle(row: Any) -> Mapping[str, object]:
    switches = {"client-nagle": row.client_nagle, "server-nagle": row.server_nagle}
    return {"frequency": row.ack_frequency} | switches


# Of each figure: the unit, where a row stands in it, the row's figure, and how many of them meet.
SAME: dict[str, tuple[str, Callable[[Any], Mapping[str, object]], str, float, int]] = {
    "throughput-vs-window": ("print-server", _window, "throughput_Bps", 0.001, 40),
    "imagen-send-buffer": ("send-buffer", _buffer, "throughput_Bps", 1, 20),
    "burst-size": ("netware", _burst, "throughput_Bps", 0.001, 14),
    "line-rate": ("netware", _line, "throughput_Bps", 0.001, 10),
    "telnet-delayed-ack": ("telnet", _delay, "command_ms", 50 / MS, 6),
    "telnet-nagle": ("telnet", _nagle, "command_ms", 50 / MS, 8),
}


def found(unit: page_units.Unit, at: Mapping[str, object]) -> float | None:
    """The unit's figure there, or at one of the points between; None where it has no such stop."""
    places, inner = [], None
    for control in unit.controls:
        wanted = at.get(control.id, control.steps[control.start].x)
        near = [n for n, step in enumerate(control.steps) if _is(step.x, wanted)]
        if not near and control is unit.moved:
            near = [n for n, step in enumerate(control.between) if _is(step.x, wanted)]
            inner = control
        if not near:
            return None
        places.append(near[0])
    index = 0
    for control, place in zip(unit.controls, places, strict=True):
        size = len(control.between if control is inner else control.steps)
        index = index * size + place
    return _values(unit.id, inner is not None)[index]


@cache
def _values(name: str, between: bool) -> list[float]:
    unit = UNITS[name]
    return _swept(unit, unit.between if between else unit.points)[1]


def _is(x: object, wanted: object) -> bool:
    if wanted is None or isinstance(x, str):
        return x == wanted
    return math.isclose(float(x), float(wanted), rel_tol=1e-5)  # type: ignore[arg-type]


@pytest.mark.parametrize("figure", SAME)
def test_at_a_figures_points_the_page_says_what_the_figure_says(figure: str, program: object):
    name, at, column, scale, least = SAME[figure]
    unit, met = UNITS[name], 0
    for row in pd.read_csv(FIGURES / f"{figure}.csv").itertuples():
        value = found(unit, at(row))
        if value is None:
            continue
        met += 1
        expected = getattr(row, column) * scale
        assert value == pytest.approx(expected, rel=max(EXACT, WITHIN.get(name, 0.001))), row
    assert met >= least


def test_a_unit_changes_nothing_of_its_system_that_it_does_not_say():
    for unit in UNITS.values():
        assert set(unit.system.changes) == set(unit.data.get("fixed", {}))
        assert (unit.fixed() != "") == bool(unit.system.changes)
    assert UNITS["netware"].fixed() == ""


def drawn(unit: page_units.Unit, between: Mapping[str, Any]) -> Callable[[int, float], float]:
    """The curve's height at an x, the other controls at the places of a point: counted out here in
    another way than the page does."""
    control = unit.moved
    n = unit.controls.index(control)
    after = math.prod(len(each.steps) for each in unit.controls[n + 1 :])
    stops = _values(unit.id, False)

    def at(others: int, x: float) -> float:
        outer, inner = divmod(others, after)
        both = [
            (steps, values, (outer * len(steps)) * after + inner)
            for steps, values in (
                ([step.x for step in control.steps], stops),
                (between["x"], between["values"]),
            )
        ]
        known = sorted(
            (each, values[first + k * after])
            for steps, values, first in both
            for k, each in enumerate(steps)
        )
        k = max(m for m, (each, _) in enumerate(known[:-1]) if each <= x)
        (x1, y1), (x2, y2) = known[k], known[k + 1]
        stairs = between["stairs"] or [math.inf, 0]
        if x1 >= stairs[0] and x2 <= stairs[1]:
            return y1
        way = math.log if control.data.get("log") else float
        part = (way(x) - way(x1)) / (way(x2) - way(x1))
        if unit.data["y"]["log"]:
            return y1 * (y2 / y1) ** part
        return y1 + (y2 - y1) * part

    return at


def _tried(unit: page_units.Unit) -> Iterator[tuple[int, dict[str, str], float]]:
    """Places of the other controls, what they set, and an x between two stops."""
    drawn_by = Random(unit.id)
    control = unit.moved
    n = unit.controls.index(control)
    for _ in range(BETWEEN):
        x = math.exp(drawn_by.uniform(*(math.log(control.steps[k].x) for k in (0, -1))))
        others, sets = 0, {}
        for k, each in enumerate(unit.controls):
            if k != n:
                place = drawn_by.randrange(len(each.steps))
                others = others * len(each.steps) + place
                sets |= {key: value.text for key, value in each.steps[place].changes.items()}
        yield others, sets, x


@pytest.mark.parametrize("name", [n for n, u in UNITS.items() if u.data["joined"] != "dots"])
def test_between_two_stops_the_curve_goes_where_a_run_goes(name: str, program: object):
    unit = UNITS[name]
    at = drawn(unit, _between(unit))
    control = unit.moved
    for others, sets, x in _tried(unit):
        given = f"{x:.0f}ms" if control.data["unit"] == "ms" else round(x)
        result = unit.system.with_(**sets).with_(**{control.data["parameter"]: given}).run()
        value = getattr(result, unit.data["y"]["column"]) * unit.data["y"]["scale"]
        x = float(str(given).removesuffix("ms"))
        assert at(others, x) == pytest.approx(value, rel=DRAWN_WITHIN), (sets, given)


def test_colours_mean_the_same_on_the_page_and_in_a_figure():
    css = (Path(front.__file__).parent / "base.css").read_text()
    light = css[css.index(":root {") : css.index("}")]
    told = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]+);", light))
    wanted = {"data": style.DATA, "ack": style.ACK, "star": style.MEASURED, "guess": style.GUESS}
    assert {name: told[name] for name in wanted} == {n: c.lower() for n, c in wanted.items()}
    every = set("".join(hatch for _, hatch in [*limits.looks(told).values(), *limits.OTHERS]))
    for sign in every:
        assert f'[data-hatch*="{sign}"]' in css.replace("\\\\", "\\"), sign


def test_where_a_neighbour_may_be_anything_no_line_is_drawn(program: object):
    """The send buffer of which a job's size is a multiple, and a burst that comes out even."""
    for name, low, middle, high in (("send-buffer", 4864, 5000, 5120), ("netware", 69, 72, 73)):
        unit = UNITS[name]
        assert unit.data["joined"] == "dots"
        key = unit.data["x"]
        values = [found(unit, {key: x}) for x in (low, middle, high)]
        assert all(values)
        straight = (values[0] + values[2]) / 2  # type: ignore[operator]
        assert abs(values[1] / straight - 1) > 0.02  # type: ignore[operator]
