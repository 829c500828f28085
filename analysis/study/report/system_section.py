# SPDX-License-Identifier: GPL-2.0-only
"""Content of a system's section in a report: from results/ for a system of the study, from fresh
runs for one of the user's."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from study import figures
from study.answers import changes
from study.answers.explain import explain
from study.base.errors import StudyError
from study.base.project import FIGURES, RESULTS, read_text
from study.drawing import draw
from study.drawing.files import as_file
from study.drawing.flow import Span, name_of
from study.drawing.kinds import limits
from study.drawing.languages import ENGLISH
from study.drawing.style import Drawing, drawn
from study.judging import reproduction
from study.judging.comparison import compare
from study.judging.draws import with_draws
from study.judging.reproduction import Row
from study.system.system import System

ON_ITS_OWN = ("method", "limits", "residuals")  # figures placed elsewhere in the report
OWN_KINDS = ("curve", "outstanding")  # the report has the first that can be drawn


@dataclass(frozen=True)
class Picture:
    """A figure for all forms of the report: SVG, and PDF for LaTeX."""

    name: str
    title: str
    caption: str
    svg: str
    pdf: bytes

    @classmethod
    def of(cls, name: str, drawing: Drawing) -> "Picture":
        """Return a drawing as a picture."""
        svg, pdf = (as_file(drawing, suffix) for suffix in ("svg", "pdf"))
        return cls(name, drawing.title, drawing.caption, svg.decode(), pdf)

    @classmethod
    def of_study(cls, name: str, language: str = ENGLISH) -> "Picture":
        """Return a figure of results/figures/; in another language it is drawn again."""
        if language != ENGLISH:
            return cls.of(name, figures.draw(name, locale=language))
        svg = read(FIGURES / f"{name}.svg")
        told = figures.told(svg)
        title = told["title"] or figures.FIGURES.about(name)
        return cls(name, title, told["caption"], svg, (FIGURES / f"{name}.pdf").read_bytes())


@dataclass(frozen=True)
class Told:
    """A system's measured figures, limits, changes and pictures for its section."""

    system: System
    rows: Sequence[Row]
    limits_s: Mapping[str, float]
    changes: Sequence[changes.Row]
    budget: Picture
    pictures: Sequence[Picture]

    @property
    def duration_s(self) -> float:
        return sum(self.limits_s.values())

    @property
    def shares(self) -> list[tuple[str, float]]:
        """The limits with their percentage of the time, largest first."""
        total_s = self.duration_s or 1.0
        parts = [(limit, 100 * time_s / total_s) for limit, time_s in self.limits_s.items()]
        return sorted(parts, key=lambda part: -part[1])

    def changed(self, what: str) -> list[changes.Row]:
        """Return the changes of one kind: helps, does_nothing or makes_worse."""
        return [row for row in self.changes if row["what"] == what]


def from_results(system: System, language: str = ENGLISH) -> Told:
    """Return a system of the study, from results/."""
    name = system.name
    of_limits = csv.DictReader(read(FIGURES / "limits.csv").splitlines())
    limits_s = {row["limit"]: float(row["time_s"]) for row in of_limits if row["system"] == name}
    rows = reproduction.from_csv(read(RESULTS / "reproduction.csv"))
    tried = changes.from_csv(read(RESULTS / "changes.csv"))
    placed = [each for each in figures.placed()[name] if each not in ON_ITS_OWN]
    return Told(
        system,
        [row for row in rows if row["system"] == name],
        limits_s,
        [row for row in tried if row["system"] == name],
        _budget(system.name, name_of(system), tuple(limits_s.items()), language),
        [Picture.of_study(each, language) for each in placed],
    )


def fresh(system: System, language: str = ENGLISH) -> Told:
    """Return a user's system, from new runs."""
    result = system.run(segments=system.leaves_segments)
    comparisons = with_draws(system, compare(system, result))
    limits_s = {limit: time_s for limit, time_s in result.limits_s.items() if time_s}
    return Told(
        system,
        [reproduction.row(system.name, each) for each in comparisons],
        limits_s,
        list(changes.of(system.name, explain(system))),
        _budget(system.name, name_of(system), tuple(limits_s.items()), language),
        _own_pictures(system, language),
    )


def _own_pictures(system: System, language: str) -> list[Picture]:
    for kind in OWN_KINDS:
        try:
            made = draw(kind, system, Span(), locale=language)
            return [Picture.of(f"{kind}-{system.name}", made)]
        except StudyError:  # the system has nothing to draw this over
            continue
    return []


@cache
def _budget(
    name: str, title: str, limits_s: tuple[tuple[str, float], ...], language: str
) -> Picture:
    """Return a bar of the limits that the job waits for."""
    jobs = {title: limits.Budget(name, dict(limits_s))}
    bar = drawn(lambda: limits.bars(jobs, ""), "page", locale=language)
    return Picture.of(f"budget-{name}", bar)


def read(path) -> str:
    """Return a file of results/. Raise StudyError if it is missing."""
    try:
        return read_text(path)
    except StudyError as error:
        raise StudyError(f"{error}; run ./waf reproduce") from error
