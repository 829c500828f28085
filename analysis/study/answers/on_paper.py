# SPDX-License-Identifier: GPL-2.0-only
"""Closed form of a run beside the run's own number, with a note if the two differ."""

from collections.abc import Mapping
from dataclasses import dataclass

from study.kit import paper
from study.kit.scenario import guide, judges
from study.kit.terms import Cycle
from study.system.system import Result

UNKNOWN = "closed form: "  # before the reason why a formula is not shown
FEW_WINDOWS = 10  # of a shorter job, its beginning and end are a large part


@dataclass(frozen=True)
class OnPaper:
    """Closed forms of a run: the steady cycle, or why there is none; the whole job's time, None
    without a formula; and the job's length in windows."""

    result: Result
    cycle: Cycle | str
    whole_s: float | None
    windows: float | None

    @property
    def compared(self) -> tuple[float, float] | None:
        """The closed form's number and the run's own: commands a second, or B/s, or None without
        either."""
        if isinstance(self.cycle, str):
            return None
        if command_s := self.result.record.get("command_s"):
            return 1 / self.cycle.time_s, 1 / command_s
        rate_Bps = self.result.throughput_Bps
        return (self.cycle.rate_Bps, rate_Bps) if rate_Bps else None

    @property
    def holds(self) -> bool | None:
        """Whether the cycle is close enough to the run for no remark, or None without both
        numbers."""
        return None if self.compared is None else paper.holds(*self.compared)

    @property
    def size(self) -> str:
        """The deviation as a text for a table, empty if the formula holds."""
        return "" if self.holds in (None, True) else paper.size(*self.compared)

    def remark(self) -> str:
        """Return the remark after the cycle's number, empty if it holds."""
        if not self.size:
            return ""
        return f"This is {paper.remark(*self.compared)}. {self.reason}"

    def short(self) -> str:
        """Return the sentence for a job of a few windows, empty for a longer one and for a job that
        has the steady cycle's rate."""
        if self.windows is None or self.windows >= FEW_WINDOWS or self.holds:
            return ""
        windows = "one window" if self.windows <= 1 else f"{self.windows:.1f} windows"
        windows = windows.replace(".0 ", " ")
        return (
            f"a job of {windows}: its beginning and end are a large part of it, and a longer job"
            " may have another rate"
        )

    @property
    def reason(self) -> str:
        """A sentence on why the cycle's rate differs from the run's, empty if it holds."""
        if not self.size:
            return ""
        if self.cycle.law:
            lost = self.result.record["path_losses"] + self.result.record["path_queue_drops"]
            return f"The formula is an average over many losses. This run had {lost:,}."
        duration_s = self.result.duration_s
        if self.whole_s and paper.holds(self.whole_s, duration_s):
            return (
                "The formula gives the rate of the steady cycle only. With its beginning, end and"
                " pauses the job"
                f" takes {self.whole_s:,.3f} s by the formula and {duration_s:,.3f} s in the run."
            )
        by_formula, by_run = self.compared
        if self.result.record.get("retransmissions") and by_run < by_formula:
            return "The formula has no retransmissions."
        return "The formula leaves out something that this job does."


def on_paper(
    scenario: str, result: Result, own: Mapping[str, str], new: Mapping[str, str] | None = None
) -> OnPaper:
    """Return the closed forms of a run. `own` are the parameters before any change: a formula
    without a changed parameter is replaced by a note."""
    knows, known = guide(scenario), judges(scenario)
    form = known.form.of(result.parameters)
    cycle, whole_s = knows.cycle(form), knows.whole_s(form)
    unknown = known.form.lacks(own, result.parameters if new is None else new)
    if unknown:
        cycle = cycle if isinstance(cycle, str) else f"{UNKNOWN}{unknown}"
        whole_s = None
    window_B = knows.window_B(form)
    windows = result.bytes / window_B if window_B else None
    return OnPaper(result, cycle, whole_s, windows)
