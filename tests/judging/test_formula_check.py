# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the closed forms: over grids of hundreds of jobs each agrees with the simulation,
save where it says why not."""

from itertools import combinations

import pytest
from study.base.errors import StudyError
from study.base.project import RESULTS, scenarios
from study.judging import closed_forms
from study.judging.closed_forms import REST, WHOLE_GRID
from study.kit.grid import POINTS, Grid, logarithmic, one_of
from study.kit.paper import CLOSE_PCT
from study.kit.scenario import about
from study.publishing import tables

TABLE = RESULTS / "closed-forms.csv"
CHECKS = [(scenario, check) for scenario in scenarios() for check in about(scenario).checks]
CLAIMS = {
    (scenario, check.mechanism, claim.formula): (check, claim)
    for scenario, check in CHECKS
    for claim in check.claims
}
WITHIN = {key[1:]: claim.within_pct for key, (_, claim) in CLAIMS.items()}
FEW, MORE = 61, 127  # points of a grid for a test: primes
HEAVY = 11  # of one whose runs have tens of losses


@pytest.fixture(scope="module")
def committed() -> list[closed_forms.Row]:
    return closed_forms.from_csv(TABLE.read_text())


def test_every_scenario_has_its_formulas_checked():
    assert {scenario for scenario, _ in CHECKS} == set(scenarios())


def test_the_committed_table_has_every_formula_at_250_points_or_more(committed):
    whole = {
        (row.scenario, row.mechanism, row.formula): row.points
        for row in committed
        if row.where == WHOLE_GRID
    }
    assert list(whole) == list(CLAIMS)
    for key, points in whole.items():
        most = CLAIMS[key][0].grid.points  # a law has none where it does not hold
        assert points >= (250 if most > MORE else 0.7 * most), key


def test_a_formula_that_is_wrong_says_where(committed):
    """Outside the regions that a formula names, it is never off by more than CLOSE_PCT; one that
    names none is close everywhere."""
    named = {(row.mechanism, row.formula) for row in committed if row.where != WHOLE_GRID}
    for row in committed:
        explained = row.where == WHOLE_GRID and (row.mechanism, row.formula) in named
        if row.where == REST or (row.where == WHOLE_GRID and not explained):
            assert abs(row.worst_error_pct) <= WITHIN[row.mechanism, row.formula], row


def test_most_jobs_are_as_the_formula_says(committed):
    """The median over a whole grid, the regions included, is a small part of a percent."""
    for row in committed:
        if row.where == WHOLE_GRID and WITHIN[row.mechanism, row.formula] == CLOSE_PCT:
            assert row.median_error_pct < 0.1, row


@pytest.mark.parametrize(
    ("scenario", "check"), CHECKS, ids=[f"{s}: {c.mechanism}" for s, c in CHECKS]
)
def test_a_fresh_grid_agrees_as_the_committed_one_does(scenario: str, check, program):
    """Other points than the committed ones, and fewer: the claim is about the formula."""
    few = FEW if check.grid.points > MORE else HEAVY
    found = closed_forms.compared(check, few)
    for claim, points in zip(check.claims, found.values(), strict=True):
        assert len(points) > few / 2, claim.formula
        for point in points:
            if point.region == REST:
                assert abs(point.error_pct) <= claim.within_pct, (claim.formula, point)


@pytest.mark.parametrize(
    ("scenario", "number", "formula", "left_out"),
    [
        ("print-job", 0, "whole_job_s", "whole_job.slow_start"),
        ("file-read", 0, "whole_file_s", "formulas.one_way_s"),
        ("file-read", 1, "whole_file_s", "formulas.frame_relay_bits"),
        ("file-send", 0, "rate_Bps", "formulas.loop_s"),
        ("file-send", 1, "rate_Bps", "formulas.bus_s"),
        ("request-reply", 0, "operation_s", "formulas.client_ack_wait_s"),
        ("request-reply", 1, "block_s", "formulas.wire_time_s"),
    ],
)
def test_a_formula_that_leaves_something_out_would_be_found(
    scenario: str, number: int, formula: str, left_out: str, program, monkeypatch
):
    """What the check is for: leave a mechanism out, and the points say so."""
    check = about(scenario).checks[number]
    nothing = (0.0, 0.0) if formula == "whole_job_s" else 1e-12  # no line has no time at all
    package = f"study.scenarios.{scenario.replace('-', '_')}"
    monkeypatch.setattr(f"{package}.{left_out}", lambda *_: nothing)
    points = closed_forms.compared.__wrapped__(check, MORE)[formula]
    off = [p for p in points if p.region == REST and abs(p.error_pct) > CLOSE_PCT]
    assert len(off) > 3


@pytest.mark.parametrize(
    ("count", "axes"),
    sorted({(c.grid.points, len(c.grid.axes)) for _, c in CHECKS} | {(POINTS, 12)}),
)
def test_a_grid_is_a_latin_hypercube_whose_axes_do_not_follow_each_other(count: int, axes: int):
    keys = [f"p{number}" for number in range(axes)]
    each = tuple(logarithmic(key, 1.0, 2.718281828459045, "s") for key in keys)
    grid = Grid("hawking-hps1u", each, points=count)
    points = [[float(point[key][:-1]) for key in keys] for point in grid.changes()]
    for column in zip(*points, strict=True):
        assert len(set(column)) > 0.9 * grid.points  # each its own, but for the rounding
    columns = [sorted(range(len(points)), key=lambda i, n=n: points[i][n]) for n in range(axes)]
    ranks = [{index: rank for rank, index in enumerate(column)} for column in columns]
    size = len(points)
    for one, two in combinations(ranks, 2):
        squares = sum((one[index] - two[index]) ** 2 for index in range(size))
        assert abs(1 - 6 * squares / (size * (size**2 - 1))) < 0.3  # Spearman's rank correlation


def test_a_choice_takes_each_value_equally_often():
    axis = one_of("nagle", "true", "false")
    values = [axis.at((number + 0.5) / 10) for number in range(10)]
    assert values == ["true"] * 5 + ["false"] * 5


def test_the_table_survives_its_file_and_other_columns_are_refused(committed):
    assert closed_forms.to_csv(committed) == TABLE.read_text()
    with pytest.raises(StudyError, match="other columns"):
        closed_forms.from_csv("scenario,points\n")


def test_the_site_s_table_names_every_reason_that_it_uses(committed):
    text = tables.closed_forms(committed)
    used = {row.where for row in committed} - {WHOLE_GRID, REST}
    assert used
    for name in used:
        assert f"**Where {name}.**" in text
