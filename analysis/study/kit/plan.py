# SPDX-License-Identifier: GPL-2.0-only
"""Plan that a scenario's module declares for the explorer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic

from study.base.units import MEASURED
from study.kit.formula import Form
from study.system.system import Result

USUAL_LOSS = "0.001"  # one frame of a thousand, in the middle of a slider for losses

Parameters = Mapping[str, str]


@dataclass(frozen=True)
class Section:
    """Controls that stand together; a parameter's label, unit, range and choices are the
    declaration's. With `when`, a choice and its value, they are there for that value only: for any
    other the program takes no notice of them."""

    title: str
    keys: tuple[str, ...]
    when: tuple[str, str] | None = None


@dataclass(frozen=True)
class Figure:
    """The number that a job is judged by, in the base unit of its kind: seconds, or bytes a
    second."""

    name: str
    unit: str  # of the curve's axis, one of units.MEASURED
    column: str  # of the record, while the job is finished
    of: Callable[[Result], float | None]
    text: Callable[[float], str]
    kinds: tuple[str, ...]  # the measured figures that stand beside it

    @property
    def label(self) -> str:
        """As an axis has it."""
        return f"{self.name} ({self.unit})"

    def on_axis(self, value: float) -> float:
        """A value in the unit of the curve's axis."""
        return value / MEASURED[self.unit]


def throughput(*kinds: str) -> Figure:
    """Of the whole job; None unless it finished."""
    return Figure(
        "throughput",
        "kB/s",
        "throughput_Bps",
        lambda result: result.throughput_Bps,
        lambda v: f"{v:,.1f} B/s",
        kinds,
    )


def duration(name: str, *kinds: str) -> Figure:
    """Of the whole job; None unless it finished."""

    def of(result: Result) -> float | None:
        return result.duration_s if result.outcome == "finished" else None

    return Figure(name, "s", "duration_s", of, lambda v: f"{v:,.3f} s", kinds)


@dataclass(frozen=True)
class Plan(Generic[Form]):
    """What can be varied, in the order in which one thinks of it, and what is drawn of it."""

    sections: tuple[Section, ...]
    figure: Figure
    axis: str  # the parameter that the curve is drawn over, until another is chosen
    # The figure by a closed form, in its base unit; None where no formula holds.
    formula: Callable[[Form], float | None]
    losses: tuple[str, ...]  # fractions of frames that are lost: no formula knows any
    paper_note: str  # what the formula leaves out, in a few words
    # What to change for a short job whose packets end up in the steady exchange.
    short_job: Callable[[Parameters], Mapping[str, str]]
    # The job's size, and the most of it that is simulated as fast as a slider moves where each
    # packet has to be: a system's own job begins no larger.
    size: str
    most_B: int
    in_full: Callable[[Parameters], bool]
    # Positions of a slider that mean something, beside the round values.
    stops: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    # Around what a slider goes when the system's value is an end of the range, as is "no drain".
    usual: Mapping[str, str] = field(default_factory=dict)
    # The most that the line carries, in B/s, and the parameter that says what line that is; for
    # parameters under which that is known.
    ceiling: Callable[[Parameters], tuple[float, str, str] | None] = lambda parameters: None

    @property
    def keys(self) -> list[str]:
        """All parameters that can be varied."""
        return [key for section in self.sections for key in section.keys]

    def on_paper(self, form: type[Form], parameters: Parameters) -> float | None:
        """The figure by the closed form, where one holds."""
        lossy = any(float(parameters[name]) for name in self.losses)
        return None if lossy else self.formula(form.of(parameters))

    def opening(self, parameters: Parameters) -> dict[str, str]:
        """What the explorer changes of a system before anybody does."""
        if not self.in_full(parameters) or int(parameters[self.size]) <= self.most_B:
            return {}
        return {self.size: str(self.most_B)}
