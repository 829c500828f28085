# SPDX-License-Identifier: GPL-2.0-only
"""Plan that a scenario's module declares for the explorer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic

from study.base.units import MEASURED
from study.kit.formula import Form
from study.system.system import Result

USUAL_LOSS = "0.001"  # one frame in a thousand, the middle of a slider for loss

Parameters = Mapping[str, str]


@dataclass(frozen=True)
class Section:
    """Controls shown together; label, unit, range and choices come from the declaration. `when` is
    a parameter and its value: for any other value the program ignores the section's parameters."""

    title: str
    keys: tuple[str, ...]
    when: tuple[str, str] | None = None


@dataclass(frozen=True)
class Figure:
    """The result that a job is judged by, in its base unit: seconds or B/s."""

    name: str
    unit: str  # of the curve's axis, a key of units.MEASURED
    column: str  # of the record, if the job finished
    of: Callable[[Result], float | None]
    text: Callable[[float], str]
    kinds: tuple[str, ...]  # the measured figures shown beside it

    @property
    def label(self) -> str:
        """The axis label."""
        return f"{self.name} ({self.unit})"

    def on_axis(self, value: float) -> float:
        """Return a value in the unit of the curve's axis."""
        return value / MEASURED[self.unit]


def throughput(*kinds: str) -> Figure:
    """Return the figure for a whole job's throughput in B/s. Its value is None unless the job
    finished."""
    return Figure(
        "throughput",
        "kB/s",
        "throughput_Bps",
        lambda result: result.throughput_Bps,
        lambda v: f"{v:,.1f} B/s",
        kinds,
    )


def duration(name: str, *kinds: str) -> Figure:
    """Return the figure for a whole job's duration in seconds. Its value is None unless the job
    finished."""

    def of(result: Result) -> float | None:
        return result.duration_s if result.outcome == "finished" else None

    return Figure(name, "s", "duration_s", of, lambda v: f"{v:,.3f} s", kinds)


@dataclass(frozen=True)
class Plan(Generic[Form]):
    """Parameters that the explorer varies, in the page's order, and the curve that it draws."""

    sections: tuple[Section, ...]
    figure: Figure
    axis: str  # the curve's parameter until the user selects another
    # The figure by the closed form, in its base unit; None where no formula holds.
    formula: Callable[[Form], float | None]
    losses: tuple[str, ...]  # loss fractions, which no formula takes into account
    paper_note: str  # what the formula leaves out, in a few words
    # The job's size, and the largest that is simulated packet by packet at a slider's pace. A
    # larger job of a system opens with this size.
    size: str
    most_B: int
    in_full: Callable[[Parameters], bool]
    # Meaningful positions of a slider, in addition to the round values.
    stops: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    # The middle of a slider if the system's value is an end of the range, as is "no drain".
    usual: Mapping[str, str] = field(default_factory=dict)
    # The link's largest throughput in B/s, with the parameter and value that name the link; None
    # where it is unknown.
    ceiling: Callable[[Parameters], tuple[float, str, str] | None] = lambda parameters: None

    @property
    def keys(self) -> list[str]:
        """All parameters that can be varied."""
        return [key for section in self.sections for key in section.keys]

    def on_paper(self, form: type[Form], parameters: Parameters) -> float | None:
        """Return the figure by the closed form, or None if none holds."""
        lossy = any(float(parameters[name]) for name in self.losses)
        return None if lossy else self.formula(form.of(parameters))

    def opening(self, parameters: Parameters) -> dict[str, str]:
        """Return the explorer's first changes to a system: a smaller job, if simulated in full."""
        if not self.in_full(parameters) or int(parameters[self.size]) <= self.most_B:
            return {}
        return {self.size: str(self.most_B)}
