# SPDX-License-Identifier: GPL-2.0-only
"""Claims about figures that are only quoted: nobody here can look them up, so they are no
measurement."""

import csv

from study import systems
from study.answers.overview import headline
from study.base.project import FIGURES, RESULTS
from study.judging import reproduction
from study.publishing.readme import results_table
from study.system.measured import NOT_AT_HAND

QUOTED = {
    "hawking-hps1u": [15],
    "netgear-ps101": [58, 379],
    "troy-pocketpro-100s": [1000],
    "hp-jetdirect-610n": [2000],
}


def test_what_no_source_at_hand_gives_is_marked():
    found = {
        name: sorted(row.value for row in system.measured if not row.is_at_hand)
        for name, system in systems.items()
    }
    assert {name: values for name, values in found.items() if values} == QUOTED


def test_a_quoted_figure_is_no_system_s_headline_and_no_star(program):
    assert headline(systems["troy-pocketpro-100s"]) is None
    drawn = systems["hp-jetdirect-610n"].figure("curve", vary={"receive_window": [1460, 2920]})
    assert "as the source has" not in drawn.caption


def test_the_readme_has_quoted_figures_under_its_table():
    table = reproduction.from_csv((RESULTS / "reproduction.csv").read_text())
    limits = list(csv.DictReader((FIGURES / "limits.csv").read_text().splitlines()))
    main, _, apart = results_table(table, limits).partition(f"\n\n{NOT_AT_HAND.capitalize()}: ")
    for name, values in QUOTED.items():
        assert all(f"`{name}`, " in apart and f" {value} " in apart for value in values)
    assert "1000 kB/s" not in main and "2000 kB/s" not in main


def test_what_netware_s_source_says_of_its_gain_and_of_an_ethernet_is_compared():
    rows = {(row.value, row.unit): row for row in systems["netware"].measured}
    assert "350 percent" in rows[350, "%"].source
    assert "10-Mbps Ethernet" in rows[1.2, "ms"].source
