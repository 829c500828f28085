# SPDX-License-Identifier: GPL-2.0-only
"""Lines between two simulated jobs of a curve: the closed form where it holds at both, a plain
line where no value lies between them, otherwise a thin straight line marked "not run"."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from study.drawing.style import Axes
from study.kit.paper import holds

Points = tuple[Sequence[float], Sequence[float]]
NOT_RUN = "between: not run"  # in the legend
THIN = {"linestyle": (0, (1, 2)), "linewidth": 0.6}
PAPER_WIDTH = 0.8


@dataclass(frozen=True)
class Gap:
    """Two neighbouring jobs of a curve."""

    ends: Points  # both x, both y
    form: tuple[float, float]  # the closed form at both
    is_step: bool  # no value lies between them

    @property
    def has_form(self) -> bool:
        """Return whether the closed form is within CLOSE_PCT of both jobs."""
        pairs = zip(self.form, self.ends[1], strict=True)
        return all(form == form and y and holds(form, y) for form, y in pairs)


def gaps(jobs: Points, form: Sequence[float] | None = None, step: float = 0.0) -> list[Gap]:
    """Return the gaps of a curve from left to right.

    Parameters: `jobs` in units of the axes, in any order; `form`, the closed form at each of them,
    NaN where it says nothing; `step`, the distance of two values that have none between them."""
    xs, ys = (list(map(float, each)) for each in jobs)
    none = [float("nan")] * len(xs)
    on_paper = none if form is None else [none[0] if each is None else each for each in form]
    rows = sorted(zip(xs, ys, map(float, on_paper), strict=True))
    return [
        Gap(((x, next_x), (y, next_y)), (a, b), next_x - x <= step * 1.001)
        for (x, y, a), (next_x, next_y, b) in pairwise(rows)
    ]


def join(axes: Axes, look: tuple, found: Sequence[Gap], paper: Points | None = None) -> None:
    """Draw what is known between the jobs of a curve, in its colour; `paper` is the closed form at
    many values, in units of the axes."""
    colour, dash, _ = look
    line: Points = ([], [])
    for gap in found:
        low, high = gap.ends[0]
        if paper is not None and gap.has_form:
            inside = [(x, y) for x, y in zip(*paper, strict=True) if low < x < high]
            between = [(low, gap.form[0]), *inside, (high, gap.form[1]), (high, float("nan"))]
            for x, y in between:
                line[0].append(x)
                line[1].append(y)
        elif gap.is_step:
            axes.plot(*gap.ends, color=colour, linewidth=PAPER_WIDTH)
        else:
            axes.plot(*gap.ends, color=colour, **THIN)
            mark_not_run(axes)
    if line[0]:
        axes.plot(*line, color=colour, linestyle=dash, linewidth=PAPER_WIDTH)


def mark_not_run(axes: Axes) -> None:
    """Give the thin lines of these axes their one entry in the legend."""
    if not has_unrun(axes):
        axes.plot([], [], color="0.4", label=NOT_RUN, **THIN)


def entries(axes: Axes) -> tuple[list, list[str]]:
    """Return handles and names of a legend, that of the thin lines last."""
    pairs = zip(*axes.get_legend_handles_labels(), strict=True)
    ordered = sorted(pairs, key=lambda pair: pair[1] == NOT_RUN)
    return [handle for handle, _ in ordered], [name for _, name in ordered]


def has_unrun(axes: Axes) -> bool:
    """Return whether thin lines of these axes stand where nothing was run."""
    return any(each.get_label() == NOT_RUN for each in axes.lines)
