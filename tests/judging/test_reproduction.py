# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the results: the committed ones are what the program gives, the README shows them,
and the evidence agrees as closely as the study says."""

import csv

import pytest
from study import Result, System
from study.base.errors import StudyError
from study.base.project import FIGURES, README, RESULTS
from study.judging import reproduction
from study.judging.comparison import compare
from study.publishing import readme

TABLE = RESULTS / "reproduction.csv"


def test_the_committed_table_is_what_the_program_gives(fresh_rows):
    """All but the simulated figures, which test_accept.py holds against the reference, and the ends
    of their draws, which test_draws.py holds against runs."""
    simulated = {"simulated", "residual_pct", "draws_low", "draws_high"}
    committed, fresh = (
        [{name: row[name] for name in row.keys() - simulated} for row in table]
        for table in (reproduction.from_csv(TABLE.read_text()), fresh_rows)
    )
    assert committed == fresh, "run ./waf reproduce"


def test_the_readme_shows_the_committed_table():
    table = reproduction.from_csv(TABLE.read_text())
    limits = list(csv.DictReader((FIGURES / "limits.csv").read_text().splitlines()))
    text = README.read_text()
    assert set(readme.BLOCK.findall(text)) == {"explanation", readme.TABLE, "disagreements"}
    assert readme.with_blocks(text, table, limits) == text, "run ./waf reproduce"


def test_a_readme_without_the_markers_is_refused():
    with pytest.raises(StudyError, match="has no lines <!-- begin results table -->"):
        readme.with_blocks("# title\n", [], [])


# The steady cycle, its rate and the SYN-ACK are inputs, so they have to close tightly; the small
# replies have to lie within the spread of what the trace shows in its interactive parts.
BOUNDS_PCT = {"steady cycle": 0.1, "rate of the steady cycle": 0.5, "SYN-ACK after the SYN": 1.0}
SMALL_REPLIES_US = (4788, 13181)


def test_the_evidence_agrees(hawking: System, hawking_run: Result):
    comparisons = {c.measured.quantity: c for c in compare(hawking, hawking_run)}
    for quantity, bound in BOUNDS_PCT.items():
        assert abs(comparisons[quantity].residual_pct) <= bound, quantity
    for comparison in comparisons.values():
        if comparison.measured.kind == "interactive_reply":
            assert SMALL_REPLIES_US[0] <= comparison.simulated <= SMALL_REPLIES_US[1]


def test_every_figure_is_found_in_the_run_and_agrees_with_its_closed_form(
    hawking: System, hawking_run: Result
):
    """Simulation and closed form share parameters but no code: within 0.1 %, counts within one."""
    for comparison in compare(hawking, hawking_run):
        assert comparison.simulated is not None, comparison.measured.quantity
        bound = max(
            abs(comparison.closed_form) * 0.001, 1.0 if comparison.measured.unit == "1" else 0.0
        )
        assert abs(comparison.simulated - comparison.closed_form) <= bound, comparison
