# SPDX-License-Identifier: GPL-2.0-only
"""The page of licences: each package of a container is on it, with a verdict that is no guess."""

import re

import pytest
from study.base.errors import StudyError
from study.base.project import ROOT
from study.publishing.licences import LOCKS, PAGE, PINNED, Part, of_the_wheel, parts

WITH, WITHOUT = "goes together", "**not in one program**"


@pytest.mark.parametrize(
    ("licence", "verdict"),
    [
        ("MIT", WITH),
        ("BSD License", WITH),
        ("BSD-3-Clause AND 0BSD AND MIT", WITH),
        ("MPL-2.0 AND (Apache-2.0 OR MIT)", WITH),
        ("Apache-2.0 OR BSD-2-Clause", WITH),
        ("Apache-2.0", WITHOUT),
        ("MIT; Apache Software License", WITHOUT),
        ("GPL-3.0-or-later", WITHOUT),
        ("GNU General Public License v2 (GPLv2)", "the same"),
    ],
)
def test_the_worst_of_what_applies_decides(licence: str, verdict: str):
    assert Part("some", "1", licence).verdict.startswith(verdict)


def test_a_licence_that_nobody_has_judged_is_an_error():
    with pytest.raises(StudyError, match="no verdict on the licence 'Beerware'"):
        Part("some", "1", "Beerware").verdict  # noqa: B018


def test_the_page_names_every_package_of_a_container():
    """By the locks alone: the notebooks' packages need not be installed here."""
    rows = re.findall(r"^\| ([\w.-]+) +\| ([\w. ]+?) +\|", PAGE.read_text(), re.M)
    wanted = {}
    for lock in LOCKS:
        for name, version, marker in PINNED.findall((ROOT / lock).read_text()):
            if "sys_platform" not in marker or "linux" in marker:
                wanted[name] = version
    told = dict(rows)
    assert {name: told.get(name) for name in wanted} == wanted


def test_its_rows_are_what_the_metadata_says():
    text = PAGE.read_text()
    for part in [*parts(LOCKS[0]), *of_the_wheel()]:
        (row,) = re.findall(rf"^\| {re.escape(part.name)} .*$", text, re.M)
        assert [cell.strip() for cell in row.strip("|").split("|")][2:] == [
            part.licence,
            part.verdict,
        ]
