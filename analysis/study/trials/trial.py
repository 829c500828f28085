# SPDX-License-Identifier: GPL-2.0-only
"""A change that was tried, and what became of the job."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from study.trials.job_sizes import needed_B
from study.trials.jobs import Outcome, run_all
from study.trials.reliefs import Change

# A smaller change of the rate counts as none: print servers and clocks vary by more.
CHANGE_PCT = 1.0
MANIFOLD_PCT = 900.0  # from here on the text is a multiple


@dataclass(frozen=True)
class Trial:
    """One change and the job's outcome with it. The gain is None if only one of the two jobs has a
    rate."""

    change: Change = field(repr=False)
    after: Outcome = field(repr=False)
    gain_pct: float | None
    alone: tuple[str, ...] = ()  # changes that are needed together, with the gain without each
    rests_on: str = ""  # what its gain depends on, or the assumption that would reverse it
    caveat: str = ""  # for losses given by packet number
    of_seeds: tuple[float, float] | None = None  # least and largest gain; None for one run

    @property
    def words(self) -> str:
        """The change as part of a sentence."""
        return self.change.words

    @property
    def flag(self) -> str:
        """The change as flags of a command line."""
        return self.change.flag

    @property
    def outcome(self) -> str:
        """How the job ended."""
        return self.after.result.outcome

    @property
    def reason(self) -> str:
        """Why the job did not finish."""
        return self.after.result.reason

    @property
    def throughput_Bps(self) -> float | None:
        """The whole job's throughput."""
        return self.after.throughput_Bps

    @property
    def command_s(self) -> float | None:
        """The time of one of the whole job's commands in seconds, or None for other jobs."""
        run = self.after.result
        command_s = run.record.get("command_s")
        if command_s is None or not self.after.rate:
            return command_s
        return command_s * float(run.parameters["commands"]) / run.duration_s / self.after.rate

    @property
    def seeds_agree(self) -> bool:
        """Whether all seeds are faster, or all slower."""
        return self.of_seeds is None or not self.of_seeds[0] < 0 < self.of_seeds[1]

    @property
    def effect(self) -> float:
        """The gain in percent, for sorting: 0 if seeds disagree, minus infinity for a job that no
        longer finishes."""
        if not self.seeds_agree:
            return 0.0
        if self.gain_pct is not None:
            return self.gain_pct
        return float("inf" if self.after.rate else "-inf")

    @property
    def factor(self) -> float:
        """The rate's multiple."""
        return self.effect / 100 + 1

    @property
    def spread(self) -> str:
        """The gains of single seeds as a text, empty for one run."""
        if self.of_seeds is None:
            return ""
        low, high = map(gain, self.of_seeds)
        return f"single seeds: {low} to {high}"

    def record(self) -> dict:
        """Return the trial for a script."""
        names = ("words", "flag", "outcome", "reason", "throughput_Bps", "gain_pct", "command_s")
        names += ("rests_on", "caveat", "of_seeds")
        return {name: getattr(self, name) for name in names} | {"alone": list(self.alone)}


def trial(change: Change, before: Outcome, after: Outcome) -> Trial:
    """Return the trial of a change from both outcomes."""
    gain_pct = None if after.rate or before.rate else 0.0
    if after.rate and before.rate:
        gain_pct = (after.rate / before.rate - 1) * 100
    return Trial(change, after, gain_pct)


def try_all(changes: Sequence[Change], before: Outcome, bytes_: int = 0) -> list[Trial]:
    """Return the trials of the changes that the program accepts and that carry the same data. No
    job is shorter than the one that it is compared with."""
    least_B = needed_B(changes[0].before) if changes else 0
    found = run_all([each.system for each in changes], bytes_, least_B=least_B, beside=before)
    return [
        trial(change, before, after)
        for change, after in zip(changes, found, strict=True)
        if after is not None and after.is_same_job(before)
    ]


def gain(gain_pct: float | None) -> str:
    """Return a gain as a percentage, or as a factor if it is large."""
    if gain_pct is None:
        return ""
    if gain_pct >= MANIFOLD_PCT:
        return f"x {gain_pct / 100 + 1:,.1f}"
    return f"{gain_pct:+,.2f} %" if abs(gain_pct) < 10 else f"{gain_pct:+,.0f} %"
