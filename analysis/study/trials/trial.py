# SPDX-License-Identifier: GPL-2.0-only
"""A change that was tried, and what became of the job."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from study.trials.jobs import Outcome, run_all
from study.trials.reliefs import Change

# A change of the rate below this is none: print shops and clocks vary by more.
CHANGE_PCT = 1.0
MANIFOLD_PCT = 900.0  # from here on a multiple says more


@dataclass(frozen=True)
class Trial:
    """One change and what became of the job. The gain is none where only one of the two jobs has a
    rate."""

    change: Change = field(repr=False)
    after: Outcome = field(repr=False)
    gain_pct: float | None
    alone: tuple[str, ...] = ()  # what of its parts each is needed for
    rests_on: str = ""  # what its gain follows, or by what it turns round
    caveat: str = ""  # where the losses are told by number
    of_seeds: tuple[float, float] | None = None  # the least gain and the most, where seeds count

    @property
    def words(self) -> str:
        """As a sentence has it."""
        return self.change.words

    @property
    def flag(self) -> str:
        """As it is typed."""
        return self.change.flag

    @property
    def outcome(self) -> str:
        """How the job ended."""
        return self.after.result.outcome

    @property
    def reason(self) -> str:
        """Why it did not finish."""
        return self.after.result.reason

    @property
    def throughput_Bps(self) -> float | None:
        """Of the whole job."""
        return self.after.throughput_Bps

    @property
    def command_s(self) -> float | None:
        """Of a job of commands: the time for each."""
        return self.after.result.record.get("command_s")

    @property
    def seeds_agree(self) -> bool:
        """Whether all are faster, or all slower."""
        return self.of_seeds is None or not self.of_seeds[0] < 0 < self.of_seeds[1]

    @property
    def effect(self) -> float:
        """To sort by: how much better, a job that no longer ends being worst of all. Where seeds
        do not agree it is none."""
        if not self.seeds_agree:
            return 0.0
        if self.gain_pct is not None:
            return self.gain_pct
        return float("inf" if self.after.rate else "-inf")

    @property
    def factor(self) -> float:
        """How many times as fast."""
        return self.effect / 100 + 1

    @property
    def spread(self) -> str:
        """What single seeds came to."""
        if self.of_seeds is None:
            return ""
        low, high = map(gain, self.of_seeds)
        return f"single seeds: {low} to {high}"

    def record(self) -> dict:
        """For a script."""
        names = ("words", "flag", "outcome", "reason", "throughput_Bps", "gain_pct", "command_s")
        names += ("rests_on", "caveat", "of_seeds")
        return {name: getattr(self, name) for name in names} | {"alone": list(self.alone)}


def trial(change: Change, before: Outcome, after: Outcome) -> Trial:
    """What a change does."""
    gain_pct = None if after.rate or before.rate else 0.0
    if after.rate and before.rate:
        gain_pct = (after.rate / before.rate - 1) * 100
    return Trial(change, after, gain_pct)


def try_all(changes: Sequence[Change], before: Outcome, bytes_: int = 0) -> list[Trial]:
    """What became of each that the program takes, and that leaves the job the same."""
    found = run_all([each.system for each in changes], bytes_)
    return [
        trial(change, before, after)
        for change, after in zip(changes, found, strict=True)
        if after is not None and after.is_same_job(before)
    ]


def gain(gain_pct: float | None) -> str:
    """In percent, or a factor where that says more."""
    if gain_pct is None:
        return ""
    if gain_pct >= MANIFOLD_PCT:
        return f"x {gain_pct / 100 + 1:,.1f}"
    return f"{gain_pct:+,.2f} %" if abs(gain_pct) < 10 else f"{gain_pct:+,.0f} %"
