# SPDX-License-Identifier: GPL-2.0-only
"""Claims about what the explorer does again when a slider moves."""

import re
from pathlib import Path

import pytest
from study.explorer import session
from study.explorer.view import Asked
from study.kit.plan import Plan

SYSTEMS = ("hawking-hps1u", "netware", "relook-400s", "telnet-xp")  # of each scenario


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_line_on_paper_is_worked_out_once_while_its_own_slider_moves(
    program: Path, system: str, monkeypatch
):
    """And is the one that a page has which was never anywhere else."""
    worked_out: list[str] = []
    on_paper = Plan.on_paper

    def counted(plan: Plan, form, parameters):
        worked_out.append(parameters[axis])
        return on_paper(plan, form, parameters)

    monkeypatch.setattr(Plan, "on_paper", counted)
    moved, fresh = session(), session()
    form = moved.form(system)
    axis, values_ = form["axis"], form["opening"]["values"]
    controls = [each for section in form["sections"] for each in section["controls"]]
    (stops,) = (each["stops"] for each in controls if each["key"] == axis)
    counts, lines = [], []
    for asked in (moved, moved, fresh):
        stop = stops[len(stops) // 2 + bool(counts)]
        drawn = asked.answer(Asked(system, values=values_ | {axis: stop}, axis=axis))["curve"]
        lines.append(re.findall(r"<polyline[^>]*>", drawn))
        counts.append(len(worked_out))
        worked_out.clear()
    assert counts[0] > 100 and counts[1] <= 3 and counts[2] > 100, counts
    assert lines[1] == lines[2] != []
    moved.close()
    fresh.close()
