# SPDX-License-Identifier: GPL-2.0-only
"""Claims about figures of random samples: one is not shown as if it were the only one."""

import re

import pytest
from study import systems
from study.commands.main import main
from study.judging import reproduction
from study.judging.comparison import compare
from study.judging.draws import DRAWS, SHORT_B, with_draws


@pytest.fixture(scope="module")
def lossy(program):
    system = systems["rebbr"].with_(job_size=1_000_000)
    rows = [row for row in system.measured if "job_size" not in row.with_]
    return system, with_draws(system, compare(system, system.run(), rows))


def test_every_draw_is_the_run_of_its_seed(lossy):
    system, comparisons = lossy
    (comparison,) = comparisons
    rates = [system.with_(seed=seed).run().throughput_Bps / 125 for seed in range(1, DRAWS + 1)]
    assert comparison.draws == pytest.approx(rates)
    assert comparison.draws[0] == pytest.approx(comparison.simulated)
    assert len(set(rates)) == DRAWS
    row = reproduction.row(system.name, comparison)
    assert row["draws"] == f"{DRAWS}"
    assert float(row["draws_low"]) == pytest.approx(min(rates), abs=0.005)
    assert float(row["draws_high"]) == pytest.approx(max(rates), abs=0.005)
    ends = f"({row['draws_low']} to {row['draws_high']} with {DRAWS} random seeds)"
    assert reproduction.cells(row)["simulated"].endswith(ends)


def test_a_run_without_chance_has_no_draws(program):
    system = systems["hp-jetdirect-610n"]
    for comparison in with_draws(system, compare(system, system.run())):
        assert comparison.draws == ()
        assert "draw" not in reproduction.cells(reproduction.row("", comparison))["simulated"]


def test_a_long_job_is_one_draw_and_says_so(program, monkeypatch):
    monkeypatch.setattr("study.judging.draws.SHORT_B", 999_999)
    assert SHORT_B > 999_999
    system = systems["rebbr"].with_(job_size=1_000_000)
    rows = [row for row in system.measured if "job_size" not in row.with_]
    (comparison,) = with_draws(system, compare(system, system.run(), rows))
    assert comparison.draws == (comparison.simulated,)
    row = reproduction.row("", comparison)
    assert reproduction.cells(row)["simulated"].endswith("(one random seed)")


def test_a_run_prints_the_spread_under_its_table(program, capsys):
    assert main(["run", "linksys-ppsx1"]) == 0
    told = re.search(
        rf"^rate between stalls: (\S+) kB/s \((\S+) to (\S+) with {DRAWS} random seeds\)$",
        capsys.readouterr().out,
        re.MULTILINE,
    )
    own, low, high = map(float, told.groups())
    assert low <= own <= high
